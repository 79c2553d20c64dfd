"""The table of Omaha: five board ranks by two hole ranks."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from poker_actors.evaluator.fast.tables.hands import (
    HIGH_SHIFT,
    LOW_BITS,
    RANK_KEYS,
    Multisets,
    hand_tables,
    low_places,
    multiset_ranks,
    multisets,
)

__all__ = ["omaha_tables"]

Ints = npt.NDArray[np.int64]


@cache
def omaha_tables() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Return the best of two hole ranks with exactly three of five board ranks, flushes aside.

    The first table has shape (6175, 91): a row per multiset of five board ranks, a column per pair of hole ranks. The
    second maps 13 * rank + rank to the column, 0 to 90.
    """
    column = np.zeros(169, dtype=np.uint8)
    pairs = [(first, second) for first in range(13) for second in range(first + 1)]
    for number, (first, second) in enumerate(pairs):
        column[13 * first + second] = column[13 * second + first] = number
    three = _omaha_threes(pairs)
    ranks = multiset_ranks(5)
    best = np.zeros((len(ranks), len(pairs)), dtype=np.uint16)
    for chosen in combinations(range(5), 3):
        np.maximum(best, three[_rows(multisets(3), ranks[:, chosen])], out=best)
    return best, column


def _omaha_threes(pairs: list[tuple[int, int]]) -> npt.NDArray[np.uint16]:
    """Return the strength of each multiset of three ranks with each pair of ranks."""
    those, tables = multisets(3), hand_tables(5)
    found = np.zeros((len(those.low), len(pairs)), dtype=np.uint16)
    for number, (first, second) in enumerate(pairs):
        keys = those.keys + RANK_KEYS[first] + RANK_KEYS[second]
        if first == second:  # five of a rank cannot be held and have no row: use any row instead
            keys[those.keys == 3 * RANK_KEYS[first]] = 0
        found[:, number] = tables.ranked[tables.start[keys >> HIGH_SHIFT] + tables.place[keys & LOW_BITS]]
    return found


def _rows(those: Multisets, ranks: Ints) -> Ints:
    """Return the table rows of multisets given as ranks of shape (n, cards)."""
    keys = RANK_KEYS[ranks].sum(axis=1)
    rows: Ints = those.start[keys >> HIGH_SHIFT] + low_places()[0][keys & LOW_BITS]
    return rows
