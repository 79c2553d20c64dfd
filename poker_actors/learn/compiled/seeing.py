"""A seat's observation, compiled: float32 in `Layout`, or int32 in `CompactLayout`."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.row import (
    BUTTON,
    FRONT,
    LIVE,
    LOGGED,
    MARKS,
    PLACE,
    PLACES,
    POT,
    SEATS,
    STACK,
    STREET,
    as_bytes,
    compiled,
    floats_at,
    signed_at,
)
from poker_actors.rules import log

_seat_of, _kind_of, _amount_of = compiled(log.seat_of), compiled(log.kind_of), compiled(log.amount_of)
KIND_STEP: Final = log.STEP
BOARD_AT: Final = 52
STREET_AT: Final = 104
"""Where board and street begin in `Layout`, after 52 numbers of hole cards and 52 of the board."""
SHOWN: Final = 5
NO_CARD: Final = -1


@compiled
def _shown(t):
    """Return the number of board cards shown."""
    return min(t[STREET] + 2, SHOWN) if t[STREET] else 0


@compiled
def _place_of(d, t, seat):
    place = seat - t[BUTTON] - 1
    return place if place >= 0 else place + d[SEATS]


@compiled
def to_call_of(d, t, seat):
    """Return the price of a call for any seat, to act or not."""
    place = _place_of(d, t, seat)
    if t[row.WAITING] == 0 or not t[LIVE] >> place & 1:
        return 0
    at = PLACES + PLACE * place
    return max(min(t[row.BET] - t[at + FRONT], t[at + STACK]), 0)


@compiled
def see(d, t, seat, address, to_call, least, most):
    """Write a seat's observation in `Layout`, amounts in big blinds; its raise bounds are 0 when it is not to act."""
    out = floats_at(address)
    cards = as_bytes(t)
    n = d[SEATS]
    for at in range(d[row.SEEN_HISTORY]):
        out[at] = 0.0
    first = 8 * row.CARDS
    hole = d[row.HOLE]
    for card in range(hole):
        out[cards[first + hole * seat + card]] = 1.0
    for card in range(_shown(t)):
        out[BOARD_AT + cards[first + hole * n + card]] = 1.0
    if t[row.ENDED] == 0:
        out[STREET_AT + t[STREET]] = 1.0
    place = _place_of(d, t, seat)
    out[STREET_AT + row.STREETS + place] = 1.0
    unit = 1.0 / d[row.BIG]
    at = d[row.SEEN_LIVE]
    for turn in range(n):
        other = PLACES + PLACE * place
        out[at + turn] = t[LIVE] >> place & 1
        out[at + n + turn] = t[other + STACK] * unit
        out[at + 2 * n + turn] = t[other + FRONT] * unit
        place = place + 1 if place + 1 < n else 0
    at += 3 * n
    out[at] = t[POT] * unit
    out[at + 1] = to_call * unit
    out[at + 2] = least * unit
    out[at + 3] = most * unit
    _see_history(d, t, seat, out, unit)


@compiled
def _see_history(d, t, seat, out, unit):
    n, at = d[SEATS], d[row.SEEN_HISTORY]
    size, street = d[row.LOG_SIZE] - 1, 0
    first = max(0, t[LOGGED] - d[row.SEEN_ROWS])
    for number in range(first, t[LOGGED]):
        while street < t[STREET] and street < row.STREETS - 1 and number >= t[MARKS + street + 1]:
            street += 1
        entry = t[d[row.LOG_AT] + (number & size)]
        other = _seat_of(entry) - seat
        out[at] = street
        out[at + 1] = other if other >= 0 else other + n
        out[at + 2] = _kind_of(entry) // KIND_STEP
        out[at + 3] = _amount_of(entry) * unit
        at += 4
    for rest in range(at, d[row.SEEN_SIZE]):
        out[rest] = -1.0


@compiled
def see_compact(d, t, seat, address, to_call, least, most):
    """Write a seat's observation in `CompactLayout`, amounts in chips."""
    out = signed_at(address)
    cards = as_bytes(t)
    n = d[SEATS]
    first = 8 * row.CARDS
    hole = d[row.HOLE]
    for card in range(hole):
        out[card] = cards[first + hole * seat + card]
    shown = _shown(t)
    for card in range(SHOWN):
        out[hole + card] = cards[first + hole * n + card] if card < shown else NO_CARD
    place = _place_of(d, t, seat)
    at = hole + SHOWN
    out[at] = t[STREET] if t[row.ENDED] == 0 else row.STREETS
    out[at + 1] = place
    out[at + 2] = t[POT]
    out[at + 3] = to_call
    out[at + 4] = least
    out[at + 5] = most
    at += 6
    for turn in range(n):
        other = PLACES + PLACE * place
        out[at + turn] = t[LIVE] >> place & 1
        out[at + n + turn] = t[other + STACK]
        out[at + 2 * n + turn] = t[other + FRONT]
        place = place + 1 if place + 1 < n else 0
