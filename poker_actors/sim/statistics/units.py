"""Results of units, a hand, a deck or a session each, added to the sums many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from poker_actors.sim.statistics.moments import RAW, add_columns, empty_row
from poker_actors.sim.statistics.sums import Sums

__all__ = ["count_units"]


def count_units(sums: Sums, block: int, columns: Sequence[Sequence[int]]) -> None:
    """Count the results of units of a block, in chips: a column for each bot."""
    row = sums.moments.get(RAW)
    if row is None:
        row = sums.moments[RAW] = empty_row(len(columns))
    add_columns(row, columns)
    won = sums.won.setdefault(block, [0] * len(columns))
    for bot, column in enumerate(columns):
        lost = sum([chips < 0 for chips in column])
        won[bot] += 2 * len(column) - 2 * lost - column.count(0)
        squares = list(map(mul, column, column))
        sums.fourths[bot] += sum(map(mul, squares, squares))
        sums.largest[bot] = max(sums.largest[bot], *squares)
