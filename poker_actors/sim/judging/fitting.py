"""Results without the luck of the cards: regression on terms of luck, each fold by the others' coefficients.

A term of luck has the mean 0 whatever anybody does, so it may be taken off at any rate that the same hands
had no part in choosing: the mean stays what it was, exactly. That is what folds are for
(cross-fitting; Chernozhukov and others, Double/debiased machine learning, 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from poker_actors.sim.judging.estimates import Estimates
from poker_actors.sim.statistics import VARIABLES, products

__all__ = ["Corrected", "corrected_estimates"]

Weights = tuple[float, ...]


@attrs.frozen
class Corrected:
    """An estimate without luck, and how each result is made of what was counted."""

    estimates: Estimates
    weights: Mapping[int, tuple[Weights, ...]]
    """by fold and bot, one for each variable of all bots: 1 for the worth of its own, less rates of luck"""

    def gains(self, rows: Mapping[int, Sequence[int]]) -> list[float]:
        """Return what each bot won without luck in units of which the sums by fold are known, in thousandths."""
        gains = [0.0] * len(self.estimates.means)
        for fold, row in rows.items():
            for bot, weights in enumerate(self.weights[fold]):
                gains[bot] += _dot(weights, row[1 : 1 + len(weights)])
        return gains


def corrected_estimates(
    folds: Mapping[int, Sequence[int]], bots: int, *, unit: str, unit_hands: int, scale: float
) -> Corrected:
    """Work the estimate out of the sums of each fold; `scale` makes bb/100 of what a unit brings."""
    width = VARIABLES * bots
    total = [sum(column) for column in zip(*folds.values(), strict=True)]
    weights = {
        fold: _fitted([whole - part for whole, part in zip(total, row, strict=True)], bots)
        for fold, row in folds.items()
    }
    units = total[0]
    squares = [[0.0] * bots for _ in range(bots)]
    sums = [0.0] * bots
    for fold, row in folds.items():
        matrix = products(row, width)
        for one, weight in enumerate(weights[fold]):
            sums[one] += _dot(weight, row[1 : 1 + width])
            pulled = [_dot(weight, column) for column in matrix]
            for other, another in enumerate(weights[fold]):
                squares[one][other] += _dot(pulled, another)
    means = [each / units if units else 0.0 for each in sums]
    fitted = VARIABLES - 1
    covariance = None
    if units > fitted + 2:
        by = scale * scale / units / (units - 1 - fitted)
        covariance = tuple(
            tuple(by * (squares[one][other] - units * means[one] * means[other]) for other in range(bots))
            for one in range(bots)
        )
    scaled = tuple(mean * scale for mean in means)
    found = Estimates("corrected", unit, unit_hands, units, scaled, covariance, fitted)
    return Corrected(found, weights)


def _fitted(row: Sequence[int], bots: int) -> tuple[Weights, ...]:
    """Return each bot's weights by least squares; the plain worth where the units are too few to say."""
    units, width = row[0], VARIABLES * bots
    matrix, sums = products(row, width), row[1 : 1 + width]
    # products of deviations, times the number of units
    about = [[float(units * matrix[a][b] - sums[a] * sums[b]) for b in range(width)] for a in range(width)]
    weights = []
    for bot in range(bots):
        found = [0.0] * width
        found[VARIABLES * bot] = 1.0
        if units > VARIABLES + 1:
            terms = range(VARIABLES * bot + 1, VARIABLES * (bot + 1))
            right = [about[VARIABLES * bot][term] for term in terms]
            for term, rate in zip(
                terms, _solved([[about[a][b] for b in terms] for a in terms], right), strict=True
            ):
                found[term] = -rate
        weights.append(found)
    return _balanced(weights, about)


def _balanced(weights: list[list[float]], about: list[list[float]]) -> tuple[Weights, ...]:
    """Spread what is taken off all bots together over them, so that nothing is.

    The luck of all bots adds up to nothing, but what is taken off does not, for each bot has rates of
    its own. That sum is itself a term of luck, so each bot gives back its regression on it: the
    shares of all bots then add up to one.
    """
    bots, width = len(weights), len(about)
    off = [sum(column) - (place % VARIABLES == 0) for place, column in enumerate(zip(*weights, strict=True))]
    pulled = [_dot(off, column) for column in about]
    shares = [_dot(weight, pulled) for weight in weights]
    total = sum(shares)
    size = max((about[VARIABLES * bot][VARIABLES * bot] for bot in range(bots)), default=0.0)
    if total <= 1e-9 * size:
        shares, total = [1.0] * bots, float(bots)
    return tuple(
        tuple(weight[place] - share / total * off[place] for place in range(width))
        for weight, share in zip(weights, shares, strict=True)
    )


def _solved(matrix: list[list[float]], right: list[float]) -> Weights:
    """Solve for the rates by elimination; a term that others make up, or that never varies, gets 0."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    scale = [matrix[place][place] for place in range(size)]
    used = [False] * size
    for place in range(size):
        pivot = rows[place][place]
        if pivot <= 1e-9 * scale[place] or pivot <= 0:
            continue
        used[place] = True
        for line in range(size):
            if line != place:
                by = rows[line][place] / pivot
                rows[line] = [a - by * b for a, b in zip(rows[line], rows[place], strict=True)]
    return tuple(rows[place][size] / rows[place][place] if used[place] else 0.0 for place in range(size))


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
