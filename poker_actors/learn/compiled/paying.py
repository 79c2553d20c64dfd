"""The end of a hand, compiled: strengths of the live hands, side pots, odd chips, and payouts."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.tables import (
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    LOW_BITS,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
)
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import seat_at
from poker_actors.learn.compiled.row import (
    CAN_BET,
    CARDS,
    LIVE,
    PLACE,
    PLACES,
    POT,
    SEATS,
    STACK,
    START,
    as_bytes,
    compiled,
    count,
    halves_at,
    ints_at,
    lowest,
    quarters_at,
    words_at,
)

MOST_POTS: Final = row.MOST_SEATS + 1
"""Most pots: one for each seat all-in, and one above."""

_WORD = np.uint64
_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
BOARD: Final = 5
_NONE, _ONE = np.int64(0), np.int64(1)
_FIRST_OVERFLOW: Final = SUIT_SHIFT + 3


@compiled
def _key(d, cards, first, number):
    keys = words_at(d[row.STRENGTH_KEYS])
    key = _WORD(0)
    for card in range(first, first + number):
        key += keys[cards[card]]
    return key


@compiled
def _suited(cards, first, number, suit):
    """Return the ranks of one suit in the given cards, a bit each."""
    mask = _NONE
    for card in range(first, first + number):
        if cards[card] & 3 == suit:
            mask |= _ONE << np.int64(cards[card] >> 2)
    return mask


@compiled
def _ranked(d, key, tables):
    """Return the strength of a key ignoring flushes, and the suit of a flush, -1 for none."""
    line = quarters_at(d[tables])[(key >> _HIGH_SHIFT) & _HIGH_BITS]
    place = quarters_at(d[row.STRENGTH_LOW])[key & _LOW_BITS]
    found = np.int64(halves_at(d[tables + 1])[np.int64(line) + np.int64(place)])
    # the key counts each suit in four bits; adding `_FIVE_SUITED` overflows into the top bit of a suit with five cards
    suits = np.int64((key + _FIVE_SUITED) & _SUIT_OVERFLOW)
    return found, (lowest(suits) - _FIRST_OVERFLOW) >> 2 if suits else -1


@compiled
def strength(d, t, seat, board, shown):
    """Return the strength of a seat's two cards with the first `shown` (3 to 5) board cards, whose key is `board`."""
    cards = as_bytes(t)
    first = 8 * CARDS + 2 * seat
    best, suit = _ranked(d, board + _key(d, cards, first, 2), row.STRENGTHS + 2 * (shown - 3))
    if suit < 0:
        return best
    mask = _suited(cards, first, 2, suit) | _suited(cards, 8 * CARDS + 2 * d[SEATS], shown, suit)
    return max(best, np.int64(halves_at(d[row.FLUSHES])[mask]))


@compiled
def _omaha_strength(d, t, seat):
    """Return the best strength of exactly two of a seat's cards with three of the board."""
    cards = as_bytes(t)
    hole = d[row.HOLE]
    first, board = 8 * CARDS + hole * seat, 8 * CARDS + hole * d[SEATS]
    best = _NONE
    for one in range(first + 1, first + hole):
        for other in range(first, one):
            for left in range(board + 1, board + BOARD):
                for out in range(board, left):
                    best = max(best, _five(d, cards, one, other, board, left, out))
    return best


@compiled
def _five(d, cards, one, other, board, left, out):
    """Return the strength of two cards with the board except the cards `left` and `out`."""
    keys = words_at(d[row.STRENGTH_KEYS])
    key = keys[cards[one]] + keys[cards[other]]
    mask = _ONE << np.int64(cards[one] >> 2) | _ONE << np.int64(cards[other] >> 2)
    for card in range(board, board + BOARD):
        if card not in (left, out):
            key += keys[cards[card]]
            mask |= _ONE << np.int64(cards[card] >> 2)
    best, suit = _ranked(d, key, row.STRENGTHS)
    return best if suit < 0 else max(best, np.int64(halves_at(d[row.FLUSHES])[mask]))


@compiled
def board_strength(d, t):
    """Return the strength of the five board cards alone."""
    best, suit = _ranked(d, board_key(d, t, BOARD), row.STRENGTHS)
    if suit < 0:
        return best
    mask = _suited(as_bytes(t), 8 * CARDS + 2 * d[SEATS], BOARD, suit)
    return max(best, np.int64(halves_at(d[row.FLUSHES])[mask]))


@compiled
def board_key(d, t, shown):
    """Return the key of the first `shown` board cards."""
    return _key(d, as_bytes(t), 8 * CARDS + d[row.HOLE] * d[SEATS], shown)


@compiled
def pay(d, t):
    """Pay the pot of a hand that is over."""
    t[row.PAID] = 0
    if t[row.ENDED] == row.FOLDED_OUT:
        t[PLACES + PLACE * lowest(t[LIVE]) + STACK] += t[POT]
    else:
        _show_down(d, t)
    t[POT] = 0


@compiled
def _show_down(d, t):
    board = board_key(d, t, BOARD)
    strengths = ints_at(d[row.SCRATCH])
    places = t[LIVE]
    while places:
        place = lowest(places)
        seat = seat_at(d, t, place)
        strengths[place] = (
            strength(d, t, seat, board, BOARD) if d[row.HOLE] == 2 else _omaha_strength(d, t, seat)
        )
        places &= places - 1
    if t[CAN_BET] == t[LIVE]:
        _award(t, strengths, t[POT], t[LIVE])
    else:
        _pay_pots(d, t, strengths)


@compiled
def _award(t, strengths, chips, places):
    """Split chips among the winners of the given places; odd chips go one each to the first left of the button."""
    winners = _best(strengths, places)
    number = count(winners)
    share = chips // number
    odd = chips - share * number
    if share:
        t[row.PAID] |= winners
    while winners:
        if odd > 0:
            t[row.PAID] |= 1 << lowest(winners)
        t[PLACES + PLACE * lowest(winners) + STACK] += share + (1 if odd > 0 else 0)
        odd -= 1
        winners &= winners - 1


@compiled
def _put_in(t, place):
    """Return the chips a place has put in, not counting a big blind ante."""
    at = PLACES + PLACE * place
    dead = t[row.DEAD] if place == t[row.DEAD_PLACE] else 0
    return t[at + START] - t[at + STACK] - dead


@compiled
def _pay_pots(d, t, strengths):
    pots = ints_at(d[row.SCRATCH] + 8 * row.MOST_SEATS)
    for pot in range(pots_of(d, t, pots)):
        _award(t, strengths, pots[pot], pots[MOST_POTS + pot])


@compiled
def pots_of(d, t, pots):
    """Write the pots as `Hand.pots` has them, before anything is paid; return how many there are.

    Amounts come first in `pots`, the places that can win them `MOST_POTS` later.
    """
    if t[CAN_BET] == t[LIVE]:
        pots[0], pots[MOST_POTS] = t[POT], t[LIVE]
        return 1 if t[POT] else 0
    number, below, places = 0, np.int64(0), t[LIVE]
    all_in = t[LIVE] & ~t[CAN_BET]
    while True:
        level = np.int64(1) << 62  # an unbounded level: more than any place has put in
        for place in range(d[SEATS]):
            if all_in >> place & 1:
                level = min(level, _put_in(t, place))
        layer = 0
        for place in range(d[SEATS]):
            layer += max(min(_put_in(t, place), level) - below, 0)
        if layer and places:
            pots[number], pots[MOST_POTS + number] = layer, places
            number += 1
        elif layer:  # chips that folded places put in above every all-in join the last pot
            pots[number - 1] += layer
        if all_in == 0:
            break
        for place in range(d[SEATS]):
            if all_in >> place & 1 and _put_in(t, place) <= level:
                all_in &= ~(1 << place)
                places &= ~(1 << place)
        below = level
    if t[row.DEAD]:
        if number == 0:
            pots[0], pots[MOST_POTS] = 0, t[LIVE]
            number = 1
        pots[0] += t[row.DEAD]
    return number


@compiled
def collectors(d, t):
    """Return the places that won part of a pot, more than their own chips back.

    Call it right after `pay`: it reads the strengths in the scratch space, which the next deal or draw overwrites.
    """
    if t[row.ENDED] == row.FOLDED_OUT:
        return t[LIVE]
    strengths = ints_at(d[row.SCRATCH])
    winners = _best(strengths, t[LIVE])
    if t[CAN_BET] == t[LIVE] or winners & t[CAN_BET]:
        return winners
    left = t[LIVE] & ~winners & t[row.PAID]
    most = 0
    places = winners
    while places:
        most = max(most, t[PLACES + PLACE * lowest(places) + START])
        places &= places - 1
    others = 0
    places = t[LIVE] & ~winners
    while places:
        at = PLACES + PLACE * lowest(places)
        others += 1 if t[at + STACK] else 0
        places &= places - 1
    if others == 1 and left:
        at = PLACES + PLACE * lowest(left)
        if t[at + START] - t[at + STACK] == most:
            return winners
    return winners | left


@compiled
def _best(strengths, places):
    """Return the places, among those given, that hold the best hand."""
    best = -1
    winners = 0
    while places:
        place = lowest(places)
        if strengths[place] > best:
            best = strengths[place]
            winners = 0
        if strengths[place] == best:
            winners |= 1 << place
        places &= places - 1
    return winners
