"""A census of all hands of seven cards: how often each class occurs."""

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
    SUIT_SHIFT,
)

__all__ = ["seven_card_census"]

_WORD = np.uint64
_ONE: Final = _WORD(1)
_FOUR_SUITED: Final = _WORD(0x4444 << SUIT_SHIFT)
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_SUIT_SHIFT: Final = _WORD(SUIT_SHIFT)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)


@compiled
def _last_cards(key, masks, card, keys, tables, flushes, counts):
    """Count six cards with four or more of a suit together with each higher seventh card."""
    place, start, ranked = tables
    for last in range(card + 1, 52):
        total = key + keys[last]
        best = ranked[_WORD(start[(total >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[total & _LOW_BITS])]
        if (total + _FIVE_SUITED) & _SUIT_OVERFLOW:
            held = masks | _ONE << _WORD(16 * (last & 3) + (last >> 2))
            for suit in range(4):
                best = max(best, flushes[(held >> _WORD(16 * suit)) & _WORD(0x1FFF)])
        counts[best] += 1


@compiled
def _last_ranks(key, card, rank_keys, tables, counts):
    """Count the same where no flush is possible, so that all cards of a rank are alike."""
    place, start, ranked = tables
    rank = card >> 2
    alike = 3 - (card & 3)
    for last in range(rank, 13):
        if alike:
            total = key + rank_keys[last]
            line = _WORD(start[(total >> _HIGH_SHIFT) & _HIGH_BITS])
            counts[ranked[line + _WORD(place[total & _LOW_BITS])]] += alike
        alike = 4


@compiled
def seven_card_census(keys, rank_keys, tables, flushes, counts):
    """Add all 133,784,560 hands of seven cards to `counts`, an array indexed by strength.

    `tables` are place, start and ranked of the `HandTables` for seven cards.
    """
    for a in range(46):
        for b in range(a + 1, 47):
            for c in range(b + 1, 48):
                three = keys[a] + keys[b] + keys[c]
                for d in range(c + 1, 49):
                    for e in range(d + 1, 50):
                        five = three + keys[d] + keys[e]
                        for f in range(e + 1, 51):
                            six = five + keys[f]
                            if (six + _FOUR_SUITED) & _SUIT_OVERFLOW:
                                masks = _WORD(0)
                                for card in (a, b, c, d, e, f):
                                    masks |= _ONE << _WORD(16 * (card & 3) + (card >> 2))
                                _last_cards(six, masks, f, keys, tables, flushes, counts)
                            else:
                                _last_ranks(six, f, rank_keys, tables, counts)
