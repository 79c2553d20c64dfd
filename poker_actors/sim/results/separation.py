"""Which of two players is better, and how many hands it takes to know."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.sim.intervals import FEWEST_STRETCHES, Estimate, by_stretches, hands_needed

if TYPE_CHECKING:
    from poker_actors.sim.results.result import SimulationResult

__all__ = ["Separation", "separations", "undecided_words"]

_SAID: Final = 2
"""Pairs named in a remark; the report and the JSON have all."""


@attrs.frozen
class Separation:
    """The difference of two players of a match in bb/100, with its margin."""

    better: int
    worse: int
    difference: Estimate
    hands_needed: int | None
    """hands after which a difference of this size stands out at 95 %; None when there is none"""

    @property
    def separated(self) -> bool:
        """Whether it stands out already."""
        return self.difference.margin is not None and self.difference.mean > self.difference.margin


def separations(result: SimulationResult) -> list[Separation]:
    """Compare every two players of a result.

    They played the same hands, so their results hang together, and the margin comes from how
    their difference varied over stretches of hands (the points of the curve). None are given when
    there are too few of these.
    """
    if len(result.stretches) < FEWEST_STRETCHES:
        return []
    return [_separation(result, *pair) for pair in combinations(range(len(result.players)), 2)]


def _separation(result: SimulationResult, one: int, other: int) -> Separation:
    players = result.players
    if players[one].net_chips < players[other].net_chips:
        one, other = other, one
    apart = [mine - theirs for mine, theirs in zip(players[one].gains, players[other].gains, strict=True)]
    found = by_stretches(apart, result.stretches)
    return Separation(one, other, found.scaled(100 / result.big_blind), hands_needed(found, result.hands))


def undecided_words(result: SimulationResult) -> str:
    """Say in a line which players are not told apart at 95 %, and what it would take; "" when all are."""
    open_pairs = [pair for pair in separations(result) if not pair.separated]
    open_pairs.sort(key=lambda pair: (pair.hands_needed is None, pair.hands_needed))
    said = [
        f"{result.players[pair.better].bot} and {result.players[pair.worse].bot}"
        + (f" ({pair.hands_needed:,} hands would)" if pair.hands_needed else "")
        for pair in open_pairs[:_SAID]
    ]
    more = len(open_pairs) - len(said)
    if not said:
        return ""
    others = f" and {more} more pair{'s' if more > 1 else ''}" if more else ""
    return f"not told apart at 95 %: {', '.join(said)}{others}"
