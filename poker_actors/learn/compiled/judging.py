"""How good cards are, compiled: `starting_rank` and `made_hand` of the bots of the house."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import seat_at
from poker_actors.learn.compiled.paying import board_key, board_strength, strength
from poker_actors.learn.compiled.row import SEATS, STREET
from poker_actors.learn.compiled.words import as_bytes, compiled, count, doubles_at

__all__ = ["made_hand", "starting_rank"]

PAIR, TWO_PAIR, _TRIPS, STRAIGHT = range(1, 5)
CATEGORY_BITS: Final = 12
_MADE: Final = np.array([0.0, 0.0, 0.80, 0.88, 0.92, 0.95, 0.97, 0.99, 0.99])
_POCKET: Final = np.array([0.86, 0.66, 0.55, 0.48, 0.42, 0.38])
_PAIRED: Final = np.array([0.74, 0.58, 0.50, 0.44, 0.40])
WHOLE: Final = 5
RANKS: Final = 13


@compiled
def starting_rank(d, t, place):
    """Give the share of starting hands that the place's are as good as or better."""
    cards = as_bytes(t)
    first = 8 * row.CARDS + 2 * seat_at(d, t, place)
    return doubles_at(d[row.RANKS_AT])[np.int64(cards[first]) << 6 | np.int64(cards[first + 1])]


@compiled
def made_hand(d, t, place):
    """Guess how many random hands the place's is good against on this board, draws counted."""
    seat = seat_at(d, t, place)
    shown = t[STREET] + 2
    cards = as_bytes(t)
    hole, board = 8 * row.CARDS + 2 * seat, 8 * row.CARDS + 2 * d[SEATS]
    kind = strength(d, t, seat, board_key(d, t, shown), shown) >> CATEGORY_BITS
    if kind <= PAIR or _on_board(d, t, cards, board, shown, kind):
        made = _pairs_and_less(cards, hole, board, shown)
    else:
        made = _MADE[kind]
    if shown < WHOLE and made < 0.9:
        made += (1 - made) * _draw(cards, hole, board, shown)
    return made


@compiled
def _times(cards, board, shown, rank):
    """How often a rank is on the board."""
    times = 0
    for card in range(board, board + shown):
        times += 1 if cards[card] >> 2 == rank else 0
    return times


@compiled
def _on_board(d, t, cards, board, shown, kind):
    if kind >= STRAIGHT:
        return shown == WHOLE and board_strength(d, t) >> CATEGORY_BITS >= kind
    most = 0
    for card in range(board, board + shown):
        most = max(most, _times(cards, board, shown, cards[card] >> 2))
    return most >= (2 if kind == TWO_PAIR else 3)


@compiled
def _ranks(cards, first, number):
    """Give a bit for each rank among some cards."""
    mask = np.int64(0)
    for card in range(first, first + number):
        mask |= np.int64(1) << np.int64(cards[card] >> 2)
    return mask


@compiled
def _pairs_and_less(cards, hole, board, shown):
    one, other = np.int64(cards[hole] >> 2), np.int64(cards[hole + 1] >> 2)
    high, low = max(one, other), min(one, other)
    there = _ranks(cards, board, shown)
    if high == low:
        return _POCKET[count(there >> (high + 1))]
    paired = high if there >> high & 1 else low if there >> low & 1 else -1
    if paired >= 0:
        kicker = low if paired == high else high
        return _PAIRED[count(there >> (paired + 1))] + 0.006 * kicker
    return 0.10 + 0.015 * high + 0.005 * low


@compiled
def _draw(cards, hole, board, shown):
    streets = WHOLE - shown
    chance = 0.0
    for mine in range(hole, hole + 2):
        suit = cards[mine] & 3
        suited = (1 if cards[hole] & 3 == suit else 0) + (1 if cards[hole + 1] & 3 == suit else 0)
        for card in range(board, board + shown):
            suited += 1 if cards[card] & 3 == suit else 0
        if suited == 4:
            chance = 0.19 * streets
    held = (_ranks(cards, hole, 2) | _ranks(cards, board, shown)) << 1
    held |= held >> RANKS & 1
    for low in range(1, 10):
        if held >> low & 15 == 15:
            chance += 0.15 * streets
            break
    return min(chance, 0.5)
