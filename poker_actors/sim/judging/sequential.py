"""Tests that stay valid however often they are evaluated, so that a run can stop as soon as they decide.

There are two. The betting e-process (Waudby-Smith and Ramdas, Estimating means of bounded random variables
by betting, 2024; Ville 1939) bets on every unit at odds that are fair if two bots are equal: the chance
that 1 ever grows to 40 is then at most a fortieth, whatever the distribution. It needs a bound on a unit's
result, so it is used for results as the chips fell. The normal mixture (Robbins 1970; Waudby-Smith and
others, Time-uniform central limit theory, 2024) needs no bound and holds in the limit, from 500 units on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp, log, log1p, sqrt
from typing import Any, Final, Protocol

import attrs

from poker_actors.sim.judging.estimates import MIXTURE, Estimates
from poker_actors.sim.judging.simultaneous import LEVEL, Judgement, holm, ranks_of

STAKES: Final = (0.9, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.025, 0.0125)
"""Shares of the wealth that are bet: large ones decide large differences soon, small ones small differences."""
BEHIND, AHEAD, WITHIN = range(3)
"""The verdicts on a pair: the first is behind the second, ahead of it, or about equal."""


def mixture_p(ratio: float, units: int) -> float:
    """Return the p of a mean, in standard errors, that stays valid if evaluated after every unit."""
    grown = units * MIXTURE + 1
    return min(1.0, sqrt(grown) * exp(-min(ratio * ratio * (grown - 1) / (2 * grown), 700.0)))


class Evidence(Protocol):
    """The evidence on every pair so far."""

    name: str

    def take(self, rows: Sequence[Sequence[int]], estimates: Estimates) -> None:
        """Add the results of the next units, rows by bot in chips; `estimates` are those of all units so far."""

    def found(self, pair: int) -> tuple[float, int]:
        """Return the smallest p of a pair, and the verdict it belongs to: `BEHIND`, `AHEAD` or `WITHIN`."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""

    def restore(self, value: dict[str, Any]) -> None:
        """Continue from the values of `to_dict`."""


class Betting:
    """The e-process of every pair, for results as the chips fell.

    `bound` is the largest difference between two bots' results in one unit, in chips.
    """

    name = "betting"

    def __init__(self, bots: int, bound: int, within: float | None) -> None:
        """Begin; differences up to `within`, in chips a unit, count as equal."""
        self.pairs: Final = list(combinations(range(bots), 2))
        nulls = [(1, 0.0), (-1, 0.0)] if within is None else [(1, 0.0), (-1, 0.0), (1, -within), (-1, within)]
        self._games: Final = [(sign, null, bound + abs(null)) for sign, null in nulls]
        # logarithms: the wealth left by bad bets after 100,000 units would underflow
        self._wealth = [[[0.0] * len(STAKES) for _ in nulls] for _ in self.pairs]
        self._most = [[0.0 for _ in nulls] for _ in self.pairs]

    def take(self, rows: Sequence[Sequence[int]], estimates: Estimates) -> None:
        """Bet on the next units."""
        for pair, (one, other) in enumerate(self.pairs):
            apart = [row[one] - row[other] for row in rows]
            for game, (sign, null, bound) in enumerate(self._games):
                won = [sign * (each - null) / bound for each in apart]
                wealth = self._wealth[pair][game]
                for place, stake in enumerate(STAKES):
                    wealth[place] += sum([log1p(stake * each) for each in won])
                top = max(wealth)
                mean = top + log(sum([exp(each - top) for each in wealth]) / len(STAKES))
                self._most[pair][game] = max(self._most[pair][game], mean)

    def found(self, pair: int) -> tuple[float, int]:
        """Return the smallest p and its verdict.

        A p is two-sided, hence doubled, and uses the largest wealth so far, as Ville's inequality allows.
        """
        ahead, behind, *equal = [min(1.0, 2 * exp(-min(most, 700.0))) for most in self._most[pair]]
        apart = (ahead, AHEAD) if ahead <= behind else (behind, BEHIND)
        return min(apart, (max(equal), WITHIN)) if equal else apart

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"wealth": self._wealth, "most": self._most}

    def restore(self, value: dict[str, Any]) -> None:
        """Continue from the values of `to_dict`."""
        self._wealth, self._most = value["wealth"], value["most"]


class Mixture:
    """The normal mixture of every pair, for results without luck and for units without bounds."""

    name = "mixture"
    LEAST: Final = 500
    """Units before the first look: the test holds only in the limit."""

    def __init__(self, bots: int, within: float | None) -> None:
        """Begin; differences up to `within`, in bb/100, count as equal."""
        self.pairs: Final = list(combinations(range(bots), 2))
        self._within = within
        self._found: list[tuple[float, int]] = [(1.0, AHEAD)] * len(self.pairs)

    def take(self, rows: Sequence[Sequence[int]], estimates: Estimates) -> None:
        """Evaluate the estimates, once there are enough units."""
        if estimates.units >= self.LEAST:
            self._found = [self._look(estimates, *pair) for pair in self.pairs]

    def _look(self, estimates: Estimates, one: int, other: int) -> tuple[float, int]:
        mean = estimates.means[one] - estimates.means[other]
        error = sqrt(estimates.variance(one, other) or 0.0)
        if not error:
            return (0.0, WITHIN) if self._within is not None and abs(mean) <= self._within else (1.0, AHEAD)
        apart = (mixture_p(mean / error, estimates.units), AHEAD if mean > 0 else BEHIND)
        if self._within is None or abs(mean) >= self._within:
            return apart
        return min(apart, (mixture_p((self._within - abs(mean)) / error, estimates.units), WITHIN))

    def found(self, pair: int) -> tuple[float, int]:
        """Return the result of the last look."""
        return self._found[pair]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"found": [list(each) for each in self._found]}

    def restore(self, value: dict[str, Any]) -> None:
        """Continue from the values of `to_dict`."""
        self._found = [(p, what) for p, what in value["found"]]


@attrs.frozen
class Sequential:
    """The verdicts of a run that stops when decided, pair by pair."""

    test: str
    """`betting` or `mixture`"""
    within: float | None
    """the difference in bb/100 up to which bots count as equal"""
    p: tuple[float, ...]
    """by pair, corrected for the number of pairs (Holm); valid whenever the run stopped"""
    what: tuple[int, ...]
    """by pair: 0 behind, 1 ahead, 2 within"""

    @property
    def decided(self) -> bool:
        """Whether every pair is decided."""
        return all(each <= LEVEL for each in self.p)

    @classmethod
    def of(cls, evidence: Evidence, pairs: int, within: float | None) -> Sequential:
        """Sum up the evidence on the pairs."""
        found = [evidence.found(pair) for pair in range(pairs)]
        values = holm([p for p, _ in found])
        return cls(evidence.name, within, tuple(values), tuple(what for _, what in found))

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Sequential:
        """Read the values of `attrs.asdict`."""
        return cls(value["test"], value["within"], tuple(value["p"]), tuple(value["what"]))


def judge_at_any_time(judged: Judgement, decision: Sequential) -> Judgement:
    """Replace the p values and ranks of a judgement, valid for a fixed number of hands, by those of `decision`."""
    pairs = []
    for pair, p, what in zip(judged.pairs, decision.p, decision.what, strict=True):
        # a bot may have won its bets and fallen behind since: no verdict then
        turned = what != WITHIN and (what == AHEAD) != (pair.better < pair.worse)
        pairs.append(attrs.evolve(pair, p=1.0 if turned else p, equal=what == WITHIN))
    return attrs.evolve(
        judged, pairs=tuple(pairs), ranks=ranks_of(len(judged.ranks), pairs), method=decision.test
    )
