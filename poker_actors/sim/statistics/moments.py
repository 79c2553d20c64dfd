"""Sums of results and of their products over units, from which means and covariances follow.

A row of sums is `[units, a sum per variable, a sum per pair of variables]`, pairs in the order of
`combinations_with_replacement`. All are integers, so rows add up to the same in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

__all__ = ["RAW", "add_columns", "empty_row", "products"]

RAW: Final = -1
"""The key of the moments of the plain results; keys from 0 are folds of results without luck."""


def empty_row(width: int) -> list[int]:
    """Make a row of zeros for `width` variables."""
    return [0] * (1 + width + width * (width + 1) // 2)


def add_columns(row: list[int], columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """Add units to `row`, given a column per variable with a number per unit; return the columns squared."""
    row[0] += len(columns[0])
    place = 1
    for column in columns:
        row[place] += sum(column)
        place += 1
    squares_of = [[each * each for each in column] for column in columns]
    # column by column takes a third of the time of unit by unit
    for first, (column, squares) in enumerate(zip(columns, squares_of, strict=True), 1):
        row[place] += sum(squares)
        place += 1
        for other in columns[first:]:
            row[place] += sum(map(mul, column, other))
            place += 1
    return squares_of


def products(row: Sequence[int], width: int) -> list[list[int]]:
    """Return the sums of products of `row` as a symmetric matrix."""
    found = [[0] * width for _ in range(width)]
    place = 1 + width
    for first in range(width):
        for other in range(first, width):
            found[first][other] = found[other][first] = row[place]
            place += 1
    return found
