"""The piece of work of every engine: a range of hands played and counted in one process."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from typing import Final

import attrs

from poker_actors.bots import Bot, Faults, fallback, running
from poker_actors.rules import Hand
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.engines.compiled import play_compiled
from poker_actors.sim.engines.stopwatch import Stopwatch
from poker_actors.sim.exports import hand_row
from poker_actors.sim.failing import mark_hand
from poker_actors.sim.luck import luck_of
from poker_actors.sim.match import Match
from poker_actors.sim.record import Played
from poker_actors.sim.statistics import Correcting, Sums, Tally

__all__ = ["Job", "play_block", "play_hand", "play_hands", "play_whole"]

POINTS: Final = 240
"""Points of the curve of winnings: enough for a picture, few enough to travel."""

REPORT_EVERY: Final = 100
"""Hands between two looks at the progress; an interrupted run loses fewer than that, or a unit."""


@attrs.frozen
class Job:
    """A match and the driver that plays it: all that a worker has to know."""

    match: Match
    driver: str = "direct"
    keep: bool = False
    """whether the hands themselves come back as well, as rows"""
    adjust: bool = False
    """whether the hands are also counted without the luck of the cards"""
    keep_units: bool = False
    """whether the results of each unit come back as well"""
    examples: bool = False
    """whether hands behind the figures are noted"""
    block: int = 0
    """hands of a point of the curve; 0 for the length that makes up to 240 of the match"""
    compiled: bool = False
    """whether compiled code plays it, all of it"""
    before: tuple[Faults, ...] = ()
    """what was counted of each bot in the hands before; empty for none"""

    def new_faults(self) -> list[Faults]:
        """Begin to count faults, after those `before`."""
        if not self.before:
            return [Faults() for _ in self.match.bots]
        return [Faults.after(before) for before in self.before]

    @property
    def block_hands(self) -> int:
        """Hands of a point of the curve: whole units."""
        unit = self.match.unit
        block = self.block or max(1, -(-self.match.hands // POINTS))
        return -(-block // unit) * unit

    def new_tally(self) -> Tally:
        """Make an empty tally for hands of this match."""
        match = self.match
        bots, unit = len(match.bots), match.unit
        correcting = Correcting(match.tree, bots, unit) if self.adjust else None
        return Tally(
            bots, self.block_hands, unit, correcting, keep_units=self.keep_units, examples=self.examples
        )


def play_hands(
    job: Job, hands: range, faults: list[Faults], bots: list[Bot] | None = None
) -> Iterator[Played]:
    """Play `hands`, whole units, and give each number, finished hand, and the bots by seat.

    `faults`, one of each bot, are counted in; none will do. Raises `BadSpec` for a program that does
    not start.
    """
    faults = faults or job.new_faults()
    playing = new_bots(job.match, faults) if bots is None else bots
    played = driver_named(job.driver)(job.match, hands, playing, faults)
    # every driver is a generator: its room closes with it, and then what its bots have started
    with running(tuple(playing), faults), closing(played):  # type: ignore[type-var]  # as said, a generator
        yield from played


def new_bots(match: Match, faults: Sequence[Faults]) -> list[Bot]:
    """Make the bots of a match; one that is ejected already is `fallback`."""
    made = zip(match.bots, faults, strict=True)
    return [spec.make() if account.ejected is None else fallback for spec, account in made]


def play_block(job: Job, hands: range) -> Iterator[Sums]:
    """Play `hands`, whole units, and give sums every `REPORT_EVERY` hands, faults with the last."""
    if job.compiled:
        yield from play_compiled(job.match, hands, job.block_hands, keep_units=job.keep_units)
        return
    faults = job.new_faults()
    bots = new_bots(job.match, faults)
    watch = Stopwatch(bots)
    tally = job.new_tally()
    unit = job.match.unit
    names = [str(spec) for spec in job.match.bots]
    played = hands.start
    try:
        for number, hand, who in play_hands(job, hands, faults, bots):
            tally.count(number, hand, who)
            watch.after(number)
            if job.keep:
                # told a second time: the same draws, and few runs write hands and take the luck out
                luck = luck_of(hand, job.match.tree.rng(number, len(names))) if job.adjust else None
                tally.sums.rows.append(hand_row(number, hand, who, names, luck))
            played = number + 1
            if tally.sums.hands >= REPORT_EVERY and played % unit == 0:
                yield tally.take()
    except Exception as error:
        if played in hands:
            mark_hand(error, job.match, played)
        raise
    last = tally.take()
    last.faults = faults
    last.decisions, last.nanoseconds = watch.decisions, watch.nanoseconds
    yield last


def play_whole(job: Job, hands: range) -> Sums:
    """Play `hands`, whole units, and give their sums: what a worker is sent."""
    total = Sums(len(job.match.bots))
    for sums in play_block(job, hands):
        total.add(sums)
    return total


def play_hand(
    match: Match, number: int, driver: str = "direct", *, ejected: Collection[int] = ()
) -> tuple[Hand, tuple[int, ...]]:
    """Play hand `number` of the match alone, with what it hangs together with before it.

    `ejected` are the bots that were ejected in an earlier hand. Returns the finished hand and the bots
    by seat.
    """
    first = number - number % match.unit
    faults = [Faults(ejected=first if bot in ejected else None) for bot in range(len(match.bots))]
    *_, (_, hand, who) = play_hands(Job(match, driver), range(first, number + 1), faults)
    return hand, who
