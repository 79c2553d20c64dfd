"""All boards for known hands with numpy alone: the method of `plain`, on many boards at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from poker_actors.cards import Card
from poker_actors.evaluator.equity.exact.tables import NO_RANK, multiset_tables, subset_tables
from poker_actors.evaluator.fast.arrays import omaha_strengths
from poker_actors.evaluator.fast.tables import (
    HIGH_SHIFT,
    LOW_BITS,
    RANK_KEYS,
    flush_table,
    hand_tables,
    multisets,
)

__all__ = ["count_showdowns", "matchup_counts", "omaha_counts"]

Counts = npt.NDArray[np.int64]
_CHUNK = 1 << 14
"""Boards per pass, so that memory does not grow with their number."""


def matchup_counts(
    holes: Sequence[Sequence[Card]], board: Sequence[Card], stub: Sequence[Card], scale: int
) -> Counts:
    """Return ``counts[player, winners]``, int64, over all boards of known hands, counted as in `plain`."""
    missing = 5 - len(board)
    keys, ways, first = multiset_tables()
    rows = slice(int(first[missing]), int(first[missing + 1]))
    coming = [[card.rank for card in stub if card.suit == suit] for suit in range(4)]
    available = np.bincount([card.rank for card in stub], minlength=13)
    boards = _ways(available)[ways[rows]].prod(axis=1)
    strengths = _strengths(keys[rows].astype(np.int64), holes, board, scale)
    counts = np.zeros((len(holes), len(holes) + 1), dtype=np.int64)
    for suit in range(4):
        here = np.bincount(coming[suit], minlength=13) if coming[suit] else np.zeros(13, dtype=np.int64)
        held = np.array([_mask((*board, *hole), suit) for hole in holes])
        fewest = max(0, 3 - _mask(board, suit).bit_count())
        for count in range(fewest, missing + 1):
            flushes, come = _flushes(held, count, here, scale)
            other_rows = slice(int(first[missing - count]), int(first[missing - count + 1]))
            other_ways = _ways(available - here)[ways[other_rows]].prod(axis=1)
            total = come[:, None] + keys[other_rows].astype(np.int64)[None, :]
            row = multisets(missing).start[total >> HIGH_SHIFT] + hand_tables(7).place[total & LOW_BITS]
            times = np.broadcast_to(other_ways, row.shape)
            np.subtract.at(boards, row.ravel(), times.ravel())
            with_flush = np.maximum(strengths[row], flushes[:, None, :])
            count_showdowns(counts, with_flush.reshape(-1, len(holes)), times.ravel())
    count_showdowns(counts, strengths, boards)
    return counts


def count_showdowns(counts: Counts, strengths: npt.NDArray[np.uint16], times: npt.NDArray[np.int64]) -> None:
    """Add showdowns, strengths of shape (n, players), each so many times, to `counts`."""
    best = strengths == strengths.max(axis=1, initial=0)[:, None]
    winners = best.sum(axis=1)
    for player in range(strengths.shape[1]):
        here = best[:, player]
        np.add.at(counts[player], winners[here], times[here])


def _strengths(
    come: Counts, holes: Sequence[Sequence[Card]], board: Sequence[Card], scale: int
) -> npt.NDArray[np.uint16]:
    """Return each hand's strength ignoring flushes for each multiset to come, shape (n, players)."""
    tables = hand_tables(7, scale)
    columns = []
    for hole in holes:
        keys = come + sum(int(RANK_KEYS[card.rank]) for card in (*board, *hole))
        keys[_impossible(keys)] = 0
        columns.append(tables.ranked[tables.start[keys >> HIGH_SHIFT] + tables.place[keys & LOW_BITS]])
    return np.stack(columns, axis=1)


def _impossible(keys: Counts) -> npt.NDArray[np.bool_]:
    """Whether a key has more than four of a rank: its digit carries, and its cards do not add up to seven."""
    cards = np.zeros(len(keys), dtype=np.int64)
    for shift, half in ((7, keys & LOW_BITS), (6, keys >> HIGH_SHIFT)):
        for digit in range(shift + 1):
            cards += half // 5**digit % 5 if digit < shift else 8 * (half // 5**digit)
    return np.asarray(cards != 7)


def _ways(available: Counts) -> Counts:
    """Return the ways to choose 0 to 4 cards of each rank, flat by 5 * rank + count, and a final 1 for no rank."""
    table = np.ones(NO_RANK + 1, dtype=np.int64)
    chosen = np.ones(13, dtype=np.int64)
    for count in range(5):
        table[count:NO_RANK:5] = chosen
        chosen = chosen * (available - count) // (count + 1)
    return table


def _flushes(held: Counts, count: int, here: Counts, scale: int) -> tuple[npt.NDArray[np.uint16], Counts]:
    """Return the flushes of each set of suited ranks that gives any player one, and the keys of these sets."""
    masks, keys, first = subset_tables()
    rows = slice(int(first[count]), int(first[count + 1]))
    coming = int(sum(1 << rank for rank in np.flatnonzero(here).tolist()))
    chosen = masks[rows].astype(np.int64)
    flushes = flush_table(scale)[chosen[:, None] | held[None, :]]
    able = (chosen & ~coming == 0) & flushes.any(axis=1)
    return flushes[able], keys[rows].astype(np.int64)[able]


def _mask(cards: Sequence[Card], suit: int) -> int:
    return sum(1 << card.rank for card in cards if card.suit == suit)


def omaha_counts(holes: Sequence[Sequence[Card]], board: Sequence[Card], stub: Sequence[Card]) -> Counts:
    """Return ``counts[player, winners]``, int64, over all boards of known Omaha hands."""
    counts = np.zeros((len(holes), len(holes) + 1), dtype=np.int64)
    hands = [np.array([hole], dtype=np.uint8) for hole in holes]
    for boards in _boards(board, stub):
        strengths = [
            omaha_strengths(
                np.broadcast_to(hand, (len(boards), hand.shape[1])), boards, hand_tables(5), flush_table()
            )
            for hand in hands
        ]
        count_showdowns(counts, np.stack(strengths, axis=1), np.ones(len(boards), dtype=np.int64))
    return counts


def _boards(board: Sequence[Card], stub: Sequence[Card]) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield all boards, `_CHUNK` at a time."""
    every = combinations(map(int, stub), 5 - len(board))
    while chunk := list(islice(every, _CHUNK)):
        come = np.array(chunk, dtype=np.uint8).reshape(len(chunk), -1)
        lying = np.broadcast_to(np.array(board, dtype=np.uint8), (len(chunk), len(board)))
        yield np.concatenate([lying, come], axis=1)
