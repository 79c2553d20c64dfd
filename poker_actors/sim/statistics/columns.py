"""Count compiled hands, many at a time; imports numpy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import permutations
from operator import add
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.bots import hand_class
from poker_actors.cards import STANDARD_DECK
from poker_actors.rules.log import BET, CALLED, RAISED
from poker_actors.sim.statistics.lines import Line
from poker_actors.sim.statistics.moments import FOLDS, VARIABLES, add_fold, count_units
from poker_actors.sim.statistics.seating import Seating
from poker_actors.sim.statistics.sums import AT, Sums
from poker_actors.sim.statistics.tally import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.compiled import PlayedHands

_CARDS: Final = 64
_MARK_BYTES: Final = 2
_EXACT: Final = 1 << 62
"""Sums below it are made in int64; larger ones in Python's integers, since numpy overflows silently."""


class ColumnTally(Tally):
    """A tally of compiled hands, as columns: it counts whole seatings instead of single hands."""

    def count_batch(self, played: PlayedHands) -> None:
        """Count the hands of whole units."""
        sums, unit = self.sums, self._unit
        size, hands = sums.size, len(played.buttons)
        sums.digest += played.digest
        sums.chips_in += int(played.starting.sum())
        payoffs = played.stacks - played.starting
        by_bot = np.empty_like(payoffs)
        sittings = played.buttons * size + played.moved
        for sitting in np.unique(sittings).tolist():
            button, moved = divmod(sitting, size)
            rows = np.flatnonzero(sittings == sitting)
            who = tuple([(seat + moved) % size for seat in range(size)])
            by_bot[np.ix_(rows, who)] = payoffs[rows]
            seating = self._seated((button, who, self._everybody))
            seating.add_results(sums, _exactly(payoffs[rows], 2).T)
            self._count_sitting(seating, played, rows)
        units = by_bot.reshape(-1, unit, size).sum(axis=1)
        if self._keep_units:
            sums.unit_rows += units.tolist()
        blocks = [*self._blocks(played.first, hands)]
        count_units(sums, _exactly(units, 4).T, [(block, last // unit) for block, _, last in blocks])
        if played.luck is not None:
            self._count_luck(played, played.luck, blocks)

    def _blocks(self, start: int, hands: int) -> Iterator[tuple[int, int, int]]:
        """Open the point of each block of `hands` hands from `start`; yield it with its hands, `first` to `last` - 1."""
        first = 0
        while first < hands:
            self._open_point(start + first)
            last = min(self._point_end - start, hands)
            self.sums.hands += last - first
            yield self._point_number, first, last
            first = last

    def _count_luck(
        self, played: PlayedHands, luck: NDArray[np.int64], blocks: list[tuple[int, int, int]]
    ) -> None:
        """Add the hands without the luck of the cards, unit by unit, as `Correcting` does."""
        size, unit, hands = self.sums.size, self._unit, np.arange(len(luck))
        by_bot = np.empty_like(luck)
        for seat in range(size):
            by_bot[hands, (seat + played.moved) % size] = luck[:, seat]
        units = _exactly(by_bot.reshape(-1, unit, size * VARIABLES).sum(axis=1), 2)
        folds = (played.first // unit + np.arange(len(units))) % FOLDS
        for block, first, last in blocks:
            of_block = slice(first // unit, last // unit)
            for fold in np.unique(folds[of_block]).tolist():
                add_fold(self.sums, block, fold, units[of_block][folds[of_block] == fold].T)

    def _count_sitting(self, seating: Seating, played: PlayedHands, rows: NDArray[np.intp]) -> None:
        """Count the seats' actions and ends in the hands of one seating; `rows` are the hands' indices."""
        lines, which = _lines(played, rows, seating.table)
        ends = {at: np.flatnonzero(there) for at, there in _ends(played, rows)}
        seating.count_ends({at: len(there) for at, there in ends.items()})
        examples, numbers = self._examples, rows + played.first
        for place, (line, times) in enumerate(lines.items()):
            streets = seating.count_line(line, times)
            if examples is not None:
                examples.note_line(seating, streets, partial(_of_line, numbers, which, place))
        if examples is None:
            return
        examples.note_seats(seating, numbers.tolist())
        for (seat, at), there in ends.items():
            examples.note_end(seating.who[seat], at, numbers[there].tolist())


def _of_line(numbers: NDArray[np.intp], which: NDArray[np.intp], place: int) -> list[int]:
    return [int(number) for number in numbers[which == place]]


@cache
def _classes() -> tuple[list[str], NDArray[np.intp]]:
    """Return the names of two hole cards, and the place of each pair's name, by 64 * first + second."""
    names: dict[str, int] = {}
    of = np.zeros(_CARDS * _CARDS, np.intp)
    for one, other in permutations(STANDARD_DECK, 2):
        of[_CARDS * one + other] = names.setdefault(hand_class(one, other), len(names))
    return list(names), of


def count_starting_hands_of(sums: Sums, played: PlayedHands) -> None:
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
    """Return the numbers, as Python integers if sums of their `power`-th powers might overflow."""
    most = int(np.abs(numbers).max())
    return numbers if most**power * len(numbers) < _EXACT else numbers.astype(object)


def _lines(
    played: PlayedHands, rows: NDArray[np.intp], table: bytes
) -> tuple[dict[Line, int], NDArray[np.intp]]:
    """Return the distinct lines of some hands, how often each was played, and which of them each hand is."""
    heads = np.concatenate([played.actions[rows, None], played.marks[rows]], axis=1).astype(np.int16)
    width = heads.shape[1] * _MARK_BYTES
    together = np.concatenate([heads.view(np.uint8), played.lines[rows]], axis=1)
    whole = together.view(f"V{together.shape[1]}").ravel()
    different, which, times = np.unique(whole, return_inverse=True, return_counts=True)
    found = {}
    for row, count in zip(different.tolist(), times.tolist(), strict=True):
        actions, *marks = np.frombuffer(row[:width], np.int16).tolist()
        line = row[width : width + actions].translate(table)
        found[line, tuple([mark for mark in marks if mark >= 0])] = count
    return found, which.ravel()


def _ends(played: PlayedHands, rows: NDArray[np.intp]) -> Iterator[tuple[tuple[int, int], NDArray[np.bool_]]]:
    """Yield each seat and counter of ends with the hands that count there."""
    live, can_bet, paid = played.live[rows], played.can_bet[rows], played.paid[rows]
    shown, flop = played.shown[rows], played.marks[rows, 1] >= 0
    all_in = live & ~can_bet
    for seat in range(played.players):
        bit = 1 << seat
        out, won = (all_in & bit) != 0, ((paid & bit) != 0) & flop
        yield (seat, AT["showdowns"]), ((live & bit) != 0) & shown
        yield (seat, AT["showdowns_won"]), won & shown
        yield (seat, AT["flops_won"]), won
        yield (seat, AT["all_ins"]), out
        yield (seat, AT["busts"]), out & (played.stacks[rows, seat] == 0)
