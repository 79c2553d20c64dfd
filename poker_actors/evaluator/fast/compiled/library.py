"""The compiled loop from hands to values of the poker-eval library."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiled.compiling import bit_count, compiled
from poker_actors.evaluator.fast.tables import (
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    NO_CARD_BIT,
    SUIT_OVERFLOW,
)

__all__ = ["value_kernel", "words_kernel"]

_WORD = np.uint64
_ZERO: Final = _WORD(0)
_NO_CARD: Final = _WORD(NO_CARD_BIT)
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
_SUIT: Final = _WORD(0x1FFF)
_UNSURE: Final = np.uint32(0xFFFF_FFFF)
_NO_NUMBER: Final = 255
_BLANK: Final = ord(" ")
_NEWLINE: Final = ord("\n")


@compiled
def words_kernel(letters, ranks, suits, hands):
    """Read letters of shape (n, cards, 3) into `hands`; the third is a blank, or a newline at the end.

    A word that is not a card becomes 255. Return whether all words have two letters.
    """
    last = hands.shape[1] - 1
    for row in range(hands.shape[0]):
        for column in range(hands.shape[1]):
            first, second, after = letters[row, column, 0], letters[row, column, 1], letters[row, column, 2]
            if first <= _BLANK or second <= _BLANK or after != (_NEWLINE if column == last else _BLANK):
                return False
            rank, suit = ranks[first], suits[second]
            hands[row, column] = 4 * rank + suit if rank < 13 and suit < 4 else _NO_NUMBER
    return True


@compiled
def value_kernel(hands, keys, bits, tables, out):
    """Fill `out` with values: 0 for a hand with an invalid card, all ones for one with a repeated card.

    `tables` are place, start and ranked for hands of this width, the flushes, and the value of each strength.
    """
    place, start, ranked, flushes, of_strength = tables
    width = _WORD(hands.shape[1])
    for row in range(hands.shape[0]):
        key = _ZERO
        seen = _ZERO
        for column in range(hands.shape[1]):
            card = _WORD(hands[row, column])
            key += keys[card]
            seen |= bits[card]
        if seen & _NO_CARD:
            out[row] = 0
            continue
        if bit_count(seen) != width:
            out[row] = _UNSURE
            continue
        best = ranked[_WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])]
        if (key + _FIVE_SUITED) & _SUIT_OVERFLOW:
            for suit in range(4):
                best = max(best, flushes[(seen >> _WORD(16 * suit)) & _SUIT])
        out[row] = of_strength[_WORD(best)]
