"""Classes of hole cards: the starting hand before the flop; later the share of hands they beat now, and their draws.

Here numpy classifies all 1,326 hands at once, as ranges need it. `compiled` classifies one hand; a test compares both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.evaluator.fast.tables import (
    CARD_WORDS,
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    SUIT_OVERFLOW,
    flush_table,
    hand_tables,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUGH: Final = np.array(
    (40, 100, 200, 400, 700, 1100, 1600, 2200, 3000, 3800, 4600, 5500, 6500, 7500, 8700), np.int64
)
"""Lower bounds of the 16 classes on flop and turn: the share of better hands, in ten thousandths.

They are finer at the top, where bets are made and raised. With the four draws they make the 64 classes of `BUCKETS`;
changing them invalidates every trained table.
"""
FINE: Final = np.array(
    (
        *(20, 50, 100, 150, 200, 300, 400, 500, 650, 800, 1000, 1250, 1500, 1800, 2100, 2500),
        *(2900, 3300, 3800, 4300, 4800, 5300, 5800, 6300, 6800, 7300, 7800, 8300, 8800, 9300, 9700),
    ),
    np.int64,
)
"""The same for the 32 classes of the river, where there are no draws left to tell hands apart."""
WHOLE: Final = 10_000
ALL_RANKS: Final = (1 << 13) - 1
_WORD = np.uint64
_HOLES: Final = np.array(list(combinations(range(52), 2)), np.int64)
_FIRST, _SECOND = _HOLES[:, 0], _HOLES[:, 1]
_KEYS: Final = CARD_WORDS[_FIRST] + CARD_WORDS[_SECOND]
_RANKS: Final = 1 << (_FIRST >> 2) | 1 << (_SECOND >> 2)
_SUITED: Final = np.array(
    [np.equal(_FIRST & 3, suit).astype(np.int8) + np.equal(_SECOND & 3, suit) for suit in range(4)]
)
"""The number of cards of each suit, int8 of shape (4, 1326)."""
_HOLDS: Final = np.array([(card == _FIRST) | (card == _SECOND) for card in range(52)])
_NUMBERS: Final = {(int(one), int(other)): number for number, (one, other) in enumerate(_HOLES)}
_KEPT: Final = 64
"""Boards to remember: both results have 1,326 numbers of eight bytes."""


def hole_number(hole: Sequence[int]) -> int:
    """Return the index of two cards, in any order, among the 1,326 pairs of the pack."""
    one, other = hole
    return _NUMBERS[(one, other) if one < other else (other, one)]


@cache
def completing() -> NDArray[np.uint16]:
    """Return, for each mask of ranks, the mask of ranks that complete a straight; all ranks if it holds one.

    uint16 of shape (8192,).
    """
    # moved up by one, with the ace also in bit 0, below the deuce
    wheel = np.arange(1 << 13, dtype=np.int64) << 1
    wheel |= wheel >> 13 & 1
    straight = np.zeros(1 << 13, np.bool_)
    for low in range(10):
        straight |= wheel >> low & 31 == 31
    masks = np.arange(1 << 13)
    found = np.zeros(1 << 13, np.uint16)
    for rank in range(13):
        found |= np.where(straight[masks | 1 << rank], np.uint16(1 << rank), np.uint16(0))
    return found


def starting_class(one: int, other: int) -> int:
    """Return the class of two cards before the flop: 13 * high + low if suited, else 13 * low + high."""
    low, high = min(one >> 2, other >> 2), max(one >> 2, other >> 2)
    return 13 * high + low if one & 3 == other & 3 else 13 * low + high


@cache
def starting_classes() -> NDArray[np.int64]:
    """Return the classes before the flop of all pairs of the pack, int64 of shape (1326,)."""
    return np.array([starting_class(*pair) for pair in _HOLES.tolist()], np.int64)


def _strengths(board: Sequence[int]) -> Any:
    """Return the strength of every pair of the pack with a board; it is meaningless for pairs with a board card."""
    tables, flushes = hand_tables(2 + len(board)), flush_table()
    keys = _KEYS + CARD_WORDS[list(board)].sum(dtype=_WORD)
    lines = tables.start[(keys >> _WORD(HIGH_SHIFT)) & _WORD(HIGH_BITS)]
    # a pair with a board card may make five of a rank, which has no row: clip instead of raising, nobody reads it
    places = tables.place.take((keys & _WORD(LOW_BITS)).astype(np.int64), mode="clip")
    found = tables.ranked.take(lines + places, mode="clip")
    suits = [card & 3 for card in board]
    suit = max(set(suits), key=suits.count)
    if suits.count(suit) >= 3:
        suited = (keys + _WORD(FIVE_SUITED)) & _WORD(SUIT_OVERFLOW) != 0
        mask = np.full(len(_KEYS), sum({1 << (card >> 2) for card in board if card & 3 == suit}), np.int64)
        mask |= np.where(suit == _FIRST & 3, 1 << (_FIRST >> 2), 0)
        mask |= np.where(suit == _SECOND & 3, 1 << (_SECOND >> 2), 0)
        found = np.where(suited, np.maximum(found, flushes[mask]), found)
    return found


def _twice_beaten(board: Sequence[int]) -> tuple[Any, int]:
    """Return, for each pair of the pack, 2 * hands beaten + hands tied on a board, and the number of hands."""
    found = _strengths(board).astype(np.int64)
    free = ~_HOLDS[list(board)].any(axis=0)
    counts = np.bincount(found[free], minlength=int(found.max()) + 1)
    up_to = np.cumsum(counts)
    return (2 * up_to - counts)[found], int(up_to[-1])


@lru_cache(maxsize=_KEPT)
def all_classes(board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the class of every pair of the pack on a board, int64 of shape (1326,).

    The class of a pair with a board card is meaningless.
    """
    if not board:
        return starting_classes()
    twice, hands = _twice_beaten(board)
    better = (2 * hands - twice) * WHOLE
    steps = FINE if len(board) == 5 else ROUGH
    level: NDArray[np.int64] = np.searchsorted(steps * (2 * hands), better, side="right")
    return level if len(board) == 5 else level * 4 + _draws(board)


@lru_cache(maxsize=_KEPT)
def beaten_shares(board: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the share of hands that every pair of the pack beats on a board, ties counted half; shape (1326,)."""
    twice, hands = _twice_beaten(board)
    shares: NDArray[np.float64] = twice / (2 * hands)
    return shares


def _draws(board: Sequence[int]) -> NDArray[np.int64]:
    """Return the draws of every pair: 0 none, 1 one rank for a straight, 2 two ranks or a flush, 3 both kinds."""
    there = 0
    for card in board:
        there |= 1 << (card >> 2)
    ranks = completing()
    mine = ranks[_RANKS | there]
    # only ranks that the board alone would not complete: others make the straight for everyone
    left = mine & ~ranks[there]
    outs: NDArray[np.int64] = np.minimum((left > 0) + (left & (left - 1) > 0).astype(np.int64), 2)
    outs[mine == ALL_RANKS] = 0
    suits = [card & 3 for card in board]
    for suit in range(4):
        there = suits.count(suit)
        if there in (2, 3):
            flush = _SUITED[suit] == 4 - there
            outs[flush] = 2 + (outs[flush] > 0)
    return outs
