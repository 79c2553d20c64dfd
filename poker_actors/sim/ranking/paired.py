"""Ratings of players who met in pairs, not all of them and not equally often: least squares, with their covariance.

The rating of a player is in bb/100 and the differences of ratings fit the results of the matches best, each weighted by
its hands (Massey 1997): what the player wins from the average of all others. Where everybody has met everybody for as
many hands, that is the mean of its matches. Matches are on decks of their own, so their errors are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import attrs

from poker_actors.sim.judging import Estimates

__all__ = ["Paired", "Residual", "paired_estimates", "residuals_of"]

_FEWEST: Final = 8
"""Residuals below which nothing is said of their spread."""

Matrix = list[list[float]]


@attrs.frozen
class Paired:
    """The result of a match of two players, by number: what `one` won from `other` in bb/100, and its variance."""

    one: int
    other: int
    hands: int
    mean: float
    variance: float | None
    freedom: int
    """degrees of freedom of the variance"""


@attrs.frozen
class Residual:
    """By how many bb/100 a match went otherwise than the ratings say, and the standard error of that."""

    one: int
    other: int
    mean: float
    """the result"""
    value: float
    error: float


def paired_estimates(players: int, results: Sequence[Paired]) -> Estimates:
    """Return the ratings, whose sum is 0, and their covariance.

    Where not all have met equally often, ratings also depend on who met whom, as far as play is not transitive: what
    the residuals vary more than their matches' errors explain is added to the variance of every match.
    """
    inverse = _inverse(players, results)
    means = _fitted(inverse, results)
    # from the average of all, itself included, to that of the others
    scale = players / max(players - 1, 1)
    known = all(each.variance is not None for each in results)
    units = freedom = 0
    covariance = None
    if results and known:
        extra = 0.0 if _is_complete(players, results) else _unexplained(results, means)
        noise = _laplacian(
            players, results, [each.hands**2 * ((each.variance or 0.0) + extra) for each in results]
        )
        half = _product(inverse, noise)
        covariance = tuple(tuple(scale * scale * value for value in row) for row in _product(half, inverse))
        freedom = _freedom(inverse, results)
        units = freedom + 1
    return Estimates("corrected", "deck", 2, units, tuple(scale * mean for mean in means), covariance)


def _fitted(inverse: Matrix, results: Sequence[Paired]) -> list[float]:
    """Return the ratings about the average of all."""
    pulls = [0.0] * len(inverse)
    for each in results:
        pulls[each.one] += each.hands * each.mean
        pulls[each.other] -= each.hands * each.mean
    return _times(inverse, pulls)


def residuals_of(players: int, results: Sequence[Paired]) -> list[Residual]:
    """Return the residual of every match with a variance, in order."""
    inverse = _inverse(players, results)
    means = _fitted(inverse, results)
    found = []
    for each in results:
        if each.variance is None:
            continue
        # the match pulled the ratings towards itself: its residual varies less than it does by that
        spread = (
            inverse[each.one][each.one] + inverse[each.other][each.other] - 2 * inverse[each.one][each.other]
        )
        leverage = min(each.hands * spread, 1.0)
        value = each.mean - means[each.one] + means[each.other]
        found.append(Residual(each.one, each.other, each.mean, value, sqrt(each.variance * (1 - leverage))))
    return found


def _is_complete(players: int, results: Sequence[Paired]) -> bool:
    hands: dict[tuple[int, int], int] = {}
    for each in results:
        hands[each.one, each.other] = hands.get((each.one, each.other), 0) + each.hands
    return len(hands) == players * (players - 1) // 2 and len(set(hands.values())) == 1


def _unexplained(results: Sequence[Paired], means: Sequence[float]) -> float:
    """Return the variance of the results about the ratings beyond that of their own errors; 0 for too few of them."""
    freedom = len(results) - len(means) + 1
    if freedom < _FEWEST:
        return 0.0
    squares = sum((each.mean - means[each.one] + means[each.other]) ** 2 for each in results)
    errors = sum(each.variance or 0.0 for each in results)
    return max(0.0, (squares - errors * freedom / len(results)) / freedom)


def _laplacian(players: int, results: Sequence[Paired], weights: Sequence[float]) -> Matrix:
    found = [[0.0] * players for _ in range(players)]
    for each, weight in zip(results, weights, strict=True):
        found[each.one][each.one] += weight
        found[each.other][each.other] += weight
        found[each.one][each.other] -= weight
        found[each.other][each.one] -= weight
    return found


def _inverse(players: int, results: Sequence[Paired]) -> Matrix:
    """Return the pseudo-inverse of the Laplacian of hands; groups that never met are held together by a hair."""
    matrix = _laplacian(players, results, [float(each.hands) for each in results])
    scale = sum(matrix[player][player] for player in range(players)) / players or 1.0
    # plus a constant, which ratings of mean 0 do not feel, and a hair, which decides only between groups that never met
    rows = [
        [
            value + scale / players + (1e-12 * scale if row == column else 0.0)
            for column, value in enumerate(line)
        ]
        + [float(row == column) for column in range(players)]
        for row, line in enumerate(matrix)
    ]
    for place in range(players):
        pivot = rows[place][place]
        top = rows[place] = [value / pivot for value in rows[place]]
        for row in range(players):
            factor = rows[row][place]
            if row != place and factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], top, strict=True)]
    return [[value - 1 / (scale * players) for value in row[players:]] for row in rows]


def _freedom(inverse: Matrix, results: Sequence[Paired]) -> int:
    """Return the fewest degrees of freedom of any rating's variance (Satterthwaite 1946)."""
    least = float("inf")
    for row in inverse:
        total = squares = 0.0
        for each in results:
            part = (each.hands * (row[each.one] - row[each.other])) ** 2 * (each.variance or 0.0)
            total += part
            squares += part * part / max(each.freedom, 1)
        if squares:
            least = min(least, total * total / squares)
    return max(1, int(least)) if least != float("inf") else max(1, min(each.freedom for each in results))


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum([a * b for a, b in zip(row, vector, strict=True)]) for row in matrix]


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum([a * b for a, b in zip(row, column, strict=True)]) for column in columns] for row in one]
