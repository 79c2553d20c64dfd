"""The figures of a run: those of all players, and the digest of all hands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from operator import add

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.intervals import Estimate, estimate
from poker_actors.sim.judging import (
    DEFAULT_DIFFERENCE,
    Estimates,
    Judgement,
    Plan,
    Separation,
    Sequential,
    judge,
    judge_at_any_time,
    plan,
)
from poker_actors.sim.results.habits import Habits
from poker_actors.sim.statistics import Sums, unpacked

__all__ = [
    "PlayerResult",
    "PositionResult",
    "RunFigures",
    "position_names",
    "positions_by_bot",
    "separations",
]


_LATE = ("BTN", "CO", "HJ", "LJ")


def position_names(seats: int) -> list[str]:
    """Name the positions of a table of `seats`, the button first and then to its right.

    >>> position_names(6)
    ['BTN', 'CO', 'HJ', 'UTG', 'BB', 'SB']
    """
    if seats == 2:
        return ["BTN", "BB"]
    others = seats - 2
    late = _LATE[: others if others < 3 else min(others - 1, len(_LATE))]
    early = [f"UTG+{place}" if place else "UTG" for place in range(others - len(late))]
    return [*late, *reversed(early), "BB", "SB"]


def positions_by_bot(sums: Sums, big_blind: int, *, apart: bool) -> list[tuple[PositionResult, ...]]:
    """Add up the counts by seating into results by bot and position.

    `apart` says that a bot's hands in one position are independent: then results have margins.
    """
    counted: list[dict[str, list[int]]] = [{} for _ in range(sums.size)]
    order: dict[str, None] = {}
    for seated, row in sums.habits_by_seat().items():
        button, who, dealt = seated
        names = position_names(len(dealt))
        order |= dict.fromkeys(names)
        rightwards = sorted(dealt, key=lambda seat: (button - seat) % len(who))
        for name, seat in zip(names, rightwards, strict=True):
            new = (row[seat], sums.results[seated][seat], sums.squares[seated][seat])
            known = counted[who[seat]].get(name, [0, 0, 0])
            counted[who[seat]][name] = list(map(add, known, new))
    return [
        tuple(_position(name, places[name], 100 / big_blind, apart=apart) for name in order if name in places)
        for places in counted
    ]


def _position(name: str, counted: list[int], scale: float, *, apart: bool) -> PositionResult:
    packed, chips, squares = counted
    counts = unpacked(packed)
    hands = counts["hands"]
    found = estimate(hands, chips, squares).scaled(scale) if apart else None
    return PositionResult(name, hands, chips, counts, found)


@attrs.frozen
class PositionResult(Habits):
    """A player's figures in one position: `BTN`, `CO`, ... , `BB`, `SB`."""

    position: str
    hands: int
    net_chips: int
    counts: Mapping[str, int] = attrs.field(repr=False)
    bb_per_100: Estimate | None = None
    """None if the hands of a position depend on each other, and in files of earlier versions"""


@attrs.frozen
class PlayerResult(Habits):
    """One player's figures. Chips are whole, shares carry numerator and denominator."""

    seat: int
    bot: str
    hands: int
    net_chips: int
    bb_per_100: Estimate
    """big blinds won per 100 hands, with the 95 % margin that the form of the match allows"""
    bb_per_100_by_unit: Estimate | None
    """the same for forms with units, by duplicate deck or session; None if hands are independent"""
    bb_per_100_adjusted: Estimate | None
    """the same without the luck of the cards; None unless asked for"""
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """cumulative winnings in chips, after each block of hands"""
    corrected_curve: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""
    won: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """units won in each block of hands, half for each it broke even in; None in files of earlier versions"""
    positions: tuple[PositionResult, ...] = attrs.field(default=(), repr=False)
    """by position, the button first"""
    seconds_per_decision: float | None = attrs.field(default=None, eq=False)
    """mean over a sample of its decisions; None if none was timed (only the direct driver times)"""

    @property
    def gains(self) -> list[int]:
        """Chips won in each block of hands: the steps of the curve."""
        return [after - before for before, after in pairwise((0, *self.curve))]

    @property
    def corrected_gains(self) -> list[float] | None:
        """The same without the luck of the cards; None unless asked for."""
        if self.corrected_curve is None:
            return None
        return [after - before for before, after in pairwise((0.0, *self.corrected_curve))]

    @property
    def judged(self) -> Estimate:
        """The result by which it is judged: without the luck of the cards, if known."""
        return self.bb_per_100_adjusted or self.bb_per_100

    @property
    def bb_per_100_controlled(self) -> Estimate | None:
        """The former name of `bb_per_100_adjusted`."""
        return self.bb_per_100_adjusted

    @property
    def illegal_actions(self) -> int:
        """Faults of any kind, for each of which it checked or folded instead."""
        return self.faults.total


@attrs.frozen
class RunFigures:
    """The figures of a run; equal if the same hands were played, however fast."""

    hands: int
    seed: int
    game: str
    driver: str = attrs.field(eq=False)
    form: str
    stakes: str
    stacks: tuple[int, ...]
    big_blind: int
    digest: str
    """32 hexadecimal digits: the sum of the hashes of every hand's record"""
    chips_in: int
    chips_out: int
    rake: int
    """chips taken by the house; `chips_in` is `chips_out` plus these"""
    seconds: float = attrs.field(eq=False)
    engine: str = attrs.field(default="", eq=False, kw_only=True)
    """what played the hands, and why; empty in files of earlier versions"""
    players: tuple[PlayerResult, ...]
    hands_asked: int
    """more than `hands` if the run was interrupted"""
    blocks: tuple[int, ...] = attrs.field(repr=False)
    """the number of hands in each point of the curves"""
    raw: Estimates | None = attrs.field(default=None, repr=False)
    """the chips won and their covariances; None in files of versions that did not keep them"""
    corrected: Estimates | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""

    examples: Mapping[tuple[int, str], tuple[int, ...]] = attrs.field(factory=dict, eq=False, repr=False)
    """by bot and counter or position, the first hands counted there, if asked for"""
    decision: Sequential | None = None
    """the tests of a run that stops when it is decided"""

    @property
    def best(self) -> Estimates | None:
        """The estimates by which the run is judged: without luck, if known."""
        return self.corrected or self.raw

    @cached_property
    def judgement(self) -> Judgement | None:
        """What holds of all pairs and ranks together at 95 %; None if the variances are unknown."""
        if self.best is None:
            return None
        judged = judge(self.best, self.seed)
        return judged if judged is None or self.decision is None else judge_at_any_time(judged, self.decision)

    def plan(self, difference: float = DEFAULT_DIFFERENCE) -> Plan | None:
        """Return how many hands detect `difference` bb/100 between each pair of bots with 80 % power."""
        if self.best is None or self.judgement is None:
            return None
        return plan(self.best, self.judgement.critical, difference)

    @property
    def stretches(self) -> tuple[int, ...]:
        """The former name of `blocks`."""
        return self.blocks

    @property
    def hands_per_second(self) -> float:
        """Hands per second, statistics included."""
        return self.hands / self.seconds if self.seconds else 0.0

    @property
    def time_outs(self) -> int:
        """Missed deadlines of all players; each player's are `faults.late`."""
        return sum(player.faults.late for player in self.players)


def separations(result: RunFigures) -> list[Separation]:
    """Compare every pair of players, at 95 % for all pairs together; empty if the variances are unknown."""
    return list(result.judgement.pairs) if result.judgement is not None else []
