"""The estimates behind tables, pairs, comparisons, plans, reports and files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, log, sqrt
from statistics import NormalDist
from typing import Any, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate, t_quantile
from poker_actors.sim.statistics import products

POWER: Final = 0.8
"""The chance that a planned run detects the difference it was planned for."""
POWER_Z: Final = NormalDist().inv_cdf(POWER)

_WORDS: Final = {"raw": "as the chips fell", "corrected": "with the luck of the cards taken out"}

Matrix = tuple[tuple[float, ...], ...]


@attrs.frozen
class Estimates:
    """The mean results of all bots of a run, in bb/100, and their covariance.

    Units are independent of each other: a hand, the hands of a duplicate deck, or a session.
    """

    estimator: str
    """`raw`, or `corrected`: with the luck of the cards taken out"""
    unit: str
    """`hand`, `deck` or `session`"""
    unit_hands: int
    units: int
    means: tuple[float, ...]
    """bb/100, by bot"""
    covariance: Matrix | None
    """of the means, in (bb/100) squared; None for fewer than two units"""
    fitted: int = 0
    """coefficients fitted to each bot's results"""
    at_any_time: bool = False
    """whether intervals hold whenever the run is stopped (by the normal mixture), and not only after a fixed number"""
    kurtosis: tuple[float, ...] = ()
    """excess kurtosis of the results of units, by bot; 0 for a normal distribution"""
    largest: tuple[float, ...] = ()
    """share, 0 to 1, of the largest unit in the sum of squared results, by bot"""

    @property
    def words(self) -> str:
        """The estimator in words."""
        return _WORDS[self.estimator]

    @property
    def hands(self) -> int:
        """The number of hands in all units."""
        return self.units * self.unit_hands

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the covariance."""
        return self.units - 1 - self.fitted

    def of(self, bot: int) -> Estimate:
        """Return the mean of a bot with its 95 % margin, for this bot alone."""
        return self._estimate(self.means[bot], self.variance(bot))

    def difference(self, one: int, other: int) -> Estimate:
        """Return by how much `one` is ahead of `other`, with its 95 % margin, for this pair alone."""
        return self._estimate(self.means[one] - self.means[other], self.variance(one, other))

    def variance(self, one: int, other: int | None = None) -> float | None:
        """Return the variance of a mean, or of the difference of two, in (bb/100) squared; None if unknown."""
        known = self.covariance
        if known is None or self.freedom < 1:
            return None
        if other is None:
            return known[one][one]
        return max(0.0, known[one][one] + known[other][other] - 2 * known[one][other])

    def hands_for(self, one: int, other: int, difference: float, critical: float) -> int | None:
        """Return the hands, in whole units, that detect a true `difference` of two bots with 80 % power.

        n = (c + z)^2 s^2 / d^2 with z = 0.842; c is `critical`, 1.960 for two bots and larger for more
        pairs. None for a difference of 0 or an unknown variance.
        """
        variance = self.variance(one, other)
        if not difference or not variance:
            return None
        wanted = (difference / (critical + POWER_Z)) ** 2
        return max(1, ceil(self.units * variance / wanted)) * self.unit_hands

    def _estimate(self, mean: float, variance: float | None) -> Estimate:
        if variance is None:
            return Estimate(mean, None)
        width = mixture_width(self.units) if self.at_any_time else t_quantile(self.freedom)
        return Estimate(mean, width * sqrt(variance))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self) | {"freedom": self.freedom, "hands": self.hands}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Estimates:
        """Read the values of `to_dict`; raise `KeyError`, `TypeError` or `BadSpec` for others."""
        known = value["covariance"]
        if value["estimator"] not in _WORDS:
            raise BadSpec(f"estimator {value['estimator']!r:.40} must be one of {', '.join(_WORDS)}")
        return cls(
            **{name: value[name] for name in ("estimator", "unit", "unit_hands", "units", "fitted")},
            at_any_time=value.get("at_any_time", False),
            means=tuple(value["means"]),
            covariance=None if known is None else tuple(map(tuple, known)),
            kurtosis=tuple(value["kurtosis"]),
            largest=tuple(value["largest"]),
        )


MIXTURE: Final = 0.04**2
"""The squared effect, in standard deviations of a unit, that the mixture detects soonest: in some 5,000 units."""


def mixture_width(units: float, level: float = 0.05) -> float:
    """Return the half width, in standard errors, of an interval that is valid at all times simultaneously.

    The normal mixture (Robbins 1970); see `Mixture`.
    """
    grown = units * MIXTURE + 1
    return sqrt(grown / (grown - 1) * log(grown / level**2))


def raw_estimates(
    row: Sequence[int],
    bots: int,
    *,
    unit: str,
    unit_hands: int,
    big_blind: int,
    fourths: Sequence[int] = (),
    largest: Sequence[int] = (),
) -> Estimates:
    """Compute the estimates of the chips won from a row of sums over units, see `moments`."""
    units, sums = row[0], row[1 : 1 + bots]
    scale = 100 / big_blind / unit_hands
    means = tuple(scale * total / units if units else 0.0 for total in sums)
    if units < 2:
        return Estimates("raw", unit, unit_hands, units, means, None)
    squares = products(row, bots)
    # n * (sum of products) - (sum) * (sum) cancels digits: in integers none are lost
    weight = scale * scale / units / units / (units - 1)
    covariance = tuple(
        tuple(weight * (units * squares[one][other] - sums[one] * sums[other]) for other in range(bots))
        for one in range(bots)
    )
    return Estimates(
        "raw",
        unit,
        unit_hands,
        units,
        means,
        covariance,
        kurtosis=tuple(_kurtosis(units, squares[bot][bot], each) for bot, each in enumerate(fourths)),
        largest=tuple(each / squares[bot][bot] if each else 0.0 for bot, each in enumerate(largest)),
    )


def _kurtosis(units: int, squares: int, fourths: int) -> float:
    """Return the excess kurtosis about 0 instead of the mean, which is small compared with a unit's spread."""
    return units * fourths / squares**2 - 3 if squares else 0.0


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
