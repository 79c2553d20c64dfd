"""The sums over many hands: what a block of hands comes to, added up over workers."""

from __future__ import annotations

from operator import add
from typing import Any, Final, TypeVar

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.statistics.counters import by_place

__all__ = ["Seated", "Sums", "order_of"]

Key = TypeVar("Key")

_BY_BOT: Final = ("fourths", "decisions", "nanoseconds")

EXAMPLES: Final = 5
"""Hands named for a figure."""

Seated = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The button, the bot in each seat and the seats dealt in: what habits are counted by."""


def order_of(seated: Seated) -> list[int]:
    """Return the seats dealt in, from the left of the button: places 0, 1 and so on."""
    button, who, dealt = seated
    return sorted(dealt, key=lambda seat: (seat - button - 1) % len(who))


@attrs.define
class Sums:
    """What a block of hands comes to; every field but `faults` and `largest` is a sum of whole numbers.

    Lists are by bot. `habits` are sums of units (see `COUNTERS`) for each way of sitting, a number for each street with
    those of all places in it: what is added every hundred hands is taken apart once, by `habits_by_seat`.
    """

    size: int
    hands: int = 0
    digest: int = 0
    chips_in: int = 0
    chips_out: int = 0
    rake: int = 0
    moments: dict[int, list[int]] = attrs.field(factory=dict)
    """sums over units of results by bot and of their products, in chips, at `RAW`; by fold, with what a
    correction for luck explains them by, in thousandths of a chip; see `add_columns`"""
    fourths: list[int] = attrs.field(init=False)
    """fourth powers of the results of units, in chips"""
    largest: list[int] = attrs.field(init=False)
    """the largest squared result of a unit"""
    corrections: dict[tuple[int, int], list[int]] = attrs.field(factory=dict)
    """by block and fold, the sums that `moments` has of its units"""
    unit_rows: list[list[int]] = attrs.field(factory=list)
    """the results of each unit by bot, in chips and in order, where they were asked for"""
    curve: dict[int, list[int]] = attrs.field(factory=dict)
    """results in chips by block of hands; their sum is the net result"""
    blocks: dict[int, int] = attrs.field(factory=dict)
    """how many hands each of these blocks has"""
    won: dict[int, list[int]] = attrs.field(factory=dict)
    """by block, twice the units each bot won, and once those it broke even in"""
    habits: dict[Seated, list[int]] = attrs.field(factory=dict)
    results: dict[Seated, list[int]] = attrs.field(factory=dict)
    """results in chips by seat, for each way of sitting"""
    squares: dict[Seated, list[int]] = attrs.field(factory=dict)
    """their squares, of each hand"""
    examples: dict[tuple[int, str], list[int]] = attrs.field(factory=dict)
    """by bot and counter or position, the first hands that count there, where they were asked for"""
    faults: list[Faults] = attrs.field(init=False)
    decisions: list[int] = attrs.field(init=False)
    """decisions that were timed, and how long they took together"""
    nanoseconds: list[int] = attrs.field(init=False)
    rows: list[dict[str, Any]] = attrs.field(factory=list)
    """the hands themselves, where they were asked for"""

    def __attrs_post_init__(self) -> None:
        for name in _BY_BOT:
            setattr(self, name, [0] * self.size)
        self.largest = [0] * self.size
        self.faults = [Faults() for _ in range(self.size)]

    @property
    def net(self) -> list[int]:
        """What each bot has won or lost, in chips."""
        return [sum(column) for column in zip(*self.curve.values(), strict=True)] or [0] * self.size

    def habits_by_seat(self) -> dict[Seated, list[int]]:
        """Return the sums of units of whole hands by seat, for each way of sitting."""
        found = {}
        for seated, streets in self.habits.items():
            order = order_of(seated)
            row = found[seated] = [0] * self.size
            for seat, units in zip(order, by_place(streets, len(order)), strict=True):
                row[seat] = units
        return found

    def add(self, other: Sums) -> None:
        """Take in another block of the same match."""
        self.hands += other.hands
        self.digest += other.digest
        self.chips_in += other.chips_in
        self.chips_out += other.chips_out
        self.rake += other.rake
        self.rows += other.rows
        self.unit_rows += other.unit_rows
        for name in _BY_BOT:
            setattr(self, name, list(map(add, getattr(self, name), getattr(other, name))))
        _add_rows(self.curve, other.curve)
        _add_rows(self.won, other.won)
        for point, hands in other.blocks.items():
            self.blocks[point] = self.blocks.get(point, 0) + hands
        _add_rows(self.habits, other.habits)
        _add_rows(self.results, other.results)
        _add_rows(self.squares, other.squares)
        for figure, named in other.examples.items():
            # sorted before it is cut: blocks may be added in any order, and the first hands are to be the same
            self.examples[figure] = sorted(self.examples.get(figure, []) + named)[:EXAMPLES]
        _add_rows(self.moments, other.moments)
        _add_rows(self.corrections, other.corrections)
        self.largest = list(map(max, self.largest, other.largest))
        for mine_faults, their_faults in zip(self.faults, other.faults, strict=True):
            mine_faults.add(their_faults)

    def halve_blocks(self) -> None:
        """Make one block of every two."""
        blocks, corrections = self.blocks, self.corrections
        self.blocks, self.corrections = {}, {}
        self.curve, self.won = _halved(self.curve), _halved(self.won)
        for block, hands in blocks.items():
            self.blocks[block // 2] = self.blocks.get(block // 2, 0) + hands
        for (block, fold), row in corrections.items():
            _add_rows(self.corrections, {(block // 2, fold): row})


def _halved(rows: dict[int, list[int]]) -> dict[int, list[int]]:
    halved: dict[int, list[int]] = {}
    for block, row in rows.items():
        _add_rows(halved, {block // 2: row})
    return halved


def _add_rows(mine: dict[Key, list[int]], theirs: dict[Key, list[int]]) -> None:
    for key, row in theirs.items():
        mine[key] = list(map(add, mine[key], row)) if key in mine else row.copy()
