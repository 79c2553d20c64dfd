"""Means with 95 % intervals, computed from sums without keeping the results."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import attrs

FEWEST_BLOCKS: Final = 8
"""Blocks of hands, or units, below which their spread tells nothing."""

Z: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
_T_FEW: Final = (12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836)
"""The 97.5 % quantiles of Student's t with 1 to 5 degrees of freedom, where the series below is too rough."""


@attrs.frozen
class Estimate:
    """A mean and its margin: the 95 % interval is `mean - margin` to `mean + margin`.

    `margin` is None for fewer than two results.
    """

    mean: float
    margin: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval; None without a margin."""
        return None if self.margin is None else (self.mean - self.margin, self.mean + self.margin)

    def scaled(self, factor: float) -> Estimate:
        """Return the estimate in another unit, times `factor`."""
        return Estimate(self.mean * factor, None if self.margin is None else self.margin * abs(factor))


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t with `freedom` degrees of freedom, to five digits.

    By the Cornish-Fisher expansion: Abramowitz and Stegun, 26.7.5.
    """
    if freedom <= len(_T_FEW):
        return _T_FEW[freedom - 1]
    z, v = Z, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / v + second / v**2 + third / v**3 + fourth / v**4


def estimate(count: int, total: int, squares: int) -> Estimate:
    """Return the mean of `count` results from their sum and the sum of their squares, all integers.

    The sum of squared deviations is computed in integers: in floats large numbers would cancel.
    """
    mean = total / count if count else 0.0
    if count < 2:
        return Estimate(mean, None)
    # sum of squared deviations, times count
    spread = count * squares - total * total
    error = sqrt(spread / count / (count - 1) / count)
    return Estimate(mean, t_quantile(count - 1) * error)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of at least two results, and its standard error."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((each - mean) ** 2 for each in values) / (len(values) - 1) / len(values))


def by_blocks(gains: Sequence[float], hands: Sequence[int]) -> Estimate:
    """Return the mean per hand of results summed over blocks of hands, which may differ in length.

    The margin is that of a ratio estimate (Cochran, Sampling Techniques, 6.3): it measures how far
    each block's gain is from the mean times its hands.
    """
    total, count = sum(hands), len(hands)
    mean = sum(gains) / total if total else 0.0
    if count < 2:
        return Estimate(mean, None)
    spread = sum((gain - mean * size) ** 2 for gain, size in zip(gains, hands, strict=True))
    error = sqrt(spread * count / (count - 1)) / total
    return Estimate(mean, t_quantile(count - 1) * error)
