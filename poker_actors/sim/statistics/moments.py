"""Sums of results and of their products over units: all that means and covariances are made of.

A row of sums is `[units, a sum per variable, a sum per pair of variables]`, pairs as in
`combinations_with_replacement`. Everything is a whole number, so rows add up to the same in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

__all__ = ["RAW", "add_columns", "empty_row", "products"]

RAW: Final = -1
"""Where the moments of the results themselves are kept; 0 and up are folds of those without luck."""


def empty_row(width: int) -> list[int]:
    """Make the sums of no unit, for `width` variables."""
    return [0] * (1 + width + width * (width + 1) // 2)


def add_columns(row: list[int], columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """Add units to `row`: a column for each variable, with a number for each unit. Returns columns of their squares."""
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
