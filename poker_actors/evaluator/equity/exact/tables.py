"""Tables of the multisets of ranks and the sets of suited ranks that can come."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.evaluator.fast.tables import (
    HIGH_SHIFT,
    LOW_BITS,
    LOW_RANKS,
    RANK_KEYS,
    hand_tables,
    multisets,
)

__all__ = ["WAYS", "multiset_tables", "pair_tables", "paired_ways", "subset_tables", "suited_tables"]

Words = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.uint16]
_MOST_OTHERS: Final = 2
"""Most board cards of other suits beside three of a suit."""
NO_RANK = 65
"""The index of 1 in a table of ways: it pads multisets of fewer than five different ranks."""
WAYS = NO_RANK + 1
"""The size of a table of ways."""


@cache
def multiset_tables() -> tuple[Words, npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return keys and ranks (five columns of 5 * rank + count) of all multisets, and where each size begins.

    Within a size, multisets have the same order as in the tables for hands of that size.
    """
    keys = np.concatenate([multisets(size).keys for size in range(6)])
    first = np.cumsum([0] + [len(multisets(size).keys) for size in range(6)])
    ways = np.full((len(keys), 5), NO_RANK, dtype=np.uint8)
    filled = np.zeros(len(keys), dtype=np.int64)
    for rank in range(13):
        shift = rank if rank < LOW_RANKS else rank - LOW_RANKS
        half = keys & LOW_BITS if rank < LOW_RANKS else keys >> HIGH_SHIFT
        counts = half // 5**shift % 5
        rows = np.flatnonzero(counts)
        ways[rows, filled[rows]] = 5 * rank + counts[rows]
        filled[rows] += 1
    return keys.astype(np.uint64), ways, first.astype(np.int64)


@cache
def paired_ways() -> tuple[Rows, Rows]:
    """Return, for each multiset of five, its first two and its next two ranks, each as ``WAYS * one + other``.

    With a table of products of two ways, a multiset then takes three look-ups instead of five.
    """
    _, ways, first = multiset_tables()
    five = ways[first[5] : first[6]].astype(np.uint16)
    return five[:, 0] * np.uint16(WAYS) + five[:, 1], five[:, 2] * np.uint16(WAYS) + five[:, 3]


@cache
def subset_tables() -> tuple[Words, Words, npt.NDArray[np.int64]]:
    """Return masks and keys of all sets of up to five ranks, and where each size begins."""
    sets = [ranks for size in range(6) for ranks in combinations(range(13), size)]
    masks = [sum(1 << rank for rank in ranks) for ranks in sets]
    keys = [sum(int(RANK_KEYS[rank]) for rank in ranks) for ranks in sets]
    sizes = [len(ranks) for ranks in sets]
    first = np.searchsorted(sizes, np.arange(7))
    return np.array(masks, np.uint64), np.array(keys, np.uint64), first.astype(np.int64)


@cache
def suited_tables() -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the row of each set of suited ranks with each multiset of others, and where each part begins.

    Part ``[missing, count]`` is for `count` suited cards of `missing` to come: a line for each set of `count` ranks, in
    the order of `subset_tables`, and a column for each multiset of the rest, in the order of `multiset_tables`.
    Impossible combinations have an arbitrary row, which is harmless: they have 0 ways.
    """
    _, subset_keys, subset_first = subset_tables()
    parts: list[Rows] = []
    begin = np.zeros((6, 6), dtype=np.int64)
    size = 0
    for missing in range(6):
        for count in range(max(0, missing - _MOST_OTHERS), missing + 1):
            suited = subset_keys[subset_first[count] : subset_first[count + 1]].astype(np.int64)
            keys = suited[:, None] + multisets(missing - count).keys[None, :]
            begin[missing, count] = size
            parts.append(_rows(missing, keys).astype(np.uint16).ravel())
            size += len(parts[-1])
    return np.concatenate(parts), begin


def _rows(cards: int, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    rows: npt.NDArray[np.int64] = (
        multisets(cards).start[keys >> HIGH_SHIFT] + hand_tables(7).place[keys & LOW_BITS]
    )
    return rows


@cache
def pair_tables(scale: int) -> tuple[Rows, npt.NDArray[np.uint8]]:
    """Return the strength, flushes aside, of each pair of hole ranks with each multiset of five board ranks.

    The first table has shape (91, 6175), the second maps ``13 * rank + rank`` to its row. Impossible hands of more than
    four of a rank have an arbitrary strength, which is harmless: they have 0 ways.
    """
    boards, seven = multisets(5), hand_tables(7, scale)
    row = np.zeros(169, dtype=np.uint8)
    found = np.zeros((91, len(boards.low)), dtype=np.uint16)
    pairs = [(first, second) for first in range(13) for second in range(first + 1)]
    for number, (first, second) in enumerate(pairs):
        row[13 * first + second] = row[13 * second + first] = number
        keys = boards.keys + RANK_KEYS[first] + RANK_KEYS[second]
        keys[_crowded(boards.keys, first, second)] = multisets(7).keys[0]
        found[number] = seven.ranked[seven.start[keys >> HIGH_SHIFT] + seven.place[keys & LOW_BITS]]
    return found, row


def _crowded(keys: npt.NDArray[np.int64], first: int, second: int) -> npt.NDArray[np.bool_]:
    """Whether two more ranks make more than four of a rank, whose digit would carry."""
    most = 2 if first == second else 3
    return (_count(keys, first) > most) | (_count(keys, second) > most)


def _count(keys: npt.NDArray[np.int64], rank: int) -> npt.NDArray[np.int64]:
    half, place = (keys & LOW_BITS, rank) if rank < LOW_RANKS else (keys >> HIGH_SHIFT, rank - LOW_RANKS)
    count: npt.NDArray[np.int64] = half // 5**place % 5
    return count
