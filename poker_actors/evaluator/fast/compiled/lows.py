"""The compiled loops over arrays of lows and badugis."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiled.compiling import compiled
from poker_actors.evaluator.fast.tables import (
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    SUIT_OVERFLOW,
)

__all__ = ["badugi_kernel", "low_kernel"]

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
