"""House functions compiled with numba; imports numba, so it is imported only by functions that need it."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiling import bit_count, compiled

__all__ = [
    "STRAIGHT",
    "WHOLE",
    "judged",
    "made_hands",
]


PAIR, TWO_PAIR, _TRIPS, STRAIGHT = range(1, 5)
# the numbers of `house.judging`, which is the original
_MADE: Final = np.array([0.0, 0.0, 0.80, 0.88, 0.92, 0.95, 0.97, 0.99, 0.99])
_POCKET: Final = np.array([0.86, 0.66, 0.55, 0.48, 0.42, 0.38])
_PAIRED: Final = np.array([0.74, 0.58, 0.50, 0.44, 0.40])
WHOLE: Final = 5
RANKS: Final = 13


@compiled
def _count(mask):
    return np.int64(bit_count(np.uint64(mask)))


@compiled
def judged(cards, hole, board, shown, kind, board_kind):
    """Estimate the share of random hands that two cards beat; `board_kind` is read from straights up only."""
    if kind <= PAIR or _on_board(cards, board, shown, kind, board_kind):
        made = _pairs_and_less(cards, hole, board, shown)
    else:
        made = _MADE[kind]
    if shown < WHOLE and made < 0.9:
        made += (1 - made) * _draw(cards, hole, board, shown)
    return made


@compiled
def made_hands(cards, kinds, board_kind):
    """Judge many holes on one board: `cards` has a row of hole and board each; return float64, one per row."""
    found = np.empty(len(cards))
    for row in range(len(cards)):
        found[row] = judged(cards[row], 0, 2, cards.shape[1] - 2, np.int64(kinds[row]), board_kind)
    return found


@compiled
def _times(cards, board, shown, rank):
    """Return how many times a rank is on the board."""
    times = 0
    for card in range(board, board + shown):
        times += 1 if cards[card] >> 2 == rank else 0
    return times


@compiled
def _on_board(cards, board, shown, kind, board_kind):
    if kind >= STRAIGHT:
        return board_kind >= kind
    most = 0
    for card in range(board, board + shown):
        most = max(most, _times(cards, board, shown, cards[card] >> 2))
    return most >= (2 if kind == TWO_PAIR else 3)


@compiled
def _ranks(cards, first, number):
    """Return a bit for each rank among some cards."""
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
        return _POCKET[_count(there >> (high + 1))]
    paired = high if there >> high & 1 else low if there >> low & 1 else -1
    if paired >= 0:
        kicker = low if paired == high else high
        return _PAIRED[_count(there >> (paired + 1))] + 0.006 * kicker
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
