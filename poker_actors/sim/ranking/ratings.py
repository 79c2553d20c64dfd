"""Rankings of a round robin: by bankroll, by run-off, by ratings, and by the evolution of a population.

A round robin is a crosstable of the row's winnings from the column, in bb/100. The decks are the same for
every pair, so the bootstrap draws blocks of decks, the same ones for all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from random import Random
from typing import Final

import attrs

Table = Sequence[Sequence[float]]

ELO: Final = 400 / log(10)
"""Elo points per unit of log odds: 400 points are odds of ten to one."""
RESAMPLES: Final = 399
_ENDS: Final = (9, 389)
"""The 10th and the 390th of 399 sorted values are the ends of the 95 % interval."""
_STEPS: Final = 600
"""Steps of an iteration: results are printed to a point, and no longer change by one."""
_POPULATION: Final = 50
"""Bots in the population that a mutant enters; the same as in OpenSpiel's alpha-rank."""


@attrs.frozen
class Crosstable:
    """The row's winnings from the column by block of decks; `blocks` are the numbers of hands."""

    names: tuple[str, ...]
    gains: tuple[tuple[tuple[float, ...], ...], ...]
    """by row and column, big blinds won in each block; the diagonal is all 0"""
    won: tuple[tuple[tuple[float, ...], ...], ...]
    """by row and column, units (decks, or hands) won in each block, half for a tie"""
    blocks: tuple[int, ...]

    def table(self, chosen: Sequence[int] | None = None) -> list[list[float]]:
        """Return the crosstable in bb/100, over all blocks or over those `chosen`."""
        blocks = range(len(self.blocks)) if chosen is None else chosen
        hands = sum(self.blocks[block] for block in blocks)
        return [[100 * sum([cell[block] for block in blocks]) / hands for cell in row] for row in self.gains]

    def wins(self, chosen: Sequence[int] | None = None) -> list[list[float]]:
        """Return the units the row won from the column, half for a tie."""
        blocks = range(len(self.blocks)) if chosen is None else chosen
        return [[sum([cell[block] for block in blocks]) for cell in row] for row in self.won]


@attrs.frozen
class Spread:
    """A figure of every bot, and its 95 % interval by the bootstrap over decks."""

    values: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]


def spread_of(
    cross: Crosstable, figure: Callable[[Sequence[int] | None], Sequence[float]], seed: int
) -> Spread:
    """Compute a figure over all blocks, and over resamples of the blocks, which are the same for all pairs."""
    rng = Random(f"decks {seed}")
    count = len(cross.blocks)
    drawn = [figure(rng.choices(range(count), k=count)) for _ in range(RESAMPLES)]
    low, high = _ENDS
    columns = [sorted(column) for column in zip(*drawn, strict=True)]
    return Spread(tuple(figure(None)), tuple((column[low], column[high]) for column in columns))


def bankroll(table: Table) -> list[float]:
    """Return each bot's mean over its opponents, the total bankroll of the competitions."""
    others = len(table) - 1
    return [sum(row) / others for row in table]


def run_off(table: Table) -> list[int]:
    """Return the bots in the order in which they are eliminated, the winner last.

    The competitions' instant run-off: of the bots left, the one with the worst bankroll among them is eliminated.
    """
    left = list(range(len(table)))
    order = []
    while len(left) > 1:
        worst = min(left, key=lambda bot: (sum(table[bot][other] for other in left), -bot))
        left.remove(worst)
        order.append(worst)
    return order + left


def elo(wins: Table) -> list[float]:
    """Return Bradley-Terry ratings in Elo points, with mean 0, from units won; by Hunter's MM algorithm (2004).

    One tied unit is added to every pair: a bot that never won would have a rating of minus infinity.
    """
    bots = range(len(wins))
    won = [sum(wins[bot][other] + 0.5 for other in bots if other != bot) for bot in bots]
    games = [[wins[one][other] + wins[other][one] + 1 for other in bots] for one in bots]
    strength = [1.0 for _ in bots]
    for _ in range(_STEPS):
        before = strength
        strength = [
            won[bot]
            / sum(games[bot][other] / (before[bot] + before[other]) for other in bots if other != bot)
            for bot in bots
        ]
        mean = exp(sum(map(log, strength)) / len(strength))
        strength = [each / mean for each in strength]
        if max(abs(log(one / other)) for one, other in zip(strength, before, strict=True)) < 1e-9:
            break
    return [ELO * log(each) for each in strength]


def replicator(table: Table) -> list[float]:
    """Return the shares of a population under replicator dynamics, averaged over time.

    x' = x ((Ax) - x'Ax) from equal shares. If play is cyclic the shares go round, but their average settles.
    """
    size = len(table)
    most = max(max(map(abs, row)) for row in table) or 1.0
    shares = [1 / size] * size
    total = [0.0] * size
    for _ in range(_STEPS):
        fitness = [sum(map(float.__mul__, map(float, row), shares)) / most for row in table]
        grown = [share * exp(0.1 * fit) for share, fit in zip(shares, fitness, strict=True)]
        whole = sum(grown)
        shares = [share / whole for share in grown]
        total = [sofar + share for sofar, share in zip(total, shares, strict=True)]
    return [each / _STEPS for each in total]


def alpha_rank(table: Table) -> list[float]:
    """Return the mass of each bot by alpha-rank (Omidshafiei and others, 2019), in one population of m = 50.

    A mutant takes over with probability (1 - e^-aD) / (1 - e^-amD), where D is its winnings from the
    others; a bot's mass is the share of time that the population consists of it. The selection
    pressure a is 10 over the largest win.
    """
    size = len(table)
    most = max(max(map(abs, row)) for row in table) or 1.0
    return _stationary(
        [[_fixation(table[mutant][bot] / most * 10) for mutant in range(size)] for bot in range(size)]
    )


def _fixation(gain: float) -> float:
    """Return the chance that one mutant that wins `gain` (aD) from the others takes over the population."""
    if abs(gain) < 1e-12:
        return 1 / _POPULATION
    if gain < -700 / _POPULATION:
        return 1e-300  # the exponential below would overflow
    return (1 - exp(-gain)) / (1 - exp(-_POPULATION * gain))


def _stationary(rates: Sequence[Sequence[float]]) -> list[float]:
    """Return the stationary distribution of a Markov chain by the algorithm of Grassmann, Taksar and Heyman.

    It subtracts nothing, so rates may differ by hundreds of orders of magnitude.
    """
    size = len(rates)
    left = [list(row) for row in rates]
    out = [0.0] * size
    for last in range(size - 1, 0, -1):
        out[last] = sum(left[last][:last]) or 1e-300
        for row in range(last):
            for column in range(last):
                if row != column:
                    left[row][column] += left[row][last] * left[last][column] / out[last]
    mass = [1.0] + [0.0] * (size - 1)
    for state in range(1, size):
        mass[state] = sum(mass[before] * left[before][state] for before in range(state)) / out[state]
    whole = sum(mass)
    return [each / whole for each in mass]


def least_squares(table: Table, errors: Table) -> list[float]:
    """Return ratings in bb/100, with mean 0, whose differences fit the crosstable by weighted least squares.

    Weights are the inverse squares of `errors`. The residual is the cyclic part of play, which no ratings
    explain (Jiang, Lim, Yao and Ye, 2011).
    """
    size = len(table)
    ratings = [0.0] * size
    weights = [
        [0.0 if one == other else 1 / max(errors[one][other], 1e-9) ** 2 for other in range(size)]
        for one in range(size)
    ]
    for _ in range(_STEPS):
        moved = 0.0
        for bot in range(size):
            whole = sum(weights[bot])
            wanted = (
                sum(w * (table[bot][other] + ratings[other]) for other, w in enumerate(weights[bot]) if w)
                / whole
            )
            moved = max(moved, abs(wanted - ratings[bot]))
            ratings[bot] = wanted
        if moved < 1e-9 * sqrt(size):
            break
    mean = sum(ratings) / size
    return [each - mean for each in ratings]
