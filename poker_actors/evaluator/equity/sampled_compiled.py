"""Trials, compiled."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.equity.deals import ADD, GOLDEN, MIX, MULTIPLY, SHIFT
from poker_actors.evaluator.equity.exact.compiled import count_showdown
from poker_actors.evaluator.fast.compiling import compiled, lowest_bit
from poker_actors.evaluator.fast.omaha_kernels import board_row, omaha_best
from poker_actors.evaluator.fast.tables import (
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
)

_WORD = np.uint64
_ZERO: Final = _WORD(0)
_ONE: Final = _WORD(1)
_TWO: Final = _WORD(2)
_THREE: Final = _WORD(3)
_FOUR: Final = _WORD(4)
_HALF: Final = _WORD(32)
_MULTIPLY: Final = _WORD(MULTIPLY)
_ADD: Final = _WORD(ADD)
_GOLDEN: Final = _WORD(GOLDEN)
_MIX_1: Final = _WORD(MIX[0])
_MIX_2: Final = _WORD(MIX[1])
_SHIFT_1: Final = _WORD(SHIFT[0])
_SHIFT_2: Final = _WORD(SHIFT[1])
_SHIFT_3: Final = _WORD(SHIFT[2])
_UNIT: Final = 2.0**-32
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_FIRST_OVERFLOW: Final = _WORD(SUIT_SHIFT + 3)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
_MASK: Final = _WORD(0x1FFF)


@compiled
def _start(start, trial):
    state = start + _GOLDEN * _WORD(trial + 1)
    state = (state ^ (state >> _SHIFT_1)) * _MIX_1
    state = (state ^ (state >> _SHIFT_2)) * _MIX_2
    return state ^ (state >> _SHIFT_3)


@compiled
def _draw_hands(state, first, thresholds, masks, chosen):
    """Draw a hand from every range, all again if two share a card; return the state and the mask of their cards."""
    players = first.shape[0] - 1
    while True:
        used = _ZERO
        shared = _ZERO
        for player in range(players):
            low, high = first[player], first[player + 1] - 1
            if low < high:
                state = state * _MULTIPLY + _ADD
                drawn = float(state >> _HALF) * _UNIT
                while low < high:
                    middle = (low + high) // 2
                    if drawn < thresholds[middle]:
                        high = middle
                    else:
                        low = middle + 1
            chosen[player] = low
            shared |= used & masks[low]
            used |= masks[low]
        if not shared:
            return state, used


@compiled
def _draw_board(state, used, stub, board):
    """Draw the rest of the board; return its key and mask."""
    stub_keys, stub_masks = stub
    left, key, lying = board
    deck = _WORD(stub_keys.shape[0])
    while left:
        # same order and number of draws as in `plain`: with one more, the engines would disagree
        state = state * _MULTIPLY + _ADD
        card = ((state >> _HALF) * deck) >> _HALF
        mask = stub_masks[card]
        if not mask & used:
            used |= mask
            lying |= mask
            key += stub_keys[card]
            left -= 1
    return key, lying


@compiled
def _strength(key, held, tables):
    """Return the strength of seven cards from their key, and from their mask for a flush."""
    flushes, place, start, ranked = tables
    line = _WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])
    best = ranked[line]
    suits = (key + _FIVE_SUITED) & _SUIT_OVERFLOW
    if suits:
        suit = (lowest_bit(suits) - _FIRST_OVERFLOW) >> _TWO
        best = max(best, flushes[(held >> (suit << _FOUR)) & _MASK])
    return best


@compiled
def holdem_trials(start, trials, hands, stub, board, tables, counts):
    """Add the trials ``trials[0]`` to ``trials[1]`` - 1 to ``counts[player, winners]``.

    `hands` are, flat over all players: where each player's hands begin, thresholds, masks (16 bits per suit) and keys.
    `stub` is (keys, masks) of the cards that can come, `board` (missing, key, mask) of the cards already on it.
    """
    first, thresholds, masks, keys = hands
    players = first.shape[0] - 1
    ranged = masks.shape[0] > players  # with known hands only, `used` may stay 0: the stub lacks their cards
    chosen = first[:players].copy()
    strengths = np.empty(players, np.uint16)
    won = lost = tied = 0
    for trial in range(trials[0], trials[1]):
        state = _start(start, trial)
        used = _ZERO
        if ranged:
            state, used = _draw_hands(state, first, thresholds, masks, chosen)
        total, lying = _draw_board(state, used, stub, board)
        for player in range(players):
            hand = chosen[player]
            strengths[player] = _strength(total + keys[hand], lying | masks[hand], tables)
        if players == 2:
            won += strengths[0] > strengths[1]
            lost += strengths[0] < strengths[1]
            tied += strengths[0] == strengths[1]
        else:
            count_showdown(counts, strengths, players, np.int64(1))
    if players == 2:
        counts[0, 1] += won
        counts[1, 1] += lost
        counts[0, 2] += tied
        counts[1, 2] += tied


@compiled
def omaha_trials(start, trials, hands, stub, board, tables, counts):
    """Run trials of Omaha: `hands` has (cards, Omaha columns) instead of keys, `stub` cards instead of keys."""
    first, thresholds, masks, (cards, columns) = hands
    stub_cards, stub_masks = stub
    missing, shared = board
    flushes, keys, of_five = tables
    players = first.shape[0] - 1
    chosen = first[:players].copy()
    strengths = np.empty(players, np.uint16)
    deck = _WORD(stub_cards.shape[0])
    for trial in range(trials[0], trials[1]):
        state, used = _draw_hands(_start(start, trial), first, thresholds, masks, chosen)
        left = missing
        while left:
            state = state * _MULTIPLY + _ADD
            card = ((state >> _HALF) * deck) >> _HALF
            mask = stub_masks[card]
            if not mask & used:
                used |= mask
                shared[0, 5 - left] = stub_cards[card]
                left -= 1
        line, suits = board_row(shared, keys, of_five)
        for player in range(players):
            hand = chosen[player]
            strengths[player] = omaha_best(line, suits, columns[hand], cards, hand, shared, of_five, flushes)
        count_showdown(counts, strengths, players, np.int64(1))
