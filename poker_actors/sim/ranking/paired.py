"""Ratings of players who met at tables of two or more, perhaps unequally often: least squares, with covariance.

Ratings are in the unit of the results (bb/100, say). They fit the results best, weighted by hands (Massey 1997), if at
each table a player wins its rating less the average rating of the others there. So a rating is the winnings from the
average of all others. If all have met for equally many hands at tables of two, it is the mean of a player's matches.
Matches are on decks of their own, so their errors are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import sqrt
from typing import Final

import attrs

from poker_actors.sim.judging.estimates import Estimates

_FEWEST: Final = 8
"""The fewest residuals from which a spread is estimated."""
_STEPS: Final = 8
"""Steps to the likeliest spread of strengths; for equals it ends too large, which widens intervals."""
_LEFT: Final = 0.05
"""The least part of a match's variance assumed to be left in its residual."""
_SURE: Final = 1e9
"""Degrees of freedom of a variance without uncertainty."""

Matrix = Sequence[Sequence[float]]


@attrs.frozen
class TableResult:
    """The result of a match at one table: the players by number, mean winnings, and their covariance.

    The means are in bb/100, or in the unit of all results, and add up to 0.
    """

    players: tuple[int, ...]
    hands: int
    """hands: the weight of the result"""
    means: tuple[float, ...]
    covariance: Matrix | None
    freedom: int
    """degrees of freedom of the covariance"""

    @property
    def scale(self) -> float:
        """The winnings at the table for each unit of rating above its average, which includes the player's own."""
        return len(self.players) / (len(self.players) - 1)

    @property
    def variances(self) -> list[float]:
        """The variance of each player's lead over the table's average."""
        size = len(self.players)
        pulls = ([float(other == place) - 1 / size for other in range(size)] for place in range(size))
        return [self.variance(pull) for pull in pulls]

    @property
    def error(self) -> float:
        """The variance of leads over the table's average, per degree of freedom; at tables of two, twice that of a win."""
        return sum(self.variances) / (len(self.players) - 1)

    def variance(self, pull: Sequence[float], extra: float = 0.0) -> float:
        """Return the variance of the results weighted by `pull`, which adds up to 0; `extra` is that of each player's style."""
        assert self.covariance is not None
        total = extra * self.scale * sum([each * each for each in pull])
        for one, row in zip(pull, self.covariance, strict=True):
            total += one * sum([other * value for other, value in zip(pull, row, strict=True)])
        return total


@attrs.frozen
class Residual:
    """How far two players' matches differ from the ratings' prediction, as if `one` gave chips to `other`."""

    one: int
    other: int
    mean: float
    """half the lead of `one` over `other`: at tables of two, its winnings"""
    value: float
    """half the lead beyond the ratings' prediction: below 0 if `one` lost more to `other` than predicted"""
    error: float
    """the standard error of `value`"""


@attrs.define(slots=False)
class Fit:
    """The ratings of `players` players that fit `results` best."""

    players: int
    results: Sequence[TableResult]
    ridge: float = 0.0
    """number of even hands against the average player, added to each player's hands; see `drawn_in`"""

    @property
    def means(self) -> tuple[float, ...]:
        """The ratings, whose sum is 0."""
        return tuple(self._scale * mean for mean in self._about)

    @property
    def _scale(self) -> float:
        # from the average of all, itself included, to that of the others
        return self.players / max(self.players - 1, 1)

    @cached_property
    def _about(self) -> list[float]:
        """The ratings relative to the average of all."""
        pulls = [0.0] * self.players
        for each in self.results:
            middle = sum(each.means) / len(each.means)
            weight = each.hands * each.scale / 2
            for player, mean in zip(each.players, each.means, strict=True):
                pulls[player] += weight * (mean - middle)
        return [sum([a * b for a, b in zip(row, pulls, strict=True)]) for row in self._inverse]

    @cached_property
    def _inverse(self) -> list[list[float]]:
        """The pseudo-inverse of the matrix of meetings; a tiny constant links groups that never met."""
        size = self.players
        rows = [[0.0] * size for _ in range(size)]
        for each in self.results:
            weight = each.hands * each.scale**2 / (2 * len(each.players))
            for one, other in combinations(each.players, 2):
                rows[one][other] -= weight
                rows[other][one] -= weight
                rows[one][one] += weight
                rows[other][other] += weight
        if self.ridge:
            for player, line in enumerate(rows):
                line[player] += self.ridge
            _invert(rows)
            # less what ratings of mean 0 do not feel
            return [[value - 1 / (self.ridge * size) for value in row] for row in rows]
        level = sum(rows[player][player] for player in range(size)) / max(size, 1) or 1.0
        # plus a constant, which ratings of mean 0 do not feel, and a hair, which decides only between groups that never met
        for row, line in enumerate(rows):
            line[:] = [value + level / size for value in line]
            line[row] += 1e-12 * level
        _invert(rows)
        return [[value - 1 / (level * size) for value in row] for row in rows]

    @cached_property
    def _extra(self) -> float:
        """The variance of a result beyond its own error, if the pairings let it be estimated; else 0.

        Where not all have met equally often, ratings also depend on who met whom, as far as play is not
        transitive. So the variance of residuals that the matches' errors do not explain is added to the
        variance of every match.
        """
        return 0.0 if self._is_complete else self._style(_FEWEST)

    def _style(self, fewest: int) -> float:
        """The variance of residuals that errors do not explain; 0 with fewer than `fewest` degrees of freedom."""
        steps = sum(len(each.players) - 1 for each in self.results)
        freedom = steps - self.players + 1
        if freedom < fewest:
            return 0.0
        squares = errors = 0.0
        for each in self.results:
            squares += sum(value**2 for value in self._beyond(each)) / each.scale
            for variance in each.variances:
                errors += variance / each.scale
        return max(0.0, (squares - errors * freedom / steps) / freedom)

    @property
    def _is_complete(self) -> bool:
        hands: dict[tuple[int, int], int] = {}
        for each in self.results:
            for pair in combinations(sorted(each.players), 2):
                hands[pair] = hands.get(pair, 0) + each.hands
        return len(hands) == self.players * (self.players - 1) // 2 and len(set(hands.values())) == 1

    def _beyond(self, result: TableResult) -> list[float]:
        """Return by how much each player of a match won more than the ratings say."""
        about = [self._about[player] for player in result.players]
        middle, won = sum(about) / len(about), sum(result.means) / len(about)
        return [
            mean - won - result.scale * (rating - middle)
            for mean, rating in zip(result.means, about, strict=True)
        ]

    def _pull(self, result: TableResult, row: Sequence[float]) -> list[float]:
        """Return the weights of a match's results in the rating, or difference, whose row of the inverse is `row`."""
        values = [row[player] for player in result.players]
        middle = sum(values) / len(values)
        weight = result.hands * result.scale / 2
        return [weight * (value - middle) for value in values]

    @cached_property
    def is_known(self) -> bool:
        """Whether there are matches and each has a covariance."""
        return bool(self.results) and all(each.covariance is not None for each in self.results)

    def difference(self, one: int, other: int) -> tuple[float, int] | None:
        """Return the variance of the difference of two ratings and its degrees of freedom; None if they are unknown."""
        if not self.is_known:
            return None
        row = [a - b for a, b in zip(self._inverse[one], self._inverse[other], strict=True)]
        total, freedom = self._varied(row, self._extra)
        return self._scale**2 * total, max(1, int(freedom))

    def _varied(self, row: Sequence[float], extra: float = 0.0) -> tuple[float, float]:
        """Return the variance for this row of the inverse, and its degrees of freedom (Satterthwaite 1946)."""
        total = squares = 0.0
        for each in self.results:
            pull = self._pull(each, row)
            if any(pull):
                part = each.variance(pull, extra)
                total += part
                squares += part * part / max(each.freedom, 1)
        return total, total * total / squares if squares else _SURE

    @cached_property
    def freedom(self) -> int:
        """The fewest degrees of freedom of any rating's variance."""
        least = min(self._varied(row)[1] for row in self._inverse)
        known = least if least < _SURE else min(each.freedom for each in self.results)
        return max(1, int(known))

    def estimates(self) -> Estimates:
        """Return the ratings and their covariance."""
        if not self.is_known:
            return Estimates("corrected", "deck", 2, 0, self.means, None)
        return self._estimates(self._noise(self._extra, [1.0] * len(self.results)))

    def _estimates(self, noise: Matrix) -> Estimates:
        half = _product(self._inverse, noise)
        by = self._scale**2
        covariance = tuple(tuple(by * value for value in row) for row in _product(half, self._inverse))
        return Estimates("corrected", "deck", 2, self.freedom + 1, self.means, covariance)

    def drawn_in(self) -> Estimates:
        """Return the ratings and their covariance when earlier results decided who meets whom.

        Lucky players then meet other lucky ones, and this luck never evens out: least squares spread the
        ratings too far, and their errors do not show it. The posterior of a strength, given all results, does
        not depend on how pairs were chosen. So strengths are taken as normal, and a rating is the posterior
        mean (Lindley and Smith 1972): nearer to the average the less was played. The spread of strengths is
        estimated from the results (Dempster, Laird and Rubin 1977). A match's variance is that of all
        residuals, or its own if larger, since styles differ.
        """
        if not self.is_known or self._is_complete or not any(self._about):
            return self.estimates()
        style = self._style(1)
        varied = [each.error + style * each.scale for each in self.results]
        steps = [len(each.players) - 1 for each in self.results]
        parts = zip(self.results, varied, steps, strict=True)
        noise = sum([each.hands * variance * count / 2 for each, variance, count in parts]) / sum(steps)
        # divide as Stein does: with few players, too small a spread would be believed too often
        free = max(self.players - 3, 1)
        near, spread = self, sum([mean * mean for mean in self._about]) / free
        for _ in range(_STEPS):
            near = Fit(self.players, self.results, noise / spread)
            unknown = noise * sum([near._inverse[player][player] for player in range(self.players)])
            spread = (sum([mean * mean for mean in near._about]) + unknown) / free
        wider = [
            max(1.0, near._own(each) / variance) if variance else 1.0
            for each, variance in zip(self.results, varied, strict=True)
        ]
        matrix = near._noise(style, wider)
        for place, row in enumerate(matrix):
            row[place] += noise * near.ridge
        return near._estimates(matrix)

    def _own(self, result: TableResult) -> float:
        """Return the variance that a match's residual suggests, corrected for the match's own pull on the ratings."""
        there, size = result.players, len(result.players)
        trace = sum([self._inverse[one][one] for one in there])
        trace -= sum([self._inverse[one][other] for one in there for other in there]) / size
        pulled = result.hands * result.scale**2 / 2 * trace / (size - 1)
        return sum([value**2 for value in self._beyond(result)]) / (size - 1) / max(1 - pulled, _LEFT)

    def _noise(self, style: float, wider: Sequence[float]) -> list[list[float]]:
        """Return the covariance of all matches' pulls on the players; `wider` scales each match's."""
        found = [[0.0] * self.players for _ in range(self.players)]
        for each, times in zip(self.results, wider, strict=True):
            size, weight = len(each.players), times * (each.hands * each.scale / 2) ** 2
            assert each.covariance is not None
            sides = [sum(row) / size for row in each.covariance]
            middle = sum(sides) / size
            extra = style * each.scale
            for at, one in enumerate(each.players):
                for beside, other in enumerate(each.players):
                    centred = each.covariance[at][beside] - sides[at] - sides[beside] + middle
                    found[one][other] += weight * (centred + extra * (float(at == beside) - 1 / size))
        return found

    def residuals(self) -> list[Residual]:
        """Return the residual of each pair of players who met, in order of the pairs."""
        sums: dict[tuple[int, int], list[float]] = {}
        for each in self.results:
            if each.covariance is None:
                continue
            beyond = self._beyond(each)
            for (at, one), (beside, other) in combinations(enumerate(each.players), 2):
                sign = 1 if one < other else -1
                row = sums.setdefault((min(one, other), max(one, other)), [0.0] * 4)
                pull = [0.5 * ((place == at) - (place == beside)) for place in range(len(beyond))]
                row[0] += each.hands
                row[1] += each.hands * sign * (each.means[at] - each.means[beside]) / 2
                row[2] += each.hands * sign * (beyond[at] - beyond[beside]) / 2
                row[3] += each.hands**2 * each.variance(pull) * (1 - self._leverage(each, one, other))
        return [
            Residual(one, other, mean / hands, value / hands, sqrt(variance) / hands)
            for (one, other), (hands, mean, value, variance) in sorted(sums.items())
        ]

    def _leverage(self, result: TableResult, one: int, other: int) -> float:
        """Return the share by which a match pulled the two ratings towards itself; its residual varies less by it."""
        inverse = self._inverse
        spread = inverse[one][one] + inverse[other][other] - 2 * inverse[one][other]
        return min(result.hands * result.scale**2 / 4 * spread, 1.0)


def paired_estimates(players: int, results: Sequence[TableResult], *, by_results: bool = False) -> Estimates:
    """Return the ratings of `players` players, whose sum is 0, and their covariance; see `Fit`.

    Set `by_results` if earlier results decided who met whom; see `Fit.drawn_in`.
    """
    fit = Fit(players, results)
    return fit.drawn_in() if by_results else fit.estimates()


def residuals_of(players: int, results: Sequence[TableResult]) -> list[Residual]:
    """Return the residual of each pair of players; see `Residual`."""
    return Fit(players, results).residuals()


def _invert(rows: list[list[float]]) -> None:
    """Put the inverse of a positive definite matrix in its place (Gauss-Jordan, which needs no pivots there)."""
    size = len(rows)
    for place in range(size):
        scale = 1 / rows[place][place]
        top = [value * scale for value in rows[place]]
        top[place] = scale
        for row in range(size):
            factor = rows[row][place]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], top, strict=True)]
            rows[row][place] = -factor * scale
        rows[place] = top  # the loop has changed this row, too: put it back


def _product(one: Matrix, other: Matrix) -> list[list[float]]:
    columns = list(zip(*other, strict=True))
    return [[sum([a * b for a, b in zip(row, column, strict=True)]) for column in columns] for row in one]
