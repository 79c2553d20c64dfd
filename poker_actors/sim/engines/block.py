"""The unit of work of every engine: a range of hands, played and counted in one process."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from contextlib import closing
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from poker_actors.bots import Bot, Faults, OutsideBot, fallback, running
from poker_actors.rules import Action, Hand, View
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.drivers.direct import mark_hand
from poker_actors.sim.engines.compiled import EVERY, Asking, asked_bots, play_compiled
from poker_actors.sim.engines.job import Job, new_bots
from poker_actors.sim.exports import hand_row, round_row
from poker_actors.sim.match import Match
from poker_actors.sim.record import Played
from poker_actors.sim.statistics import Sums, count_starting_hands

if TYPE_CHECKING:
    from poker_actors.bots.mit import Ended


class Stopwatch:
    """Replaces bots with timed ones for some hands.

    It changes the list that the direct driver plays from, between two hands. The other drivers take
    their bots once, and are not timed.
    """

    def __init__(self, bots: list[Bot]) -> None:
        self.decisions: Final = [0] * len(bots)
        self.nanoseconds: Final = [0] * len(bots)
        self._playing = bots
        self._plain = bots.copy()
        self._timed = [self._watched(number, bot) for number, bot in enumerate(bots)]

    def after(self, number: int) -> None:
        """Install timed or plain bots for the hand after `number`."""
        if (number + 1) % EVERY == 0:
            self._put(self._timed)
        elif number % EVERY == 0:
            self._put(self._plain)

    def _put(self, bots: list[Bot]) -> None:
        """Install `bots`, but keep `fallback` in place of a bot that has been ejected."""
        places = zip(self._playing, bots, strict=True)
        self._playing[:] = [there if there is fallback else bot for there, bot in places]

    def _watched(self, number: int, bot: Bot) -> Bot:
        def timed(view: View) -> Action:
            start = perf_counter_ns()
            try:
                return bot(view)
            finally:
                self.nanoseconds[number] += perf_counter_ns() - start
                self.decisions[number] += 1

        return timed


REPORT_EVERY: Final = 100
"""Hands between two reports of progress; an interrupted run loses fewer, or less than a unit."""


def play_hands(
    job: Job, hands: range, faults: list[Faults], bots: list[Bot] | None = None
) -> Iterator[Played]:
    """Play `hands`, whole units, and yield each number, finished hand, and the bots by seat.

    Faults are counted in `faults`, one for each bot; empty makes new ones. Raises `BadSpec` for a
    program that does not start.
    """
    faults = faults or job.new_faults()
    playing = new_bots(job.match, faults) if bots is None else bots
    played = driver_named(job.driver)(job.match, hands, playing, faults)
    # The room closes before the bots' programs stop: an actor must not ask a program that has gone.
    with running(tuple(playing), faults), closing(played):  # type: ignore[type-var]  # each driver is a generator
        told = {
            place: bot for place, bot in enumerate(playing) if isinstance(bot, OutsideBot) and bot.tells_ends
        }
        if not told:
            yield from played
            return
        for number, hand, who in played:
            for seat, place in enumerate(who):
                if place in told:
                    told[place].hand_ended(number, hand, seat)
            yield number, hand, who


def play_block(job: Job, hands: range) -> Iterator[Sums]:
    """Play `hands`, whole units, and yield sums every `REPORT_EVERY` hands; the last ones include faults."""
    if job.compiled:
        yield from _play_compiled(job, hands)
        return
    if job.match.rounds:
        yield from _count_rounds(job, hands)
        return
    faults = job.new_faults()
    bots = new_bots(job.match, faults)
    watch = Stopwatch(bots)
    tally = job.new_tally()
    unit = job.match.unit
    names = [str(spec) for spec in job.match.bots]
    played, state = hands.start, random.getstate()
    try:
        for number, hand, who in play_hands(job, hands, faults, bots):
            tally.count(number, hand, who)
            if job.driver == "direct":
                # a room made for each sitting would take the timed functions for the bots, which hear and peek
                watch.after(number)
            if job.starting_hands:
                count_starting_hands(tally.sums, hand, who)
            if job.keep:
                # computed again with the same draws, as few runs both write hands and take the luck out
                rng = job.match.tree.rng(number, len(names))
                luck = job.luck(hand, who, rng) if job.adjust else None
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
    last.foreign_luck = random.getstate() != state
    last.decisions, last.nanoseconds = watch.decisions, watch.nanoseconds
    yield last


def _play_compiled(job: Job, hands: range) -> Iterator[Sums]:
    """Play hands in compiled code, asking any bots in Python at the table; faults come with the last sums."""
    if not asked_bots(job.match):
        yield from play_compiled(job, hands, None)
        return
    faults, state = job.new_faults(), random.getstate()
    asking = Asking(job.match, new_bots(job.match, faults), faults)
    yield from play_compiled(job, hands, asking)
    last = Sums(len(faults))
    last.faults = faults
    last.decisions, last.nanoseconds = asking.decisions, asking.nanoseconds
    last.foreign_luck = random.getstate() != state
    yield last


def play_rounds(match: Match, hands: range, faults: list[Faults] | None = None) -> Iterator[Ended]:
    """Play rounds of a match of bots of MIT Pokerbots that do not play hold'em; faults are counted in `faults`."""
    from poker_actors.bots.mit import NAMES, Ended, deal_round, play_round

    faults = faults or [Faults() for _ in match.bots]
    bots = new_bots(match, faults)
    with running(tuple(bots), faults):
        for number in hands:
            setting, deck = match.setting(number), match.form.deck(number, len(bots))
            button = setting.button
            first, second = setting.bots[button], setting.bots[1 - button]
            names, stack = (NAMES[first], NAMES[second]), setting.stacks[0]
            state = deal_round(match.rounds, names, match.stakes, stack, match.tree, deck, button)
            play_round(state, (bots[first], bots[second]), (faults[first], faults[second]), number)
            yield Ended(number, state, button, setting.bots, setting.stacks)


def _count_rounds(job: Job, hands: range) -> Iterator[Sums]:
    """Play rounds, whole units, and yield their sums as `play_block` does."""
    faults, tally = job.new_faults(), job.new_tally()
    names = [str(spec) for spec in job.match.bots]
    for ended in play_rounds(job.match, hands, faults):
        tally.count_round(ended)
        if job.keep:
            tally.sums.rows.append(round_row(job.match, ended, names))
        if tally.sums.hands >= REPORT_EVERY and (ended.number + 1) % job.match.unit == 0:
            yield tally.take()
    last = tally.take()
    last.faults = faults
    yield last


def play_whole(job: Job, hands: range) -> Sums:
    """Play `hands`, whole units, and return their sums; this is the task sent to a worker."""
    total = Sums(len(job.match.bots))
    for sums in play_block(job, hands):
        total.add(sums)
    return total


def play_hand(
    match: Match, number: int, driver: str = "direct", *, ejected: Collection[int] = ()
) -> tuple[Hand, tuple[int, ...]]:
    """Play hand `number` of the match; earlier hands are played first only if the unit or the bots' memory needs them.

    `ejected` are the numbers of bots ejected in an earlier hand. Returns the finished hand and the
    bots by seat.
    """
    first = number - number % match.span
    faults = [Faults(ejected=first if bot in ejected else None) for bot in range(len(match.bots))]
    *_, (_, hand, who) = play_hands(Job(match, driver), range(first, number + 1), faults)
    return hand, who
