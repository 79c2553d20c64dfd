"""Results without the luck of the cards: regression on terms of luck, fold by fold.

A term of luck has mean 0 however the players act, so any multiple of it may be subtracted without bias,
provided that the coefficient was not fitted to the same hands. Each fold is therefore corrected with
coefficients fitted to the others (cross-fitting; Chernozhukov and others, Double/debiased machine
learning, 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from poker_actors.sim.judging.estimates import Estimates
from poker_actors.sim.statistics import VARIABLES, products

Weights = tuple[float, ...]


@attrs.frozen
class Corrected:
    """Estimates without luck, and the weights that make them from the counted variables."""

    estimates: Estimates
    weights: Mapping[int, tuple[Weights, ...]]
    """by fold and bot, a weight for each variable of all bots: about 1 for its own worth, less rates of luck"""

    def gains(self, rows: Mapping[int, Sequence[int]]) -> list[float]:
        """Return each bot's winnings without luck, in thousandths of a chip, from sums of units by fold."""
        gains = [0.0] * len(self.estimates.means)
        for fold, row in rows.items():
            for bot, weights in enumerate(self.weights[fold]):
                gains[bot] += _dot(weights, row[1 : 1 + len(weights)])
        return gains


def corrected_estimates(
    folds: Mapping[int, Sequence[int]], bots: int, *, unit: str, unit_hands: int, scale: float
) -> Corrected:
    """Compute the estimates from the sums of each fold; `scale` converts a unit's result to bb/100."""
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
    """Return each bot's weights by least squares; just its worth if there are too few units."""
    units, width = row[0], VARIABLES * bots
    matrix, sums = products(row, width), row[1 : 1 + width]
    # products of deviations, times the number of units: subtracted as integers, so no digits cancel
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
    """Balance the weights, so that the corrections of all bots add up to 0.

    The luck of all bots adds up to 0, but the corrections do not, since each bot has its own rates. Their
    sum is itself a term of luck, so each bot gives back its regression on it; the shares given back by
    all bots add up to 1.
    """
    bots, width = len(weights), len(about)
    off = [sum(column) - (place % VARIABLES == 0) for place, column in enumerate(zip(*weights, strict=True))]
    pulled = [_dot(off, column) for column in about]
    shares = [_dot(weight, pulled) for weight in weights]
    total = sum(shares)
    size = max((about[VARIABLES * bot][VARIABLES * bot] for bot in range(bots)), default=0.0)
    if total <= 1e-9 * size:  # nothing but rounding: dividing by it would blow it up
        shares, total = [1.0] * bots, float(bots)
    return tuple(
        tuple(weight[place] - share / total * off[place] for place in range(width))
        for weight, share in zip(weights, shares, strict=True)
    )


def _solved(matrix: list[list[float]], right: list[float]) -> Weights:
    """Solve for the rates by elimination; a term that is constant or a combination of others gets 0."""
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
