"""The luck of a finished hand, compiled; it equals that of `sim.luck.luck_of`, the original, to the last thousandth.

The hand is replayed in its own row, action by action, so that every street is seen as it opened.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import begin, seat_at, take
from poker_actors.learn.compiled.luck import next_bits, seed_generator
from poker_actors.learn.compiled.paying import MOST_POTS, board_key, pots_of, strength
from poker_actors.learn.compiled.row import (
    CAN_BET,
    LIVE,
    LOGGED,
    MARKS,
    PLACE,
    PLACES,
    SEATS,
    STREET,
    as_bytes,
    compiled,
    count,
    ints_at,
    lowest,
)
from poker_actors.rules import log

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.compiled.desk import Desk

LUCK_NUMBERS: Final = 8
"""Numbers of a seat's luck: its worth in thousandths of a chip, and the seven terms of `sim.luck.TERMS`."""
_MILLI: Final = 1_000
_BOARD: Final = 5
_PART: Final = 2_520
"""Parts of a pot: 1 to 10 winners share it without a remainder."""
_CHIP, _PARTS = _MILLI // 40, _PART // 40
"""Thousandths of a chip and parts of a pot, divided by their common divisor, to fit in 64 bits."""
_CARDS: Final = 64
_STUB: Final = 0
_AMOUNTS: Final = _STUB + _CARDS
_OWNERS: Final = _AMOUNTS + MOST_POTS
_BEFORE: Final = _OWNERS + MOST_POTS
_AFTER: Final = _BEFORE + MOST_POTS * row.MOST_SEATS
_STRENGTHS: Final = _AFTER + MOST_POTS * row.MOST_SEATS
_CHANGES: Final = _STRENGTHS + row.MOST_SEATS
_POINTS: Final = _CHANGES + row.MOST_SEATS
_WAYS: Final = _POINTS + _CARDS * _CARDS
"""Words of scratch space: the cards to come, the pots and their seats, shares by pot and place before and after a deal,
strengths and changes by place; then two tables: points of hole cards, and the places of the cards of each sampled way."""


@attrs.frozen(eq=False)
class LuckTables:
    """Tables to measure luck with: points of two hole cards by 64 * first + second, and the ways a board can fall.

    `ways` are places in the shuffled cards to come, five for each way. Before the flop they are a sample; after it all
    ways are counted, of which there are 990 at most. With 70 million chips at a table, a pot times the parts won in all
    pairs of ways still fits in 64 bits.
    """

    points: dict[int, int]
    ways: NDArray[Any]


def ready_for_luck(desk: Desk, tables: LuckTables) -> None:
    """Prepare a desk for `note_luck`."""
    space = desk.give(row.CHANCE_AT, (_WAYS + tables.ways.size,), np.int64)
    for cards, points in tables.points.items():
        space[_POINTS + cards] = points
    space[_WAYS:] = tables.ways.ravel()
    desk.numbers[row.SAMPLED] = len(tables.ways)


_kind_of, _amount_of = compiled(log.kind_of), compiled(log.amount_of)


@compiled
def note_luck(d, t, out):
    """Write the luck of a finished hand that is not paid yet, `LUCK_NUMBERS` for each seat; its row stays unchanged.

    Then write whether the worths are known already: without chance they are the results.
    """
    n, acted, at = d[SEATS], t[LOGGED], d[row.LOG_AT]
    for place in range(LUCK_NUMBERS * n + 1):
        out[place] = 0
    _note_deal(d, t, out)
    begin(d, t)
    last = 0
    while t[LOGGED] < acted:
        if t[STREET] and t[LOGGED] == t[MARKS + t[STREET]]:
            _note_street(d, t, out)
        last = t[STREET]
        entry = t[at + t[LOGGED]]
        kind = _kind_of(entry)
        raised = kind in (log.BET, log.RAISED)
        take(d, t, 2 if raised else 0 if kind == log.FOLDED else 1, _amount_of(entry))
    _note_worth(d, t, out, last)


@compiled
def _note_deal(d, t, out):
    """Write the points of each seat's hole cards, and of all other seats' together."""
    cards, points = as_bytes(t), ints_at(d[row.CHANCE_AT] + 8 * _POINTS)
    total = 0
    for seat in range(d[SEATS]):
        first = 8 * row.CARDS + 2 * seat
        own = points[np.int64(cards[first]) << 6 | np.int64(cards[first + 1])]
        out[LUCK_NUMBERS * seat + 1] = own
        total += own
    for seat in range(d[SEATS]):
        out[LUCK_NUMBERS * seat + 2] = total - out[LUCK_NUMBERS * seat + 1]


@compiled
def _shares(d, t, space, pots, street, shares):
    """Write the parts of each pot that its places win, over all ways to complete the cards on a street.

    Returns the number of ways. The row's own board is put back.
    """
    known = street + 2 if street else 0
    cards, first = as_bytes(t), 8 * row.CARDS + 2 * d[SEATS]
    for place in range(pots * row.MOST_SEATS):
        shares[place] = 0
    kept = (cards[first], cards[first + 1], cards[first + 2], cards[first + 3], cards[first + 4])
    stub = _gather(d, t, space, known)
    number = 0
    if known == 0:
        _shuffle(d, t, space, stub)
        number = d[row.SAMPLED]
        for way in range(number):
            for card in range(_BOARD):
                cards[first + card] = space[_STUB + space[_WAYS + _BOARD * way + card]]
            _share_out(d, t, space, pots, shares)
    elif known == _BOARD:
        _share_out(d, t, space, pots, shares)
        number = 1
    else:
        for one in range(stub):
            cards[first + known] = space[_STUB + one]
            for other in range(one) if known == _BOARD - 2 else range(1):
                if known == _BOARD - 2:
                    cards[first + known + 1] = space[_STUB + other]
                _share_out(d, t, space, pots, shares)
                number += 1
    for card in range(_BOARD):
        cards[first + card] = kept[card]
    return number


@compiled
def _gather(d, t, space, known):
    """Write the cards that neither a seat nor the board holds, in order; return how many there are."""
    cards = as_bytes(t)
    held = np.int64(0)
    for card in range(2 * d[SEATS] + known):
        held |= np.int64(1) << np.int64(cards[8 * row.CARDS + card])
    stub = 0
    for card in range(52):
        if held >> card & 1 == 0:
            space[_STUB + stub] = card
            stub += 1
    return stub


@compiled
def _shuffle(d, t, space, stub):
    """Shuffle the cards to come as `Random.shuffle` does, with a generator that no bot draws from."""
    seed_generator(d, t, d[SEATS])
    drawn = 0
    for place in range(stub - 1, 0, -1):
        bits = 0
        while (place + 1) >> bits:
            bits += 1
        other = place + 1
        while other > place:
            other = next_bits(d, drawn, bits)
            drawn += 1
        card = space[_STUB + place]
        space[_STUB + place] = space[_STUB + other]
        space[_STUB + other] = card


@compiled
def _share_out(d, t, space, pots, shares):
    """Add the parts of each pot that its places win on the board in the row."""
    key = board_key(d, t, _BOARD)
    places = space[_OWNERS]  # everybody who can win a pot can win the first
    while places:
        place = lowest(places)
        space[_STRENGTHS + place] = strength(d, t, seat_at(d, t, place), key, _BOARD)
        places &= places - 1
    for pot in range(pots):
        best, winners, places = -1, 0, space[_OWNERS + pot]
        while places:
            place = lowest(places)
            if space[_STRENGTHS + place] > best:
                best, winners = space[_STRENGTHS + place], 0
            if space[_STRENGTHS + place] == best:
                winners |= 1 << place
            places &= places - 1
        part = _PART // count(winners)
        while winners:
            shares[pot * row.MOST_SEATS + lowest(winners)] += part
            winners &= winners - 1


@compiled
def _rounded(value, by):
    """Divide and round, halves up."""
    return (2 * value + by) // (2 * by)


@compiled
def _note_street(d, t, out):
    """Add the change that the cards of the newly opened street make to each seat's worth of the current pots."""
    space = ints_at(d[row.CHANCE_AT])
    pots = _contested(pots_of(d, t, ints_at(d[row.CHANCE_AT] + 8 * _AMOUNTS)), space)
    if pots == 0:
        return
    before, after = ints_at(d[row.CHANCE_AT] + 8 * _BEFORE), ints_at(d[row.CHANCE_AT] + 8 * _AFTER)
    earlier = _shares(d, t, space, pots, t[STREET] - 1, before)
    later = _shares(d, t, space, pots, t[STREET], after)
    total = 0
    for place in range(d[SEATS]):
        space[_CHANGES + place] = 0
    for pot in range(pots):
        amount = space[_AMOUNTS + pot]
        total += amount
        for place in range(d[SEATS]):
            if space[_OWNERS + pot] >> place & 1:
                at = pot * row.MOST_SEATS + place
                gained = _CHIP * amount * (after[at] * earlier - before[at] * later)
                space[_CHANGES + place] += _rounded(gained, _PARTS * earlier * later)
    root = np.sqrt(np.float64(total))
    for place in range(d[SEATS]):
        change, at = space[_CHANGES + place], LUCK_NUMBERS * seat_at(d, t, place)
        out[at + 2 + t[STREET]] += np.int64(np.rint(change / root))
        out[at + 6] += change
        out[at + 7] += _rounded(_MILLI * change, total)


@compiled
def _contested(pots, space):
    """Keep the pots that more than one seat can win; return how many there are."""
    kept = 0
    for pot in range(pots):
        if count(space[_OWNERS + pot]) > 1:
            space[_AMOUNTS + kept], space[_OWNERS + kept] = space[_AMOUNTS + pot], space[_OWNERS + pot]
            kept += 1
    return kept


@compiled
def _note_worth(d, t, out, street):
    """Write each seat's result, with cards dealt after the last action, on `street`, replaced by their mean."""
    space, shares = ints_at(d[row.CHANCE_AT]), ints_at(d[row.CHANCE_AT] + 8 * _AFTER)
    if t[row.ENDED] == row.FOLDED_OUT or t[CAN_BET] == t[LIVE] or street + 1 == row.STREETS:
        return
    pots = pots_of(d, t, ints_at(d[row.CHANCE_AT] + 8 * _AMOUNTS))
    number = _shares(d, t, space, pots, street, shares)
    for place in range(d[SEATS]):
        at = PLACES + PLACE * place
        worth = -_PART * number * (t[at + row.START] - t[at + row.STACK])
        for pot in range(pots):
            if space[_OWNERS + pot] >> place & 1:
                worth += space[_AMOUNTS + pot] * shares[pot * row.MOST_SEATS + place]
        out[LUCK_NUMBERS * seat_at(d, t, place)] = _rounded(_CHIP * worth, _PARTS * number)
    out[LUCK_NUMBERS * d[SEATS]] = 1
