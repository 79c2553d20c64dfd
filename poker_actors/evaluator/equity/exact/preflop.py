"""Two ranges before the flop: there are 47,008 different matchups of two hands, and each is computed once.

Renaming suits turns a hand into the first of its class (one of 169), and the other hand into one of 1,326. Renamings
that keep the first hand, and swapping both hands, make many of these cells the same matchup.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity.ranges import Range
from poker_actors.evaluator.fast.compiling import compiled


@compiled
def add_up(first, second, first_weights, second_weights, cells, known, wanted):
    """Return the weighted boards won, lost and shared, and the number of pairs that can meet.

    Hands are numbers; `cells` are classes, names, renamed, same and swapped of `_Cells`; `known` has three numbers per
    matchup. Matchups not known yet are marked in `wanted`, and then the sums are invalid.
    """
    classes, names, renamed, same, swapped = cells
    won = lost = tied = 0.0
    number = 0
    for one in range(first.shape[0]):
        row, name = classes[first[one]], names[first[one]]
        for other in range(second.shape[0]):
            cell = renamed[name, second[other]]
            matchup = same[row, cell]
            if matchup < 0:
                continue
            number += 1
            if known[matchup, 0] < 0:
                wanted[matchup] = True
            weight = first_weights[one] * second_weights[other]
            side = 1 if swapped[row, cell] else 0
            won += weight * known[matchup, side]
            lost += weight * known[matchup, 1 - side]
            tied += weight * known[matchup, 2]
    return won, lost, tied, number


Ints = npt.NDArray[np.int32]
Shares = npt.NDArray[np.float64]
Work = Callable[[npt.NDArray[np.uint8]], Ints]
"""Hands of shape (n, 2, 2) -> boards that the first wins, the second wins, and both share: shape (n, 3)."""
BOARDS: Final = 1_712_304
"""Number of boards: 5 of the 48 cards that two hands leave."""
MATCHUPS: Final = 47_008
"""Number of pairs of hands that no renaming of suits makes equal."""
_HANDS: Final = 1326
_AT_ONCE: Final = 512
"""Matchups between two reports of progress."""


@frozen(eq=False)
class _Cells:
    """The matchup that the first hand of each class makes with each other hand.

    ``same[classes[a], renamed[names[a], b]]`` is the number of the matchup of hands `a` and `b`, -1 if they share a
    card; `swapped`, at the same place, tells whether its hands are in reverse order. `matchups` are the hands of each
    matchup. Hands are numbered ``high * (high - 1) / 2 + low`` by their cards.
    """

    classes: npt.NDArray[np.uint8]
    names: npt.NDArray[np.uint8]
    renamed: npt.NDArray[np.uint16]
    same: Ints
    swapped: npt.NDArray[np.bool_]
    matchups: npt.NDArray[np.uint8]


def range_counts(
    ranges: tuple[Range, Range], work: Work, progress: Callable[[int, int], None] | None
) -> tuple[list[list[float]], int]:
    """Return weighted ``counts[player][winners]`` over all boards, and the number of pairs of hands that can meet.

    Raises `BadSpec` if none can.
    """
    cells, known = _cells(), _known()
    hands = [np.array([_number(*combo) for combo in those.combos], dtype=np.uint16) for those in ranges]
    weights = [np.array(those.weights, dtype=np.float64) for those in ranges]
    wanted = np.zeros(MATCHUPS, dtype=np.bool_)
    where = (cells.classes, cells.names, cells.renamed, cells.same, cells.swapped)
    # the first pass marks unknown matchups in `wanted`; its sums are valid only if there are none
    won, lost, tied, number = add_up(*hands, *weights, where, known, wanted)
    if wanted.any():
        _work_out(np.flatnonzero(wanted), cells, known, work, progress)
        won, lost, tied, number = add_up(*hands, *weights, where, known, wanted)
    if not number:
        raise BadSpec("these hands cannot meet: every choice of one from each range has a card twice")
    if progress is not None:
        progress(number, number)
    return [[0.0, won, tied], [0.0, lost, tied]], number


def matchup_table(work: Work) -> tuple[Shares, Shares]:
    """Return the shares of boards that hand `a` wins from `b`, and that they tie: float64 of shape (1326, 1326).

    Hands are numbered ``high * (high - 1) / 2 + low``; hands that cannot meet have 0.
    """
    cells, known = _cells(), _known()
    _work_out(np.flatnonzero(known[:, 0] < 0), cells, known, work, None)
    hands = np.arange(_HANDS)
    where = cells.classes[:, None], cells.renamed[cells.names[:, None], hands[None, :]]
    same, swapped = cells.same[where], cells.swapped[where]
    won = np.where(swapped, known[same, 1], known[same, 0]) / BOARDS
    return np.where(same < 0, 0.0, won), np.where(same < 0, 0.0, known[same, 2] / BOARDS)


def _work_out(
    wanted: npt.NDArray[np.intp],
    cells: _Cells,
    known: Ints,
    work: Work,
    progress: Callable[[int, int], None] | None,
) -> None:
    for first in range(0, len(wanted), _AT_ONCE):
        if progress is not None and first:
            progress(first, len(wanted))
        chunk = wanted[first : first + _AT_ONCE]
        known[chunk] = work(cells.matchups[chunk])


@cache
def _known() -> Ints:
    """Return the boards won, lost and shared of every matchup, -1 until computed; one array for the process."""
    return np.full((MATCHUPS, 3), -1, dtype=np.int32)


def _number(one: int, other: int) -> int:
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low


@cache
def _cells() -> _Cells:
    hands = np.array([(high, low) for high in range(52) for low in range(high)], dtype=np.int64)
    suits = np.array(list(permutations(range(4))), dtype=np.int64)
    moved = (hands >> 2 << 2)[None, :, :] + suits[:, hands & 3]
    high, low = moved.max(axis=2), moved.min(axis=2)
    renamed = high * (high - 1) // 2 + low  # shape (renamings, hands)
    first = renamed.min(axis=0)  # the first hand of each hand's class
    firsts, classes = np.unique(first, return_inverse=True)
    names = renamed.argmin(axis=0)
    keys = np.full((len(firsts), _HANDS), np.iinfo(np.int64).max, dtype=np.int64)
    for row, hand in enumerate(firsts):
        for name in np.flatnonzero(renamed[:, hand] == hand):
            np.minimum(keys[row], hand * _HANDS + renamed[name], out=keys[row])
    # the same matchup with the other hand first, and this one renamed as that one is
    theirs = np.stack([keys[classes, renamed[names, hand]] for hand in firsts])
    swapped = theirs < keys
    keys = np.where(swapped, theirs, keys)
    cards = hands[firsts]
    shared = (cards[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    keys[shared] = -1
    every = np.unique(keys[keys >= 0])
    same = np.where(shared, -1, np.searchsorted(every, keys))
    return _Cells(
        classes.astype(np.uint8),
        names.astype(np.uint8),
        renamed.astype(np.uint16),
        same.astype(np.int32),
        swapped,
        np.stack([hands[every // _HANDS], hands[every % _HANDS]], axis=1).astype(np.uint8),
    )
