"""The compiled loop over arrays of Omaha hands."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiling import bit_count, compiled, lowest_bit
from poker_actors.evaluator.fast.tables import (
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    NO_CARD_BIT,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
)

_WORD = np.uint64
_ZERO: Final = _WORD(0)
_ONE: Final = _WORD(1)
_TWO: Final = _WORD(2)
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
_RANKS: Final = _WORD(0x1FFF)


@compiled
def low_kernel(hands, keys, tables, flushes, out):
    """Fill `out` with the lows of hands; `flushes`, by mask of five ranks, is empty where suits do not matter."""
    place, start, ranked = tables
    for row in range(hands.shape[0]):
        key = _ZERO
        for column in range(hands.shape[1]):
            key += keys[hands[row, column]]
        out[row] = ranked[_WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])]
        if flushes.shape[0] and (key + _FIVE_SUITED) & _SUIT_OVERFLOW:
            mask = _ZERO
            for column in range(hands.shape[1]):
                mask |= _ONE << (_WORD(hands[row, column]) >> _TWO)
            out[row] = flushes[mask]


@compiled
def badugi_kernel(hands, marks, table, out):
    """Fill `out` with the badugis of hands; marks of cards that fit together share no bit, so sum and union agree."""
    for row in range(hands.shape[0]):
        best = table[_ZERO]
        for chosen in range(1, 1 << hands.shape[1]):
            total = merged = _ZERO
            for column in range(hands.shape[1]):
                if chosen >> column & 1:
                    mark = marks[hands[row, column]]
                    total += mark
                    merged |= mark
            if total == merged:
                best = max(best, table[total & _RANKS])
        out[row] = best


_THREE: Final = _WORD(3)
_THREE_SUITED: Final = _WORD(0x5555 << SUIT_SHIFT)
_NO_CARD: Final = _WORD(NO_CARD_BIT)
_LANE: Final = _WORD(0x1FFF)
_FIRST_OVERFLOW: Final = _WORD(SUIT_SHIFT + 3)


@compiled
def _with_three_of(two, shared, flushes):
    """Return the best flush of the `two` bits with three of the three to five bits of `shared`."""
    spare = bit_count(shared) - _THREE
    if spare == _ZERO:
        return flushes[two | shared]
    best = flushes[_ZERO]
    first = shared
    while first:
        out = first & (~first + _ONE)
        first ^= out
        if spare == _ONE:
            best = max(best, flushes[two | (shared ^ out)])
        else:
            second = first
            while second:
                other = second & (~second + _ONE)
                second ^= other
                best = max(best, flushes[two | (shared ^ out ^ other)])
    return best


@compiled
def _suit_mask(cards, row, suit):
    mask = _ZERO
    for column in range(cards.shape[1]):
        card = _WORD(cards[row, column])
        mask |= _WORD((card & _THREE) == suit) << (card >> _TWO)
    return mask


@compiled
def _omaha_flush(mine, shared, flushes, best):
    """Return the best flush of two ranks of `mine` and three of `shared`, masks of one suit; at least `best`."""
    upper = mine
    while upper & (upper - _ONE):
        high = upper & (~upper + _ONE)
        upper ^= high
        lower = upper
        while lower:
            low = lower & (~lower + _ONE)
            lower ^= low
            best = max(best, _with_three_of(high | low, shared, flushes))
    return best


@compiled
def board_row(boards, keys, tables):
    """Return a board's row in the Omaha table, and the overflow bit of a suit of three or more cards, or 0."""
    place, start, _, _ = tables
    key = _ZERO
    for column in range(5):
        key += keys[boards[0, column]]
    row = _WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])
    return row, (key + _THREE_SUITED) & _SUIT_OVERFLOW


@compiled
def omaha_best(line, suits, columns, holes, player, boards, tables, flushes):
    """Return the strength of a hand from the columns of its pairs and the row of the board."""
    table = tables[2]
    best = flushes[_ZERO]
    for pair in range(columns.shape[0]):
        best = max(best, table[line, _WORD(columns[pair])])
    if suits:
        suit = (lowest_bit(suits) - _FIRST_OVERFLOW) >> _TWO
        mine = _suit_mask(holes, player, suit)
        if mine & (mine - _ONE):
            best = _omaha_flush(mine, _suit_mask(boards, 0, suit), flushes, best)
    return best


@compiled
def omaha_kernel(holes, boards, cards, tables, flushes, out):
    """Fill `out` with Omaha strengths; return the first row with an invalid or repeated card or a joker, or -1.

    `boards` has a row per hole, or one for all. `cards` are the keys and suited bits of all cards; `tables` are place
    and start for five cards, then the two tables of `omaha_tables`. A hand's suited bits reveal repeated cards, and
    hold the ranks of each suit where a flush is possible.
    """
    keys, bits = cards
    place, start, table, columns = tables
    width = holes.shape[1]
    shared = boards.shape[0] == 1
    for row in range(holes.shape[0]):
        board = 0 if shared else row
        key = _ZERO
        common = _ZERO
        for column in range(5):
            card = boards[board, column]
            key += keys[card]
            common |= bits[card]
        mine = _ZERO
        for column in range(width):
            mine |= bits[holes[row, column]]
        seen = mine | common
        if seen & _NO_CARD or bit_count(seen) != _WORD(width + 5):
            return row
        line = _WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])
        best = flushes[_ZERO]
        for first in range(1, width):
            rank = _WORD(13) * (_WORD(holes[row, first]) >> _TWO)
            for second in range(first):
                column_of = columns[rank + (_WORD(holes[row, second]) >> _TWO)]
                best = max(best, table[line, _WORD(column_of)])
        suits = (key + _THREE_SUITED) & _SUIT_OVERFLOW
        if suits:
            lane = (lowest_bit(suits) - _FIRST_OVERFLOW) << _TWO
            own = (mine >> lane) & _LANE
            if own & (own - _ONE):
                best = _omaha_flush(own, (common >> lane) & _LANE, flushes, best)
        out[row] = best
    return -1
