"""Count compiled hands, many at a time, into the same sums as `Tally`; imports numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.sim.statistics.lines import Lines
from poker_actors.sim.statistics.moments import RAW
from poker_actors.sim.statistics.seating import Seating, units_of_ends
from poker_actors.sim.statistics.sums import Seated, Sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.compiled import PlayedHands

__all__ = ["ColumnTally"]

_MARK_BYTES: Final = 2
_EXACT: Final = 1 << 62
"""Sums below it are made in int64; larger ones in Python's integers, since numpy overflows silently."""


class ColumnTally:
    """Counts hands of a match between `size` bots; see `Tally` for `block`, `unit` and `keep_units`."""

    def __init__(self, size: int, block: int, unit: int, *, keep_units: bool = False) -> None:
        self._size = size
        self._block = block
        self._unit = unit
        self._keep_units = keep_units
        self._lines = Lines()
        self._seatings: dict[Seated, Seating] = {}

    def count(self, played: PlayedHands) -> Sums:
        """Return the sums of hands, whole units."""
        size = self._size
        sums = Sums(size)
        sums.hands = len(played.buttons)
        sums.digest = played.digest
        sums.chips_in, sums.chips_out = int(played.starting.sum()), int(played.stacks.sum())
        payoffs = played.stacks - played.starting
        by_bot = np.empty_like(payoffs)
        sittings = played.buttons * size + played.moved
        for sitting in np.unique(sittings).tolist():
            button, moved = divmod(sitting, size)
            rows = np.flatnonzero(sittings == sitting)
            who = tuple([(seat + moved) % size for seat in range(size)])
            by_bot[np.ix_(rows, who)] = payoffs[rows]
            self._count_sitting(sums, (button, who, tuple(range(size))), played, rows)
        units = by_bot.reshape(-1, self._unit, size).sum(axis=1)
        if self._keep_units:
            sums.unit_rows = units.tolist()
        _count_units(sums, _exactly(units, 4))
        for block, first, last in self._blocks(played.first, sums.hands):
            sums.curve[block] = by_bot[first:last].sum(axis=0).tolist()
            sums.blocks[block] = last - first
            sums.won[block] = _won(units[first // self._unit : last // self._unit])
        return sums

    def _blocks(self, start: int, hands: int) -> Iterator[tuple[int, int, int]]:
        """Yield each block that `hands` hands from `start` belong to, with its part of them, `first` to `last` - 1."""
        first = 0
        while first < hands:
            block = (start + first) // self._block
            last = min((block + 1) * self._block - start, hands)
            yield block, first, last
            first = last

    def _count_sitting(self, sums: Sums, seated: Seated, played: PlayedHands, rows: NDArray[np.intp]) -> None:
        """Count the seats' actions and results in the hands of one seating; `rows` are their numbers."""
        payoffs = _exactly(played.stacks[rows] - played.starting[rows], 2)
        sums.results[seated] = payoffs.sum(axis=0).tolist()
        sums.squares[seated] = (payoffs * payoffs).sum(axis=0).tolist()
        seating = self._seatings.get(seated)
        if seating is None:
            seating = self._seatings[seated] = Seating(seated, self._lines)
        seating.count_lines(_lines(played, rows), _ends(played, rows))
        habits = seating.take_habits()
        if any(habits):
            sums.habits[seated] = habits


def _exactly(numbers: NDArray[np.int64], power: int) -> NDArray[Any]:
    """Return the numbers, as Python's integers if sums of their `power`-th powers might overflow."""
    most = int(np.abs(numbers).max())
    return numbers if most**power * len(numbers) < _EXACT else numbers.astype(object)


def _won(units: NDArray[np.int64]) -> list[int]:
    """Return by bot twice the number of units won, plus the number it broke even in."""
    wins: list[int] = (
        2 * np.count_nonzero(units > 0, axis=0) + np.count_nonzero(units == 0, axis=0)
    ).tolist()
    return wins


def _count_units(sums: Sums, units: NDArray[Any]) -> None:
    """Add the results of units, a row each, as `count_units` does."""
    squares = units * units
    products = (units.T @ units).tolist()
    size = sums.size
    pairs = [products[first][other] for first in range(size) for other in range(first, size)]
    sums.moments[RAW] = [len(units), *units.sum(axis=0).tolist(), *pairs]
    sums.fourths = (squares * squares).sum(axis=0).tolist()
    sums.largest = squares.max(axis=0).tolist()


def _lines(played: PlayedHands, rows: NDArray[np.intp]) -> dict[tuple[bytes, tuple[int, ...]], int]:
    """Return the distinct lines of some hands with their marks, and how often each was played."""
    heads = np.concatenate([played.actions[rows, None], played.marks[rows]], axis=1).astype(np.int16)
    width = heads.shape[1] * _MARK_BYTES
    together = np.concatenate([heads.view(np.uint8), played.lines[rows]], axis=1)
    different, times = np.unique(together.view(f"V{together.shape[1]}").ravel(), return_counts=True)
    found = {}
    for row, count in zip(different.tolist(), times.tolist(), strict=True):
        actions, *marks = np.frombuffer(row[:width], np.int16).tolist()
        found[row[width : width + actions], tuple([mark for mark in marks if mark >= 0])] = count
    return found


def _ends(played: PlayedHands, rows: NDArray[np.intp]) -> list[int]:
    """Count by seat how hands ended, in units."""
    live, can_bet, paid = played.live[rows], played.can_bet[rows], played.paid[rows]
    shown, flop = played.shown[rows], played.marks[rows, 1] >= 0
    all_in = live & ~can_bet
    ends = []
    for seat in range(played.players):
        bit = 1 << seat
        out = (all_in & bit) != 0
        bust = out & (played.stacks[rows, seat] == 0)
        won = ((paid & bit) != 0) & flop
        counts = (((live & bit) != 0) & shown, won & shown, won & ~shown, out & ~bust, bust)
        ends.append(units_of_ends(*[int(np.count_nonzero(each)) for each in counts]))
    return ends
