"""The sums over many hands: what a stretch of hands comes to, added up over workers."""

from __future__ import annotations

from operator import add
from typing import Any, Final, TypeVar

import attrs

from poker_actors.bots import Faults

__all__ = ["Seated", "Sums"]

Key = TypeVar("Key")

_BY_BOT: Final = (
    "squares",
    "unit_squares",
    "expected",
    "expected_squares",
    "decisions",
    "nanoseconds",
)

Seated = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The button, the bot in each seat and the seats dealt in: what habits are counted by."""


@attrs.define
class Sums:
    """What a stretch of hands comes to; every field but `faults` is a sum of whole numbers.

    Lists are by bot. `habits` are sums of units (see `COUNTERS`) by seat, for each way of sitting.
    """

    size: int
    hands: int = 0
    digest: int = 0
    chips_in: int = 0
    chips_out: int = 0
    rake: int = 0
    squares: list[int] = attrs.field(init=False)
    """squared results in chips, of each hand"""
    curve: dict[int, list[int]] = attrs.field(factory=dict)
    """results in chips by stretch of hands; their sum is the net result"""
    stretches: dict[int, int] = attrs.field(factory=dict)
    """how many hands each of these stretches has"""
    units: int = 0
    unit_squares: list[int] = attrs.field(init=False)
    """squared results in chips of each unit: a duplicate deck, a session"""
    expected: list[int] = attrs.field(init=False)
    """adjusted results in thousandths of a chip, where they were asked for"""
    expected_squares: list[int] = attrs.field(init=False)
    """their squares, of each unit"""
    cards_dealt: dict[int, list[int]] = attrs.field(factory=dict)
    """by bot, what a regression of adjusted results on hole cards needs; see `CardsDealt`"""
    habits: dict[Seated, list[int]] = attrs.field(factory=dict)
    results: dict[Seated, list[int]] = attrs.field(factory=dict)
    """results in chips by seat, for each way of sitting"""
    faults: list[Faults] = attrs.field(init=False)
    decisions: list[int] = attrs.field(init=False)
    """decisions that were timed, and how long they took together"""
    nanoseconds: list[int] = attrs.field(init=False)
    rows: list[dict[str, Any]] = attrs.field(factory=list)
    """the hands themselves, where they were asked for"""

    def __attrs_post_init__(self) -> None:
        for name in _BY_BOT:
            setattr(self, name, [0] * self.size)
        self.faults = [Faults() for _ in range(self.size)]

    @property
    def net(self) -> list[int]:
        """What each bot has won or lost, in chips."""
        return [sum(column) for column in zip(*self.curve.values(), strict=True)] or [0] * self.size

    def add(self, other: Sums) -> None:
        """Take in another stretch of the same match."""
        self.hands += other.hands
        self.digest += other.digest
        self.chips_in += other.chips_in
        self.chips_out += other.chips_out
        self.rake += other.rake
        self.units += other.units
        self.rows += other.rows
        for name in _BY_BOT:
            setattr(self, name, list(map(add, getattr(self, name), getattr(other, name))))
        _add_rows(self.curve, other.curve)
        for point, hands in other.stretches.items():
            self.stretches[point] = self.stretches.get(point, 0) + hands
        _add_rows(self.habits, other.habits)
        _add_rows(self.results, other.results)
        _add_rows(self.cards_dealt, other.cards_dealt)
        for mine_faults, their_faults in zip(self.faults, other.faults, strict=True):
            mine_faults.add(their_faults)


def _add_rows(mine: dict[Key, list[int]], theirs: dict[Key, list[int]]) -> None:
    for key, row in theirs.items():
        mine[key] = list(map(add, mine[key], row)) if key in mine else row.copy()
