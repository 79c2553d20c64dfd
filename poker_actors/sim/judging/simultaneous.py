"""Simultaneous statements about every pair of bots and every rank: 95 % for all of them together.

Step-down max-T (Westfall and Young 1993; Romano and Wolf 2005) with the covariance of the means, or Holm's
procedure for few units; confidence sets for ranks follow from the pairs as in Mogstad, Romano, Shaikh and
Wilhelm (2024).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import combinations, islice
from math import exp, log, sqrt
from random import Random
from statistics import NormalDist
from typing import Final

import attrs

from poker_actors.sim.intervals import FEWEST_BLOCKS, Estimate
from poker_actors.sim.judging.estimates import Estimates, Matrix

LEVEL: Final = 0.05
"""The chance that any statement about a run is wrong."""
FEW_UNITS: Final = 100
"""Units below which the tails of the drawn distribution are unreliable, and Holm, which assumes less, is used."""
_DRAWS: Final = 9_999
"""Draws for max-T: their 95 % quantile is off by some 2 %; of 9,999 it is the 500th from the top."""
_MANY_PAIRS: Final = 100
"""Pairs from which arrays are faster, the import of numpy included."""
_AT_ONCE: Final = 500
"""Draws that are made arrays at once: with 1,770 pairs some 7 megabytes."""
_NORMAL: Final = NormalDist()


@attrs.frozen
class Separation:
    """Two bots of a run: which is ahead, by how many bb/100, and whether that is significant.

    The margin is that of this pair alone; `p` is corrected for all pairs of the run.
    """

    better: int
    worse: int
    difference: Estimate
    p: float
    hands_needed: int | None
    """hands, fixed beforehand, that detect a true difference of this size in four runs of five; None for none"""

    equal: bool = False
    """whether `p` is for the two being about equal, not for their being apart"""

    @property
    def separated(self) -> bool:
        """Whether the two are told apart, at 95 % for all pairs together."""
        return self.p <= LEVEL and self.difference.mean != 0 and not self.equal

    @property
    def decided(self) -> bool:
        """Whether the two are told apart or known to be about equal."""
        return self.separated or (self.equal and self.p <= LEVEL)


@attrs.frozen
class Judgement:
    """Statements about every pair and every rank of a run, all of them right in 95 runs of 100."""

    pairs: tuple[Separation, ...]
    ranks: tuple[tuple[int, int], ...]
    """by bot: the best and the worst place it may have, the first being 1"""
    method: str
    """`max-T` or `Holm`, or the test of a run that stopped when it was decided: `betting` or `mixture`"""
    critical: float
    """the number of standard errors that makes the largest difference significant"""

    @cached_property
    def ahead(self) -> dict[tuple[int, int], Separation]:
        """The pairs by (better, worse)."""
        return {(pair.better, pair.worse): pair for pair in self.pairs}


def judge(estimates: Estimates, seed: int) -> Judgement | None:
    """Judge every pair of a run; return None for fewer than eight units. The draws follow from `seed`."""
    bots = range(len(estimates.means))
    pairs = list(combinations(bots, 2))
    variances = [estimates.variance(*pair) for pair in pairs]
    if estimates.covariance is None or None in variances or estimates.units < FEWEST_BLOCKS:
        return None
    ratios = [
        _ratio(estimates.means[one] - estimates.means[other], variance or 0.0)
        for (one, other), variance in zip(pairs, variances, strict=True)
    ]
    if len(pairs) == 1 or estimates.units < FEW_UNITS:
        found = holm([p_value(ratio, estimates.freedom) for ratio in ratios])
        critical = critical_value(LEVEL / len(pairs), estimates.freedom)
        method = "Holm"
    else:
        found, critical = _max_t(
            ratios, estimates.covariance, pairs, estimates.freedom, Random(f"max-T {seed}")
        )
        method = "max-T"
    separations = tuple(
        _separation(estimates, pair, p, critical) for pair, p in zip(pairs, found, strict=True)
    )
    return Judgement(separations, ranks_of(len(estimates.means), separations), method, critical)


def p_value(ratio: float, freedom: int) -> float:
    """Return the two-sided p of a mean, in standard errors, by Student's t.

    By Wallace's transformation to the normal (1959): right to three digits from three degrees of freedom on.
    """
    if ratio == 0:
        return 1.0
    normal = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log(1 + ratio * ratio / freedom))
    return 2 * _NORMAL.cdf(-normal)


def critical_value(level: float, freedom: int) -> float:
    """Return the standard errors for which `p_value` is `level`: its inverse."""
    normal = -_NORMAL.inv_cdf(level / 2) * (8 * freedom + 3) / (8 * freedom + 1)
    # capped: for a single degree of freedom and a tiny level the exponential would overflow
    return sqrt(freedom * (exp(min(normal * normal / freedom, 600.0)) - 1))


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number by Holm's procedure, valid for any dependence among them.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    highest = 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - place) * values[index]))
        found[index] = highest
    return found


def _ratio(mean: float, variance: float) -> float:
    """Return a mean in standard errors; without variance it is 0, or infinite for a difference beyond doubt."""
    if variance <= 1e-18 * mean * mean:
        return float("inf") if mean else 0.0
    return abs(mean) / sqrt(variance)


def _max_t(
    ratios: Sequence[float], covariance: Matrix, pairs: Sequence[tuple[int, int]], freedom: int, rng: Random
) -> tuple[list[float], float]:
    """Return corrected p values and the critical ratio, by max-T.

    Ratios are tested from the largest down, each against the draws' largest ratio among the pairs still left.
    """
    order = sorted(range(len(ratios)), key=lambda pair: ratios[pair])
    scales = []
    for one, other in (pairs[index] for index in order):
        variance = covariance[one][one] + covariance[other][other] - 2 * covariance[one][other]
        scales.append(1 / sqrt(variance) if variance > 0 else 0.0)
    ascending = [pairs[index] for index in order]
    limits = [ratios[index] for index in order]
    counts, largest = _exceedances(
        cholesky(covariance), ascending, scales, limits, _noise(len(covariance), freedom, rng)
    )
    critical = sorted(largest)[-round(LEVEL * (_DRAWS + 1))]
    found = [1.0] * len(ratios)
    highest = 0.0
    for index, count in zip(reversed(order), reversed(counts), strict=True):
        highest = max(highest, (count + 1) / (_DRAWS + 1))
        found[index] = highest
    return found, critical


def _noise(bots: int, freedom: int, rng: Random) -> Iterator[tuple[list[float], float]]:
    """Yield, for each draw, a normal deviate per bot, and the factor by which Student's t is wider."""
    gauss = rng.gauss
    for _ in range(_DRAWS):
        noise = [gauss(0.0, 1.0) for _ in range(bots)]
        # the variance is estimated, too: Student's t instead of the normal
        yield noise, sqrt(freedom / rng.gammavariate(freedom / 2, 2.0))


def _exceedances(
    root: Sequence[Sequence[float]],
    pairs: Sequence[tuple[int, int]],
    scales: Sequence[float],
    limits: Sequence[float],
    noise: Iterator[tuple[list[float], float]],
) -> tuple[list[int], list[float]]:
    """Return how often each pair's limit is reached by the largest of its and earlier differences; also the maxima.

    A draw is what all differences, in standard errors, would be if all bots were equal.
    """
    if len(pairs) >= _MANY_PAIRS and find_spec("numpy"):
        return _exceedances_by_arrays(root, pairs, scales, limits, noise)
    counts = [0] * len(pairs)
    largest = []
    rows = list(zip(pairs, scales, limits, range(len(pairs)), strict=True))
    for drawn, wide in noise:
        means = [sum(map(float.__mul__, row, drawn)) * wide for row in root]
        most = 0.0
        for (one, other), scale, limit, place in rows:
            apart = abs(means[one] - means[other]) * scale
            most = max(most, apart)
            if most >= limit:
                counts[place] += 1
        largest.append(most)
    return counts, largest


def _exceedances_by_arrays(
    root: Sequence[Sequence[float]],
    pairs: Sequence[tuple[int, int]],
    scales: Sequence[float],
    limits: Sequence[float],
    noise: Iterator[tuple[list[float], float]],
) -> tuple[list[int], list[float]]:
    """Return those counts from the same draws, about forty times as fast for many pairs (extra `fast`)."""
    import numpy as np

    one, other = (np.array(column) for column in zip(*pairs, strict=True))
    matrix, by, bounds = np.array(root), np.array(scales), np.array(limits)
    counts = np.zeros(len(pairs), dtype=np.int64)
    largest: list[float] = []
    while some := list(islice(noise, _AT_ONCE)):
        drawn = np.array([row for row, _ in some]) * np.array([[wide] for _, wide in some])
        means = drawn @ matrix.T
        most = np.maximum.accumulate(np.abs(means[:, one] - means[:, other]) * by, axis=1)
        counts += (most >= bounds).sum(axis=0)
        largest += most[:, -1].tolist()
    return counts.tolist(), largest


def cholesky(matrix: Matrix) -> list[list[float]]:
    """Return the lower Cholesky root of a covariance; a bot determined by others gets a diagonal of 0.

    Without rake results add up to 0 and the matrix is singular, so a pivot of nearly 0 is a rounding
    error and taken as 0.
    """
    size = len(matrix)
    root: list[list[float]] = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            left = matrix[row][column] - sum(
                root[row][place] * root[column][place] for place in range(column)
            )
            if row == column:
                root[row][row] = sqrt(left) if left > 1e-12 * matrix[row][row] else 0.0
            elif root[column][column]:
                root[row][column] = left / root[column][column]
    return root


def _separation(estimates: Estimates, pair: tuple[int, int], p: float, critical: float) -> Separation:
    one, other = pair
    if estimates.means[one] < estimates.means[other]:
        one, other = other, one
    difference = estimates.difference(one, other)
    needed = estimates.hands_for(one, other, difference.mean, critical)
    return Separation(one, other, difference, p, needed)


def ranks_of(bots: int, pairs: Sequence[Separation]) -> tuple[tuple[int, int], ...]:
    """Return the best and worst place of each bot, counting the bots told apart above and below it."""
    above, below = [0] * bots, [0] * bots
    for pair in pairs:
        if pair.separated:
            above[pair.worse] += 1
            below[pair.better] += 1
    return tuple((1 + above[bot], bots - below[bot]) for bot in range(bots))
