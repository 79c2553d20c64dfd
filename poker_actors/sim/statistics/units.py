"""Add the results of units (hands, decks or sessions) to the sums, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from poker_actors.sim.statistics.moments import RAW, add_columns, empty_row
from poker_actors.sim.statistics.sums import Sums

__all__ = ["count_units"]


def count_units(sums: Sums, units: Sequence[Sequence[int]], points: Sequence[tuple[int, int]]) -> None:
    """Add results in chips, a row per unit with a number per bot, to moments, curve and units won.

    `points` are points of the curve, each with the number of units up to its end.
    """
    columns = list(zip(*units, strict=True))
    row = sums.moments.get(RAW)
    if row is None:
        row = sums.moments[RAW] = empty_row(len(columns))
    for bot, squares in enumerate(add_columns(row, columns)):
        sums.fourths[bot] += sum(map(mul, squares, squares))
        sums.largest[bot] = max(sums.largest[bot], max(squares))  # noqa: PLW3301  # unpacking is slower
    start = 0
    for point, end in points:
        if end > start:
            curve, won = sums.curve[point], sums.won.setdefault(point, [0] * len(columns))
            for bot, column in enumerate(columns):
                gains = column[start:end]
                curve[bot] += sum(gains)
                won[bot] += 2 * len([chips for chips in gains if chips > 0]) + gains.count(0)
        start = end
