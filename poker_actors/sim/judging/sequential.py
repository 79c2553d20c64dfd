"""Tests that are valid however often they are looked at: a run can stop as soon as they decide.

Two of them. The betting e-process (Waudby-Smith and Ramdas, Estimating means of bounded random variables
by betting, 2024; Ville 1939): somebody bets on every unit at fair odds for two bots that are equal;
the chance that he ever makes 40 of 1 is a fortieth, whatever the distribution. It needs a bound on a unit's
result, so it is for results as the chips fell. And the normal mixture (Robbins 1970; Waudby-Smith and
others, Time-uniform central limit theory, 2024), which needs none and holds in the limit: from 500 units on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp, log, log1p, sqrt
from typing import Any, Final, Protocol

import attrs

from poker_actors.sim.judging.estimates import MIXTURE, Estimates
from poker_actors.sim.judging.simultaneous import LEVEL, Judgement, holm, ranks_of

__all__ = ["Betting", "Evidence", "Mixture", "Sequential", "judge_at_any_time", "mixture_p"]

STAKES: Final = (0.9, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.025, 0.0125)
"""Shares of what one has that are bet: large ones decide gross differences soon, small ones small ones."""
BEHIND, AHEAD, WITHIN = range(3)
"""What a pair may be found to be: the first behind the second, ahead of it, or as good as equal."""


def mixture_p(ratio: float, units: int) -> float:
    """Return the p of a mean in standard errors that may be looked at after every unit."""
    grown = units * MIXTURE + 1
    return min(1.0, sqrt(grown) * exp(-min(ratio * ratio * (grown - 1) / (2 * grown), 700.0)))


class Evidence(Protocol):
    """What is known of every pair so far."""

    name: str

    def take(self, rows: Sequence[Sequence[int]], estimates: Estimates) -> None:
        """Take in the results of the next units by bot, in chips, and the estimate of all so far."""

    def found(self, pair: int) -> tuple[float, int]:
        """Return the p of a pair for whatever it is most likely found to be, and what that is."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""

    def restore(self, value: dict[str, Any]) -> None:
        """Go on from what `to_dict` gave."""


class Betting:
    """The e-process of every pair, for results as the chips fell; `bound` is the most chips a unit can part two by."""

    name = "betting"

    def __init__(self, bots: int, bound: int, within: float | None) -> None:
        """Begin; `within`, in chips a unit, is what is as good as equal."""
        self.pairs: Final = list(combinations(range(bots), 2))
        nulls = [(1, 0.0), (-1, 0.0)] if within is None else [(1, 0.0), (-1, 0.0), (1, -within), (-1, within)]
        self._games: Final = [(sign, null, bound + abs(null)) for sign, null in nulls]
        # logarithms: what a bad bet leaves after 100,000 units is too small for a float
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
        """Twice, for either side may win; the most ever won counts (Ville)."""
        ahead, behind, *equal = [min(1.0, 2 * exp(-min(most, 700.0))) for most in self._most[pair]]
        apart = (ahead, AHEAD) if ahead <= behind else (behind, BEHIND)
        return min(apart, (max(equal), WITHIN)) if equal else apart

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"wealth": self._wealth, "most": self._most}

    def restore(self, value: dict[str, Any]) -> None:
        """Go on from what `to_dict` gave."""
        self._wealth, self._most = value["wealth"], value["most"]


class Mixture:
    """The normal mixture of every pair, for results without luck and where nothing bounds a unit."""

    name = "mixture"
    LEAST: Final = 500
    """Units before the first look: the limit has to be near."""

    def __init__(self, bots: int, within: float | None) -> None:
        """Begin; `within`, in bb/100, is what is as good as equal."""
        self.pairs: Final = list(combinations(range(bots), 2))
        self._within = within
        self._found: list[tuple[float, int]] = [(1.0, AHEAD)] * len(self.pairs)

    def take(self, rows: Sequence[Sequence[int]], estimates: Estimates) -> None:
        """Look at the estimate."""
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
        """Return what the last look found."""
        return self._found[pair]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"found": [list(each) for each in self._found]}

    def restore(self, value: dict[str, Any]) -> None:
        """Go on from what `to_dict` gave."""
        self._found = [(p, what) for p, what in value["found"]]


@attrs.frozen
class Sequential:
    """What a run that stops when it is decided has found, pair by pair."""

    test: str
    """`betting` or `mixture`"""
    within: float | None
    """bb/100 that are as good as equal"""
    p: tuple[float, ...]
    """by pair, corrected for the number of pairs (Holm), valid whenever the run stopped"""
    what: tuple[int, ...]
    """by pair: 0 behind, 1 ahead, 2 within"""

    @property
    def decided(self) -> bool:
        """Whether every pair is."""
        return all(each <= LEVEL for each in self.p)

    @classmethod
    def of(cls, evidence: Evidence, pairs: int, within: float | None) -> Sequential:
        """Sum the evidence up."""
        found = [evidence.found(pair) for pair in range(pairs)]
        values = holm([p for p, _ in found])
        return cls(evidence.name, within, tuple(values), tuple(what for _, what in found))


def judge_at_any_time(judged: Judgement, decision: Sequential) -> Judgement:
    """Put what holds at any time into a judgement that holds for a number of hands fixed beforehand."""
    pairs = []
    for pair, p, what in zip(judged.pairs, decision.p, decision.what, strict=True):
        # bets may have been won by one who has fallen behind since: that is no verdict on who is better
        turned = what != WITHIN and (what == AHEAD) != (pair.better < pair.worse)
        pairs.append(attrs.evolve(pair, p=1.0 if turned else p, equal=what == WITHIN))
    return attrs.evolve(
        judged, pairs=tuple(pairs), ranks=ranks_of(len(judged.ranks), pairs), method=decision.test
    )
