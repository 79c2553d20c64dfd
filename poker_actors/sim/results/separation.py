"""Which of two players is better, and how many hands it takes to know."""

from __future__ import annotations

from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.sim.intervals import Estimate, t_quantile

if TYPE_CHECKING:
    from poker_actors.sim.results.result import SimulationResult

__all__ = ["Separation", "separations"]

_Z: Final = 1.96
_FEWEST_POINTS: Final = 8
"""Stretches of hands below which a spread between them means nothing."""


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
    their difference varied over equal stretches of hands (the points of the curve). None are
    given when there are too few of these.
    """
    points = len(result.players[0].curve) if result.players else 0
    # the last stretch may be shorter than the others: it would pass for a calmer one
    if points - 1 < _FEWEST_POINTS:
        return []
    return [_separation(result, *pair) for pair in combinations(range(len(result.players)), 2)]


def _separation(result: SimulationResult, one: int, other: int) -> Separation:
    players = result.players
    if players[one].net_chips < players[other].net_chips:
        one, other = other, one
    apart = [mine - theirs for mine, theirs in zip(players[one].curve, players[other].curve, strict=True)]
    steps = [after - before for before, after in zip([0, *apart[:-2]], apart[:-1], strict=True)]
    count = len(steps)
    mean = sum(steps) / count
    spread = sum((step - mean) ** 2 for step in steps) / (count - 1)
    per_hand = result.hands / (count + 1)
    scale = 100 / result.big_blind
    difference = apart[-1] / result.hands
    error = (spread / per_hand / result.hands) ** 0.5
    needed = None
    if difference > 0:
        needed = ceil(_Z**2 * spread / per_hand / difference**2)
    return Separation(one, other, Estimate(difference, t_quantile(count - 1) * error).scaled(scale), needed)
