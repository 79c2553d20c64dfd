"""How good cards are, compiled: `starting_rank` and `made_hand` of the house bots."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.bots.house.compiled import STRAIGHT, WHOLE, judged
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import seat_at
from poker_actors.learn.compiled.paying import board_key, board_strength, strength
from poker_actors.learn.compiled.row import SEATS, STREET
from poker_actors.learn.compiled.words import as_bytes, compiled, doubles_at

__all__ = ["made_hand", "starting_rank"]

CATEGORY_BITS: Final = 12
"""Bits of a strength below its category."""


@compiled
def starting_rank(d, t, place):
    """Return the share of starting hands, 0 to 1, that the place's hole cards match or beat."""
    cards = as_bytes(t)
    first = 8 * row.CARDS + 2 * seat_at(d, t, place)
    return doubles_at(d[row.RANKS_AT])[np.int64(cards[first]) << 6 | np.int64(cards[first + 1])]


@compiled
def made_hand(d, t, place):
    """Estimate the share of random hands, 0 to 1, that the place's hand beats on this board, draws included."""
    seat = seat_at(d, t, place)
    shown = t[STREET] + 2
    hole, board = 8 * row.CARDS + 2 * seat, 8 * row.CARDS + 2 * d[SEATS]
    kind = strength(d, t, seat, board_key(d, t, shown), shown) >> CATEGORY_BITS
    of_the_board = (
        board_strength(d, t) >> CATEGORY_BITS if kind >= STRAIGHT and shown == WHOLE else np.int64(-1)
    )
    return judged(as_bytes(t), hole, board, shown, kind, of_the_board)
