"""The hands to train on: seats, stacks, cards and opponents."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.bots.expert.compiled import class_of, count_hands, starting_class
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.luck import fraction, number_below
from poker_actors.learn.compiled.row import BIG, BUTTON, CARDS, POLICY, SEATS, STACKS
from poker_actors.learn.compiled.words import as_bytes, bytes_at, compiled, doubles_at

__all__ = ["classify", "deal_cards", "deal_hand", "seat_bot"]

LEARNS: Final = -1.0
"""The policy kind of a seat that learns."""
LEAST_BLINDS, RANGE = 8.0, 27.5
"""Stacks range from 8 to 8 * 27.5 = 220 big blinds; every doubling is equally likely."""
USUAL, DEEP = 0.35, 0.2
"""How often stacks are 75 to 135 big blinds, as at a cash table, and how often 140 to 220."""
EQUAL: Final = 0.6
"""How often all stacks are equal, as when a game begins; else each is drawn."""
PACK: Final = 52
_SEATS_OFTEN: Final = np.array([3, 4, 5, 6, 6, 6, 6, 7, 8, 9])
"""Numbers of seats to draw from; six is the size of table at which progress is measured."""
_KINDS: Final = np.array([row.TIGHT, row.LOOSE, row.POT_ODDS], np.int64)
"""Kinds of guests. Bots that give chips away are left out: winnings from them would drown what the others teach."""


@compiled
def _stack(d):
    luck = fraction(d)
    if luck < USUAL:
        return np.int64(d[BIG] * (75.0 + 60.0 * fraction(d)))
    if luck < USUAL + DEEP:
        return np.int64(d[BIG] * (140.0 + 80.0 * fraction(d)))
    return np.int64(d[BIG] * LEAST_BLINDS * RANGE ** fraction(d))


@compiled
def deal_cards(d, t):
    """Deal two cards per seat and five for the board from the desk's own luck."""
    pack = bytes_at(d[row.SCRATCH])
    for card in range(PACK):
        pack[card] = card
    cards = as_bytes(t)
    for place in range(2 * d[SEATS] + 5):
        other = place + number_below(d, PACK - place)
        card = pack[other]
        pack[other] = pack[place]
        pack[place] = card
        cards[8 * CARDS + place] = card


@compiled
def seat_bot(d, seat, kind, vary):
    """Seat a house bot with its first parameter times `vary`; `kind` is `LEARNS` for a seat that learns."""
    policy = doubles_at(d[row.POLICIES_AT] + 8 * POLICY * seat)
    policy[0] = kind
    # the defaults of `learn.policies`
    if kind == row.TIGHT:
        policy[1], policy[2], policy[3] = 0.18 * vary, 0.25, 0.60
    elif kind == row.LOOSE:
        policy[1], policy[2], policy[3] = 0.42 * vary, 0.45, 0.52
    elif kind == row.POT_ODDS:
        policy[1] = 0.05
    else:
        policy[1] = 0.6 * vary


@compiled
def _seat_all(d, guests):
    """Seat house bots around one learner in a share `guests` of hands; return the learner, or -1 if all seats learn."""
    n = d[SEATS]
    if fraction(d) >= guests:
        for seat in range(n):
            seat_bot(d, seat, LEARNS, 1.0)
        return -1
    me = number_below(d, n)
    # mostly guests of one kind, so that its habits can be learnt, and sometimes a mixed table
    alike = fraction(d) < 0.7
    kind = _KINDS[number_below(d, len(_KINDS))]
    for seat in range(n):
        if not alike:
            kind = _KINDS[number_below(d, len(_KINDS))]
        # half of the guests as they are, half up to 30 % tighter or looser: no single guest is learnt by heart
        vary = 1.0 if fraction(d) < 0.5 else 0.7 + 0.6 * fraction(d)
        seat_bot(d, seat, LEARNS if seat == me else np.float64(kind), vary)
    return me


@compiled
def deal_hand(d, t, many, guests):
    """Deal a hand of two seats, or of three to nine if `many`; return the learning seat, -1 if all learn."""
    n = _SEATS_OFTEN[number_below(d, len(_SEATS_OFTEN))] if many else 2
    d[SEATS] = n
    t[BUTTON] = n - 1
    equal = fraction(d) < EQUAL
    stack = _stack(d)
    for seat in range(n):
        d[STACKS + seat] = stack if equal else _stack(d)
    deal_cards(d, t)
    return _seat_all(d, guests)


@compiled
def classify(d, t, me, buckets, tables, counted):
    """Write the card classes of `me`, or of all seats if -1, to `buckets[place, street]`."""
    board, strengths, counts = counted
    cards = as_bytes(t)
    n = d[SEATS]
    for card in range(5):
        board[card] = cards[8 * CARDS + 2 * n + card]
    for street in range(row.STREETS):
        size = count_hands(board, street + 2, tables, strengths, counts) if street else 0
        for seat in range(n):
            if me >= 0 and seat != me:
                continue
            one, other = np.int64(cards[8 * CARDS + 2 * seat]), np.int64(cards[8 * CARDS + 2 * seat + 1])
            # the button is the last seat, so seats are places
            if street:
                found = class_of(one, other, board, street + 2, size, tables, strengths, counts)
            else:
                found = starting_class(one, other)
            buckets[seat, street] = found
