"""Sums of results and of their products over units, with or without the luck of the cards.

A row of sums is `[units, a sum per variable, a sum per pair of variables]`, pairs in the order of
`combinations_with_replacement`. All are integers, so rows add up to the same in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import add, mul
from random import Random
from typing import Any, Final, TypeAlias

from poker_actors.bots import Faults, SeedTree
from poker_actors.rules import Hand
from poker_actors.sim.luck import TERMS, Luck, luck_of
from poker_actors.sim.statistics.sums import Sums, packed_streets, unpacked_streets

RAW: Final = -1
"""The key of the moments of the plain results; keys from 0 are folds of results without luck."""


def empty_row(width: int) -> list[int]:
    """Make a row of zeros for `width` variables."""
    return [0] * (1 + width + width * (width + 1) // 2)


Column: TypeAlias = Any
"""Numbers, one for each hand or unit: a sequence of integers, or an array of numpy in which sums of powers fit."""
Columns: TypeAlias = Any
"""A sequence of columns, or an array of numpy with a column per row."""


def total_of(column: Column) -> int:
    """Return the sum of a column."""
    return int(column.sum() if hasattr(column, "dtype") else sum(column))


def product_of(one: Column, other: Column) -> int:
    """Return the sum of the products of two columns."""
    return int(one @ other if hasattr(one, "dtype") else sum(map(mul, one, other)))


def add_columns(row: list[int], columns: Columns) -> Columns:
    """Add units to `row`, given a column per variable with a number per unit; return the columns squared."""
    matrix = columns if hasattr(columns, "dtype") else None
    pairs = None if matrix is None else (matrix @ matrix.T).tolist()
    squares_of = (
        [[each * each for each in column] for column in columns] if matrix is None else matrix * matrix
    )
    row[0] += len(columns[0])
    after = 1 + len(columns)
    for first, column in enumerate(columns):
        row[1 + first] += total_of(column)
        # column by column takes a third of the time of unit by unit
        row[after] += total_of(squares_of[first])
        after += 1
        for other in range(first + 1, len(columns)):
            row[after] += sum(map(mul, column, columns[other])) if pairs is None else pairs[first][other]
            after += 1
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


def count_units(sums: Sums, columns: Columns, points: Iterable[tuple[int, int]]) -> None:
    """Add results in chips, a column per bot with a number per unit, to moments, curve and units won.

    `points` are points of the curve, each with the number of units up to its end.
    """
    row = sums.moments.setdefault(RAW, empty_row(len(columns)))
    for bot, squares in enumerate(add_columns(row, columns)):
        sums.fourths[bot] += product_of(squares, squares)
        sums.largest[bot] = max(
            sums.largest[bot], int(squares.max() if hasattr(squares, "dtype") else max(squares))
        )
    start = 0
    for point, end in points:
        if end > start:
            curve, won = sums.curve[point], sums.won.setdefault(point, [0] * len(columns))
            for bot, column in enumerate(columns):
                gains = column[start:end]
                curve[bot] += total_of(gains)
                won[bot] += _won(gains)
        start = end


def _won(gains: Column) -> int:
    """Return twice the number of units won, plus the number of units that broke even."""
    if hasattr(gains, "dtype"):
        return int((gains > 0).sum() + (gains >= 0).sum())
    return 2 * len([chips for chips in gains if chips > 0]) + len([chips for chips in gains if chips == 0])


_COPIED: Final = (
    *("hands", "digest", "chips_in", "chips_out", "rake"),
    *("fourths", "largest", "decisions", "nanoseconds"),
)
_BY_NUMBER: Final = ("moments", "curve", "won", "blocks")
_BY_SEATING: Final = ("results", "squares")


def plain_sums(sums: Sums) -> dict[str, Any]:
    """Return sums as plain values for JSON, without the rows of hands and units."""
    return {
        "size": sums.size,
        **{name: getattr(sums, name) for name in _COPIED},
        **{name: [[key, row] for key, row in getattr(sums, name).items()] for name in _BY_NUMBER},
        **{name: [[*key, row] for key, row in getattr(sums, name).items()] for name in _BY_SEATING},
        "habits": [[*key, packed_streets(row)] for key, row in sums.habits.items()],
        "examples": [[*key, row] for key, row in sums.examples.items()],
        "corrections": [[*key, row] for key, row in sums.corrections.items()],
        "faults": [each.to_dict() for each in sums.faults],
    }


def read_sums(value: dict[str, Any]) -> Sums:
    """Read the values of `plain_sums`; raise `KeyError`, `TypeError` or `ValueError` for others."""
    sums = Sums(value["size"])
    for name in _COPIED:
        setattr(sums, name, value[name])
    for name in _BY_NUMBER:
        setattr(sums, name, dict(value[name]))
    for name in _BY_SEATING:
        rows = {(button, tuple(who), tuple(dealt)): row for button, who, dealt, row in value[name]}
        setattr(sums, name, rows)
    sums.habits = {
        (button, tuple(who), tuple(dealt)): unpacked_streets(streets, len(dealt))
        for button, who, dealt, streets in value["habits"]
    }
    sums.corrections = {(block, fold): row for block, fold, row in value["corrections"]}
    sums.examples = {(bot, name): hands for bot, name, hands in value["examples"]}
    sums.faults = [Faults.from_dict(each) for each in value["faults"]]
    return sums


LuckIn: TypeAlias = Callable[[Hand, tuple[int, ...], Random], Luck]
"""Returns the luck of a finished hand between bots, given by seat; the generator draws the cards that might have come."""


def plain_luck(hand: Hand, _who: tuple[int, ...], rng: Random) -> Luck:
    """Return the luck measured without knowledge of the bots."""
    return luck_of(hand, rng)


FOLDS: Final = 5
"""Each fifth of the units is corrected with coefficients fitted to the other four, so the mean is unbiased."""
VARIABLES: Final = 1 + len(TERMS)
"""Variables per bot: the worth of its unit, and the terms of luck."""


class Correcting:
    """Computes the luck of each hand, and adds up units by fold."""

    __slots__ = ("_luck", "_rows", "_size", "_tree", "_unit", "_values")

    def __init__(self, tree: SeedTree, size: int, unit: int, luck: LuckIn = plain_luck) -> None:
        self._luck = luck
        self._tree = tree
        self._size = size
        self._unit = unit
        self._values = [0] * (VARIABLES * size)
        self._rows: list[list[list[int]]] = [[] for _ in range(FOLDS)]

    def count(self, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Count a finished hand; the possible cards are drawn from a generator that no bot draws from."""
        luck = self._luck(hand, who, self._tree.rng(number, self._size))
        values = self._values
        for seat, bot in enumerate(who):
            at = VARIABLES * bot
            values[at] += luck.worth[seat]
            values[at + 1 : at + VARIABLES] = map(add, values[at + 1 : at + VARIABLES], luck.terms[seat])
        if (number + 1) % self._unit == 0:
            self._rows[number // self._unit % FOLDS].append(values)
            self._values = [0] * len(values)

    def settle(self, sums: Sums, block: int) -> None:
        """Add the units since the last call, all of block `block`, to `sums`."""
        for fold, rows in enumerate(self._rows):
            if rows:
                add_fold(sums, block, fold, list(zip(*rows, strict=True)))
        self._rows = [[] for _ in range(FOLDS)]


def add_fold(sums: Sums, block: int, fold: int, columns: Columns) -> None:
    """Add units without luck, a column per variable, to the moments of their fold and to the corrections of their block."""
    row = empty_row(len(columns))
    add_columns(row, columns)
    linear = row[: 1 + len(columns)]
    moments, corrections = sums.moments, sums.corrections
    moments[fold] = list(map(add, moments[fold], row)) if fold in moments else row
    at = (block, fold)
    corrections[at] = list(map(add, corrections[at], linear)) if at in corrections else linear
