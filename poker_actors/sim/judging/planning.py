"""How many hands it takes to detect a difference, and which difference a run could have detected."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any, Final

import attrs

from poker_actors.sim.judging.estimates import POWER, POWER_Z, Estimates

__all__ = ["DEFAULT_DIFFERENCE", "Plan", "PlannedPair", "plan"]

DEFAULT_DIFFERENCE: Final = 5.0
"""A difference, in bb/100, that matters to most players."""


@attrs.frozen
class PlannedPair:
    """The hands needed to tell two bots apart."""

    one: int
    other: int
    resolution: float
    """the smallest true difference, in bb/100, that this run could detect with 80 % power"""
    hands: int
    """hands that detect the wanted difference with 80 % power"""


@attrs.frozen
class Plan:
    """How many hands detect `difference` bb/100 between each pair of bots with 80 % power.

    Corrected for the number of pairs, like the verdicts of a run.
    """

    difference: float
    pairs: tuple[PlannedPair, ...]

    @property
    def hardest(self) -> PlannedPair:
        """The pair whose difference varies most."""
        return max(self.pairs, key=lambda pair: pair.resolution)

    @property
    def easiest(self) -> PlannedPair:
        """The pair whose difference varies least."""
        return min(self.pairs, key=lambda pair: pair.resolution)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self) | {"power": POWER, "hands": self.hardest.hands}


def plan(estimates: Estimates, critical: float, difference: float = DEFAULT_DIFFERENCE) -> Plan:
    """Plan for a difference, in bb/100, from the variances of a run.

    `critical` is the number of standard errors that is significant; see `Judgement.critical`.
    """
    pairs = []
    for one, other in combinations(range(len(estimates.means)), 2):
        error = sqrt(estimates.variance(one, other) or 0.0)
        resolution = (critical + POWER_Z) * error
        hands = estimates.hands_for(one, other, difference, critical)
        pairs.append(PlannedPair(one, other, resolution, hands or estimates.unit_hands))
    return Plan(difference, tuple(pairs))
