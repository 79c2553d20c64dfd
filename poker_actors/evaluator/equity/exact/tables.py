"""The multisets of ranks and the sets of suited ranks that the cards to come can be."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from poker_actors.evaluator.fast.tables import HIGH_SHIFT, LOW_BITS, LOW_RANKS, RANK_KEYS, multisets

__all__ = ["multiset_tables", "subset_tables"]

Words = npt.NDArray[np.uint64]
NO_RANK = 65
"""Where a table of ways has its 1, for multisets of fewer than five different ranks."""


@cache
def multiset_tables() -> tuple[Words, npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Give keys and ranks (as 5 * rank + count, five columns) of all multisets, and where each size begins.

    A multiset has the row it has in the tables for hands of its size, counted from there.
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
def subset_tables() -> tuple[Words, Words, npt.NDArray[np.int64]]:
    """Give masks and keys of all sets of up to five ranks, and where each size begins."""
    sets = [ranks for size in range(6) for ranks in combinations(range(13), size)]
    masks = [sum(1 << rank for rank in ranks) for ranks in sets]
    keys = [sum(int(RANK_KEYS[rank]) for rank in ranks) for ranks in sets]
    sizes = [len(ranks) for ranks in sets]
    first = np.searchsorted(sizes, np.arange(7))
    return np.array(masks, np.uint64), np.array(keys, np.uint64), first.astype(np.int64)
