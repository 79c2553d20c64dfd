"""Arrays of hands with numpy alone: the same tables and results as the compiled code."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.evaluator.fast.tables import (
    CARD_KEYS,
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    JOKER_SHIFT,
    JOKER_STRIDE,
    LOW_BITS,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
    HandTables,
    omaha_tables,
)

Cards = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.uint16]
_NO_CARD: Final = 1 << 54
# what is not a card is bit 54: nine times that stays below bit 58, and sums positive
_CARD_BITS: Final = np.array([1 << min(card, 54) for card in range(256)], dtype=np.int64)
_CHUNK: Final = 1 << 15
"""Hands per pass: the temporary arrays then stay in the processor's cache."""


def strengths(hands: Cards, tables: HandTables, flushes: Strengths) -> Strengths:
    """Return the strengths, uint16 of shape (n,), of checked hands of shape (n, tables.cards)."""
    out = np.empty(len(hands), dtype=np.uint16)
    for first in range(0, len(hands), _CHUNK):
        chunk = hands[first : first + _CHUNK]
        out[first : first + _CHUNK] = _strengths(chunk, tables, flushes)
    return out


def _strengths(hands: Cards, tables: HandTables, flushes: Strengths) -> Strengths:
    keys = np.zeros(len(hands), dtype=np.int64)
    for column in range(hands.shape[1]):
        keys += CARD_KEYS[hands[:, column]]
    jokers = keys >> JOKER_SHIFT & 3
    start = tables.start[jokers * JOKER_STRIDE + (keys >> HIGH_SHIFT & HIGH_BITS)]
    found: Strengths = tables.ranked[start + tables.place[keys & LOW_BITS]]
    suited = np.flatnonzero((keys + FIVE_SUITED) & SUIT_OVERFLOW)
    if len(suited):
        best = _flushes(hands[suited], jokers[suited], flushes)
        found[suited] = np.maximum(found[suited], best)
    return found


def _flushes(hands: Cards, jokers: npt.NDArray[np.int64], flushes: Strengths) -> Strengths:
    best = np.zeros(len(hands), dtype=np.uint16)
    bits = np.where(hands < 52, np.int64(1) << (hands >> 2), 0)
    for suit in range(4):
        masks = np.where(hands & 3 == suit, bits, 0).sum(axis=1)
        np.maximum(best, flushes[jokers << 13 | masks], out=best)
    return best


def wrong_row(hands: Cards) -> int:
    """Return the first row with an invalid or repeated card, or -1."""
    for first in range(0, len(hands), _CHUNK):
        chunk = hands[first : first + _CHUNK]
        added = np.zeros(len(chunk), dtype=np.int64)
        merged = np.zeros(len(chunk), dtype=np.int64)
        for column in range(hands.shape[1]):
            bits = _CARD_BITS[chunk[:, column]]
            added += bits
            merged |= bits
        # a repeated card's bit carries in the sum but not in the union
        wrong = (added != merged) | (merged >= _NO_CARD)
        if wrong.any():
            return first + int(np.argmax(wrong))
    return -1


def omaha_strengths(holes: Cards, boards: Cards, board_tables: HandTables, flushes: Strengths) -> Strengths:
    """Return the Omaha strengths of holes of shape (n, 4 to 6) with boards of shape (n, 5)."""
    out = np.empty(len(holes), dtype=np.uint16)
    for first in range(0, len(holes), _CHUNK):
        part = slice(first, first + _CHUNK)
        out[part] = _omaha_strengths(holes[part], boards[part], board_tables, flushes)
    return out


def _omaha_strengths(holes: Cards, boards: Cards, tables: HandTables, flushes: Strengths) -> Strengths:
    table, column = omaha_tables()
    keys = CARD_KEYS[boards].sum(axis=1)
    rows = tables.start[keys >> HIGH_SHIFT & HIGH_BITS] + tables.place[keys & LOW_BITS]
    ranks = (holes >> 2).astype(np.intp)
    best = np.zeros(len(holes), dtype=np.uint16)
    for first, second in combinations(range(holes.shape[1]), 2):
        np.maximum(best, table[rows, column[13 * ranks[:, first] + ranks[:, second]]], out=best)
    three_suited = (keys + (0x5555 << SUIT_SHIFT)) & SUIT_OVERFLOW
    suited = np.flatnonzero(three_suited)
    if len(suited):
        best[suited] = np.maximum(best[suited], _omaha_flushes(holes[suited], boards[suited], flushes))
    return best


def _omaha_flushes(holes: Cards, boards: Cards, flushes: Strengths) -> Strengths:
    # sorted, a suit of three or more of five is in the middle
    suits = np.sort(boards & 3, axis=1)[:, 2:3]
    board_bits = np.where(boards & 3 == suits, 1 << (boards >> 2).astype(np.int64), 0)
    hole_bits = np.where(holes & 3 == suits, 1 << (holes >> 2).astype(np.int64), 0)
    best = np.zeros(len(holes), dtype=np.uint16)
    threes = [board_bits[:, three].sum(axis=1) for three in combinations(range(5), 3)]
    for pair in combinations(range(holes.shape[1]), 2):
        two = hole_bits[:, pair].sum(axis=1)
        for three in threes:  # with fewer than five bits the table has 0
            np.maximum(best, flushes[two | three], out=best)
    return best
