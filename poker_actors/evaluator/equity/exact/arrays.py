"""All boards for known hands with numpy alone: the method of `plain`, on many boards at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.cards import Card
from poker_actors.evaluator.fast.arrays import omaha_strengths
from poker_actors.evaluator.fast.tables import (
    HIGH_SHIFT,
    LOW_BITS,
    LOW_RANKS,
    RANK_KEYS,
    flush_table,
    hand_tables,
    multisets,
)

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
    """Add showdowns, given as strengths of shape (n, players), to `counts`, each as often as `times` says."""
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
