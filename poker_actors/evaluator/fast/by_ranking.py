"""Arrays of hands by ranking, with numpy or compiled: lows, badugis and Omaha lows; others are dispatched."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.cards import Card
from poker_actors.evaluator import lows
from poker_actors.evaluator.fast import arrays, dispatch
from poker_actors.evaluator.fast.tables import (
    CARD_KEYS,
    CARD_WORDS,
    HIGH_SHIFT,
    LOW_BITS,
    LOW_RANKS,
    hand_tables,
    low_places,
    multiset_ranks,
    multisets,
)
from poker_actors.evaluator.order import SHORT_DECK, STANDARD
from poker_actors.evaluator.ranking import RANKINGS, Ranking

Strengths = npt.NDArray[np.uint32]

BADUGI_MARKS: Final = np.array(
    [1 << (card >> 2) | 1 << 13 + (card & 3) for card in range(52)], dtype=np.uint64
)
"""A bit for the rank and one for the suit of each card: cards of one badugi share none."""
EIGHT_BITS: Final = np.array(
    [(1 << (rank + 1) % 13) & 0xFF for rank in range(13) for _ in range(4)], dtype=np.int64
)
"""The rank's bit of each card up to the eight, the ace in bit 0; 0 for higher cards."""


@cache
def low_rows(ranking: str, cards: int) -> Strengths:
    """Return the low of each multiset of 5 to 7 ranks, suits aside, in the order of `multisets`."""
    those = multisets(cards)
    if cards == 5:
        # suits by turn: equal ranks get different suits, and no hand is a flush
        hands = [
            tuple([Card(4 * rank + at % 4) for at, rank in enumerate(ranks)])
            for ranks in multiset_ranks(5).tolist()
        ]
        return np.array(RANKINGS[ranking].strengths(hands, ()), dtype=np.uint32)
    # the best low of more cards is the best after leaving out one card
    fewer, rows = multisets(cards - 1), low_rows(ranking, cards - 1)
    place = low_places()[0]
    best = np.zeros(len(those.low), dtype=np.uint32)
    for rank in range(13):
        low, high = those.low, those.high
        if rank < LOW_RANKS:
            held, low = low // 5**rank % 5 > 0, low - 5**rank
        else:
            held, high = high // 5 ** (rank - LOW_RANKS) % 5 > 0, high - 5 ** (rank - LOW_RANKS)
        best[held] = np.maximum(best[held], rows[fewer.start[high[held]] + place[low[held]]])
    return best


@cache
def flush_lows() -> Strengths:
    """Return the deuce-to-seven low of five cards of one suit, uint32 by the mask of their ranks."""
    table = np.zeros(1 << 13, dtype=np.uint32)
    for ranks in combinations(range(13), 5):
        hand = tuple([Card(4 * rank) for rank in ranks])
        (table[sum([1 << rank for rank in ranks])],) = lows.deuce_to_seven_strengths([hand], ())
    return table


@cache
def badugi_table(ranking: str) -> Strengths:
    """Return the badugi of each set of one to four ranks of different suits, uint32 by its mask."""
    table = np.zeros(1 << 13, dtype=np.uint32)
    for count in range(1, 5):
        for ranks in combinations(range(13), count):
            hand = tuple([Card(4 * rank + suit) for suit, rank in enumerate(ranks)])
            (table[sum([1 << rank for rank in ranks])],) = RANKINGS[ranking].strengths([hand], ())
    return table


@cache
def omaha_lows() -> Strengths:
    """Return the low of two hole and three board ranks, uint32 by ``hole << 8 | board``, masks up to the eight."""
    held, shared = np.arange(256)[:, None], np.arange(256)[None, :]
    ones = np.array([mask.bit_count() for mask in range(256)])
    table = np.zeros((256, 256), dtype=np.uint32)
    ranked = sorted((int(value), five) for five, value in _eight_lows().items())
    for strength, five in ranked:  # ascending: the best low is written last
        fits = ((held | shared) & five == five) & (ones[held & five] >= 2) & (ones[shared & five] >= 3)
        table[fits] = strength
    return table.ravel()


def _eight_lows() -> dict[int, int]:
    """Return the strength of every five ranks up to the eight, by their mask with the ace in bit 0."""
    found = {}
    for places in combinations(range(8), 5):
        hand = tuple([Card(4 * ((place - 1) % 13) + at % 4) for at, place in enumerate(places)])
        (found[sum([1 << place for place in places])],) = lows.eight_or_better_strengths([hand], ())
    return found


Cards = npt.NDArray[np.uint8]
_FIVE_SUITED: Final = 5
_RANKS: Final = 0x1FFF
_NO_CARD: Final = 255


def no_boards() -> Cards:
    """Return one board without cards, shape (1, 0)."""
    return np.empty((1, 0), dtype=np.uint8)


def fault_of(ranking: Ranking, holes: Cards, boards: Cards) -> int:
    """Return the first row that the ranking refuses, for its number of cards, a repeated or an invalid card, or -1."""
    limits = zip((ranking.hole, ranking.board, ranking.total), (*_widths(holes, boards),), strict=True)
    if any(not least <= width <= most for (least, most), width in limits):
        return 0
    both = _together(holes, boards)
    outside = (both > 51) | (both < 4 * ranking.lowest_rank)
    return arrays.wrong_row(np.where(outside, np.uint8(_NO_CARD), both))


def _widths(holes: Cards, boards: Cards) -> tuple[int, int, int]:
    hole, board = holes.shape[1], boards.shape[1]
    return hole, board, hole + board


def _together(holes: Cards, boards: Cards) -> Cards:
    if not boards.shape[1]:
        return holes
    return np.concatenate([holes, np.broadcast_to(boards, (len(holes), boards.shape[1]))], axis=1)


def strengths_by(ranking: Ranking, holes: Cards, boards: Cards, engine: str) -> Strengths:
    """Return the strengths, uint32 of shape (n,), of unchecked hands."""
    _, board, width = _widths(holes, boards)
    match ranking.name:
        case "high" | "short-deck" if width >= _FIVE_SUITED:
            scale = STANDARD if ranking.name == "high" else SHORT_DECK
            found, _ = dispatch.evaluated(_together(holes, boards), engine, scale, checked=False)
        case "omaha" if board == _FIVE_SUITED:
            found, _ = dispatch.omaha(holes, boards, engine)
        case "ace-to-five" | "eight-or-better":
            return _lows(ranking.name, _together(holes, boards), engine)
        case "deuce-to-seven" if width == _FIVE_SUITED:
            return _lows(ranking.name, _together(holes, boards), engine, flush_lows())
        case "omaha-eight":
            low: Strengths = omaha_lows()[_eights(holes) << 8 | _eights(boards)]
            return low
        case "badugi" | "badugi-ace-high":
            return _badugis(badugi_table(ranking.name), holes, engine)
        case _:
            shared = np.broadcast_to(boards, (len(holes), board)).tolist()
            rows = zip(holes.tolist(), map(tuple, shared), strict=True)
            return np.array([ranking.strengths([hand], common)[0] for hand, common in rows], dtype=np.uint32)
    return found.astype(np.uint32)


def _lows(name: str, hands: Cards, engine: str, flushes: Strengths | None = None) -> Strengths:
    tables, rows = hand_tables(hands.shape[1]), low_rows(name, hands.shape[1])
    if engine == "numba":
        from poker_actors.evaluator.fast.omaha_kernels import low_kernel

        out = np.empty(len(hands), dtype=np.uint32)
        of_suits = np.empty(0, dtype=np.uint32) if flushes is None else flushes
        low_kernel(hands, CARD_WORDS, (tables.place, tables.start, rows), of_suits, out)
        return out
    keys = CARD_KEYS[hands].sum(axis=1)
    found: Strengths = rows[tables.start[keys >> HIGH_SHIFT & (1 << 14) - 1] + tables.place[keys & LOW_BITS]]
    if flushes is not None:
        suited = np.flatnonzero((hands & 3 == hands[:, :1] & 3).all(axis=1))
        found[suited] = flushes[(1 << (hands[suited] >> 2).astype(np.int64)).sum(axis=1)]
    return found


def _eights(cards: Cards) -> npt.NDArray[np.int64]:
    """Return each row's mask of ranks up to the eight, the ace in bit 0."""
    found: npt.NDArray[np.int64] = np.bitwise_or.reduce(EIGHT_BITS[cards], axis=1)
    return found


def _badugis(table: Strengths, hands: Cards, engine: str) -> Strengths:
    best = np.zeros(len(hands), dtype=np.uint32)
    if engine == "numba":
        from poker_actors.evaluator.fast.omaha_kernels import badugi_kernel

        badugi_kernel(hands, BADUGI_MARKS, table, best)
        return best
    marks = BADUGI_MARKS[hands]
    for count in range(1, min(hands.shape[1], 4) + 1):
        for chosen in combinations(range(hands.shape[1]), count):
            some = marks[:, chosen]
            merged = np.bitwise_or.reduce(some, axis=1)
            alone = merged == some.sum(axis=1)
            np.maximum(best, np.where(alone, table[merged & np.uint64(_RANKS)], np.uint32(0)), out=best)
    return best
