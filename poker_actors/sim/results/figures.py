"""The figures of a run: its players', as in a poker tracker, over all hands or by position, and the digest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from operator import add
from typing import Final

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.intervals import Estimate, estimate
from poker_actors.sim.judging.estimates import DEFAULT_DIFFERENCE, Estimates, Plan, plan
from poker_actors.sim.judging.sequential import Sequential, judge_at_any_time
from poker_actors.sim.judging.simultaneous import Judgement, Separation, judge
from poker_actors.sim.statistics import COUNTERS, STREETS, Sums, by_name

_AFTER: Final = STREETS[1:]


@attrs.frozen
class Share:
    """How often something happened: `count` times of `of`."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None if `of` is 0."""
        return self.count / self.of if self.of else None

    def __str__(self) -> str:
        return f"{100 * self.count / self.of:.1f} %" if self.of else "-"


@attrs.frozen
class StreetHabits:
    """A player's actions and continuation bets on one street."""

    street: str
    raises: int
    """bets and raises"""
    calls: int
    folds: int
    checks: int
    cbet: Share | None
    """None before the flop"""
    fold_to_cbet: Share | None

    @property
    def aggression(self) -> Share:
        """Aggression frequency: bets and raises as a share of all actions on the street except checks."""
        return Share(self.raises, self.raises + self.calls + self.folds)

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call; None without calls."""
        return self.raises / self.calls if self.calls else None


COUNTED: Final = {
    "vpip": "vpip",
    "pfr": "pfr",
    "three_bet": "three_bets",
    "fold_to_three_bet": "three_bets_folded_to",
    "steal": "steals",
    "fold_to_steal": "steals_folded_to",
    **{f"{street}_cbet": f"{street}_cbets" for street in _AFTER},
    **{f"fold_to_{street}_cbet": f"{street}_cbets_folded_to" for street in _AFTER},
    **{f"{street}_aggression": f"{street}_raises" for street in STREETS},
    "wtsd": "showdowns",
    "wsd": "showdowns_won",
    "wwsf": "flops_won",
    "all_in": "all_ins",
}
"""The counter that is the numerator of each statistic."""


class Habits:
    """The counters of a player's hands and the shares made of them; `counts` has the names of `COUNTERS`."""

    __slots__ = ()

    @property
    def bets(self) -> bool:
        """Whether there was any betting; in open-face games there is none, and the shares mean nothing."""
        turns = ("raises", "calls", "folds", "checks")
        return any(self.counts[f"{street}_{what}"] for street in STREETS for what in turns)

    counts: Mapping[str, int]

    def share(self, count: str, of: str) -> Share:
        """Return one counter as a share of another."""
        return Share(self.counts[count], self.counts[of])

    @property
    def vpip(self) -> Share:
        """Hands with a voluntary call or raise before the flop."""
        return self.share("vpip", "hands")

    @property
    def pfr(self) -> Share:
        """Hands raised before the flop."""
        return self.share("pfr", "hands")

    @property
    def wtsd(self) -> Share:
        """Showdowns reached, of the hands that saw a flop."""
        return self.share("showdowns", "flops")

    @property
    def wsd(self) -> Share:
        """Showdowns at which the player won at least a share of a pot (W$SD)."""
        return self.share("showdowns_won", "showdowns")

    @property
    def showdowns_won(self) -> int:
        """Showdowns at which the player won at least a share of a pot."""
        return self.counts["showdowns_won"]

    @property
    def flops_won(self) -> int:
        """Hands that saw a flop and in which the player won at least a share of a pot."""
        return self.counts["flops_won"]

    @property
    def all_ins(self) -> int:
        """Hands that ended with all the player's chips in the pots."""
        return self.counts["all_ins"]

    @property
    def busts(self) -> int:
        """Hands after which the player had no chips left."""
        return self.counts["busts"]

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call from the flop on; None without calls."""
        raises = sum(self.counts[f"{street}_raises"] for street in _AFTER)
        calls = sum(self.counts[f"{street}_calls"] for street in _AFTER)
        return raises / calls if calls else None

    @property
    def streets(self) -> tuple[StreetHabits, ...]:
        """The figures of each street, preflop first."""
        return tuple(map(self._street, STREETS))

    @property
    def statistics(self) -> dict[str, Share]:
        """The statistics of a poker tracker, by name."""
        streets = self.streets
        after = streets[1:]
        return {
            "vpip": self.vpip,
            "pfr": self.pfr,
            "three_bet": self.share("three_bets", "three_bet_chances"),
            "fold_to_three_bet": self.share("three_bets_folded_to", "three_bets_faced"),
            "steal": self.share("steals", "steal_chances"),
            "fold_to_steal": self.share("steals_folded_to", "steals_faced"),
            **{f"{each.street}_cbet": each.cbet for each in after if each.cbet},
            **{f"fold_to_{each.street}_cbet": each.fold_to_cbet for each in after if each.fold_to_cbet},
            **{f"{each.street}_aggression": each.aggression for each in streets},
            "wtsd": self.wtsd,
            "wsd": self.wsd,
            "wwsf": self.share("flops_won", "flops"),
            "all_in": self.share("all_ins", "hands"),
        }

    def _street(self, street: str) -> StreetHabits:
        counts = self.counts
        first = street == STREETS[0]
        return StreetHabits(
            street,
            counts[f"{street}_raises"],
            counts[f"{street}_calls"],
            counts[f"{street}_folds"],
            counts[f"{street}_checks"],
            None if first else self.share(f"{street}_cbets", f"{street}_cbet_chances"),
            None if first else self.share(f"{street}_cbets_folded_to", f"{street}_cbets_faced"),
        )


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
    """Sum the counts by seating into results by bot and position.

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
            new = (sums.results[seated][seat], sums.squares[seated][seat], *row[seat])
            known = counted[who[seat]].get(name, [0] * (2 + len(COUNTERS)))
            counted[who[seat]][name] = list(map(add, known, new))
    return [
        tuple(_position(name, places[name], 100 / big_blind, apart=apart) for name in order if name in places)
        for places in counted
    ]


def _position(name: str, counted: list[int], scale: float, *, apart: bool) -> PositionResult:
    chips, squares, *row = counted
    counts = by_name(row)
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
        """The gains without the luck of the cards; None unless asked for."""
        if self.corrected_curve is None:
            return None
        return [after - before for before, after in pairwise((0.0, *self.corrected_curve))]

    @property
    def judged(self) -> Estimate:
        """The result that decides the verdicts: without the luck of the cards, if known."""
        return self.bb_per_100_adjusted or self.bb_per_100

    @property
    def bb_per_100_controlled(self) -> Estimate | None:
        """The former name of `bb_per_100_adjusted`."""
        return self.bb_per_100_adjusted

    @property
    def illegal_actions(self) -> int:
        """Faults of any kind, for each of which the player checked or folded instead."""
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
    """the engine that played the hands, and why; empty in files of earlier versions"""
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
        """The statements on all pairs and ranks together at 95 %; None if the variances are unknown."""
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
