"""Count compiled hands, many at a time, into the same sums as `Tally`; imports numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from operator import add, and_
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.bots import hand_class
from poker_actors.cards import STANDARD_DECK
from poker_actors.rules.log import BET, CALLED, RAISED
from poker_actors.sim.statistics.lines import Lines, steps_by_place
from poker_actors.sim.statistics.moments import FOLDS, RAW, VARIABLES
from poker_actors.sim.statistics.seating import Seating, units_of_ends
from poker_actors.sim.statistics.sums import (
    EXAMPLES,
    PLACE_BYTES,
    STREET_UNITS,
    STREETS,
    Seated,
    Sums,
    all_bits,
    order_of,
)
from poker_actors.sim.statistics.tally import PASSIVE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.compiled import PlayedHands

__all__ = ["ColumnTally"]

Figure = tuple[int, str]
"""A bot, and a counter or position of it."""

_CARDS: Final = 64
_MARK_BYTES: Final = 2
_EXACT: Final = 1 << 62
"""Sums below it are made in int64; larger ones in Python's integers, since numpy overflows silently."""


class ColumnExamples:
    """Collects the hands that `Examples` does, many at a time: it looks only for figures that lack some."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._known: dict[Figure, int] = {}
        self._found: dict[Figure, list[int]] = {}

    def note_lines(
        self, seated: Seated, lines: Sequence[Line], which: NDArray[np.intp], numbers: NDArray[Any]
    ) -> None:
        """Note hands of one seating by what was done in them: `which` of the `lines` each played, and its number."""
        order = order_of(seated)
        wanted = [self._wanted(street, [seated[1][seat] for seat in order]) for street in range(len(STREETS))]
        masks = [sum(units) for units in wanted]
        table = steps_by_place(order)
        counts = [self._counts(line.translate(table), marks, len(order)) for line, marks in lines]
        hits = [place for place, of_line in enumerate(counts) if any(map(and_, of_line, masks))]
        left: dict[Figure, int] = {}
        for hand in np.flatnonzero(np.isin(which, hits)).tolist():
            for street, of_street in enumerate(counts[which[hand]]):
                if not of_street & masks[street]:
                    continue
                for unit, figure in tuple(wanted[street].items()):
                    if of_street & unit:
                        self._found.setdefault(figure, []).append(int(numbers[hand]))
                        left[figure] = left.get(figure, EXAMPLES) - 1
                        if not left[figure]:
                            del wanted[street][unit]
                            masks[street] -= unit

    def _wanted(self, street: int, bots: Sequence[int]) -> dict[int, Figure]:
        """Return the bits of each figure of a street that lacks hands; `bots` are by place."""
        found = {}
        for place, bot in enumerate(bots):
            for name, unit in STREET_UNITS[street].items():
                if name not in PASSIVE and self._known.get((bot, name), 0) < EXAMPLES:
                    found[all_bits(unit) << 8 * PLACE_BYTES[street] * place] = (bot, name)
        return found

    def _counts(self, line: bytes, marks: tuple[int, ...], players: int) -> list[int]:
        """Return the units of each street of a line, all places in one number."""
        lines, start, found = self._lines.of(0, None, players), 0, []
        for end in (*marks[1:], len(line)):
            counts, lines = lines[line[start:end]]
            found.append(counts)
            start = end
        return found

    def note_ends(self, seated: Seated, played: PlayedHands, rows: NDArray[np.intp]) -> None:
        """Note hands of one seating by how they ended and by position."""
        button, who, _ = seated
        live, can_bet, paid = played.live[rows], played.can_bet[rows], played.paid[rows]
        shown, flop = played.shown[rows], played.marks[rows, 1] >= 0
        size = len(who)
        for seat, bot in enumerate(who):
            bit = 1 << seat
            self._note(bot, f"position {size} {(button - seat) % size}", rows + played.first)
            for name, there in (
                ("showdowns", ((live & bit) != 0) & shown),
                ("showdowns_won", ((paid & bit) != 0) & shown),
                ("flops_won", ((paid & bit) != 0) & flop),
                ("all_ins", (live & ~can_bet & bit) != 0),
            ):
                self._note(bot, name, rows[there] + played.first)

    def _note(self, bot: int, name: str, numbers: NDArray[np.intp]) -> None:
        if self._known.get((bot, name), 0) < EXAMPLES:
            for number in numbers[:EXAMPLES].tolist():
                self._found.setdefault((bot, name), []).append(number)

    def settle(self, sums: Sums) -> None:
        """Add the first hands of each figure to `sums`: those noted of different seatings are in no order."""
        for figure, numbers in self._found.items():
            sums.examples[figure] = sorted(numbers)[:EXAMPLES]
            self._known[figure] = self._known.get(figure, 0) + len(numbers)
        self._found = {}


class ColumnTally:
    """Counts hands of a match between `size` bots; see `Tally` for `block`, `unit` and `keep_units`."""

    def __init__(
        self, size: int, block: int, unit: int, *, keep_units: bool = False, examples: bool = False
    ) -> None:
        self._size = size
        self._block = block
        self._unit = unit
        self._keep_units = keep_units
        self._lines = Lines()
        self._seatings: dict[Seated, Seating] = {}
        self._examples = ColumnExamples(self._lines) if examples else None
        self.starting_hands: bool = False
        """whether to count the bots' starting hands"""

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
        if played.luck is not None:
            self._count_luck(sums, played, played.luck)
        if self._examples is not None:
            self._examples.settle(sums)
        if self.starting_hands:
            _count_starting_hands(sums, played)
        return sums

    def _count_luck(self, sums: Sums, played: PlayedHands, luck: NDArray[np.int64]) -> None:
        """Add the hands without the luck of the cards, unit by unit, as `Correcting` does."""
        size, hands = self._size, np.arange(len(luck))
        by_bot = np.empty_like(luck)
        for seat in range(size):
            by_bot[hands, (seat + played.moved) % size] = luck[:, seat]
        units = by_bot.reshape(-1, self._unit, size * VARIABLES).sum(axis=1)
        folds = (played.first // self._unit + np.arange(len(units))) % FOLDS
        for fold in range(FOLDS):
            of_fold = units[folds == fold]
            if len(of_fold):
                sums.moments[fold] = _moments(_exactly(of_fold, 2))
        for block, first, last in self._blocks(played.first, sums.hands):
            of_block = slice(first // self._unit, last // self._unit)
            for fold in np.unique(folds[of_block]).tolist():
                of_both = units[of_block][folds[of_block] == fold]
                sums.corrections[block, fold] = [len(of_both), *of_both.sum(axis=0).tolist()]

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
        lines, which = _lines(played, rows)
        seating.count_lines(lines, _ends(played, rows))
        if self._examples is not None:
            self._examples.note_lines(seated, list(lines), which, rows + played.first)
            self._examples.note_ends(seated, played, rows)
        habits = seating.take_habits()
        if any(habits):
            sums.habits[seated] = habits


@cache
def _classes() -> tuple[list[str], NDArray[np.intp]]:
    """Return the names of two hole cards, and the place of each pair's name, by 64 * first + second."""
    names: dict[str, int] = {}
    of = np.zeros(_CARDS * _CARDS, np.intp)
    for one, other in permutations(STANDARD_DECK, 2):
        of[_CARDS * one + other] = names.setdefault(hand_class(one, other), len(names))
    return list(names), of


def _count_starting_hands(sums: Sums, played: PlayedHands) -> None:
    """Count hole cards as `count_starting_hands` does, many hands at a time."""
    names, classes = _classes()
    flop = played.marks[:, 1]
    opening = np.where(flop >= 0, flop, played.actions)
    steps = np.where(np.arange(played.lines.shape[1]) < opening[:, None], played.lines, 0)
    payoffs = played.stacks - played.starting
    for seat in range(played.players):
        bots = (seat + played.moved) % played.players
        hole = played.holes[:, seat].astype(np.intp)
        cells = bots * len(names) + classes[hole[:, 0] * _CARDS + hole[:, 1]]
        raised = ((steps == (BET | seat)) | (steps == (RAISED | seat))).any(axis=1)
        entered = raised | (steps == (CALLED | seat)).any(axis=1)
        counts = np.zeros((played.players * len(names), 4), np.int64)
        np.add.at(counts, cells, np.stack([np.ones_like(cells), entered, raised, payoffs[:, seat]], axis=1))
        for cell in np.unique(cells).tolist():
            figure = (cell // len(names), names[cell % len(names)])
            row = sums.starting_hands.get(figure, (0, 0, 0, 0))
            sums.starting_hands[figure] = list(map(add, row, counts[cell].tolist()))


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
    sums.moments[RAW] = _moments(units)
    sums.fourths = (squares * squares).sum(axis=0).tolist()
    sums.largest = squares.max(axis=0).tolist()


def _moments(units: NDArray[Any]) -> list[int]:
    """Return the sums of the variables of units, a row each, and of their products in pairs; see `moments`."""
    products = (units.T @ units).tolist()
    size = len(products)
    pairs = [products[first][other] for first in range(size) for other in range(first, size)]
    return [len(units), *units.sum(axis=0).tolist(), *pairs]


Line = tuple[bytes, tuple[int, ...]]
"""The steps of a hand by seat, and the number of them before each street."""


def _lines(played: PlayedHands, rows: NDArray[np.intp]) -> tuple[dict[Line, int], NDArray[np.intp]]:
    """Return the distinct lines of some hands, how often each was played, and which of them each hand is."""
    heads = np.concatenate([played.actions[rows, None], played.marks[rows]], axis=1).astype(np.int16)
    width = heads.shape[1] * _MARK_BYTES
    together = np.concatenate([heads.view(np.uint8), played.lines[rows]], axis=1)
    whole = together.view(f"V{together.shape[1]}").ravel()
    different, which, times = np.unique(whole, return_inverse=True, return_counts=True)
    found = {}
    for row, count in zip(different.tolist(), times.tolist(), strict=True):
        actions, *marks = np.frombuffer(row[:width], np.int16).tolist()
        found[row[width : width + actions], tuple([mark for mark in marks if mark >= 0])] = count
    return found, which.ravel()


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
