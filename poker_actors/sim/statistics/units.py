"""Results of units, a hand, a deck or a session each, added to the sums many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from poker_actors.sim.statistics.moments import RAW, add_columns, empty_row
from poker_actors.sim.statistics.sums import Sums

__all__ = ["count_moments", "count_won"]

_ABOVE_NOTHING: Final = (0).__lt__


def count_won(sums: Sums, block: int, units: Sequence[Sequence[int]]) -> None:
    """Add results of a block, in chips, a row for each unit with a number for each bot, to its point of the curve."""
    point = sums.curve[block]
    won = sums.won.setdefault(block, [0] * len(point))
    for bot, column in enumerate(zip(*units, strict=True)):
        point[bot] += sum(column)
        won[bot] += 2 * sum(map(_ABOVE_NOTHING, column)) + column.count(0)


def count_moments(sums: Sums, units: Sequence[Sequence[int]]) -> None:
    """Add how results vary, and vary together, whatever block they are of."""
    columns = list(zip(*units, strict=True))
    row = sums.moments.get(RAW)
    if row is None:
        row = sums.moments[RAW] = empty_row(len(columns))
    add_columns(row, columns)
    for bot, column in enumerate(columns):
        squares = list(map(mul, column, column))
        sums.fourths[bot] += sum(map(mul, squares, squares))
        sums.largest[bot] = max(sums.largest[bot], max(squares))  # noqa: PLW3301  # unpacking them all takes longer
