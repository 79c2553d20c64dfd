"""The betting of hold'em on one row of numbers, compiled: what `rules.Hand` does, for learners' tables.

`rules` is the original. This is its translation for the games that `fits` names, and a property
test compares the two action by action. State is an int64 row: a head (the names below), then five
blocks of a number a seat: stacks, bets, answered, live, can bet; then the queue of seats to act.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# (numba infers the types; the callers are typed)

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numba
import numpy as np

from poker_actors.rules import log

__all__ = [
    "AMOUNTS_AT",
    "BASE",
    "BIG",
    "BUTTON",
    "CAP",
    "CARDS_AT",
    "FIXED",
    "HEAD",
    "HISTORY_AT",
    "IN_HAND",
    "LOGGED",
    "SEATS",
    "SMALL",
    "STACKS",
    "START_AT",
    "STREET",
    "act",
    "begin",
    "paint",
]

HEAD: Final = 18
BLOCK: Final = 10
(
    SEATS,
    STREET,
    BET,
    INCREMENT,
    LEAST,
    RAISES,
    WAITING,
    CAN_BET,
    LIVE,
    LOGGED,
    BUTTON,
    SMALL,
    BIG,
    FIXED,
    CAP,
    ENDED,
    AMOUNTS_AT,
    HISTORY_AT,
) = range(HEAD)
"""Players; street; the bet to match; the increment and the total of a full raise; raises; seats to act, that
can bet, that are live; actions; button; blinds; whether bets are fixed; the most bets a street; how it ended; where
amounts and actions begin in an observation."""

STACKS: Final = HEAD
BETS: Final = STACKS + BLOCK
ANSWERED: Final = BETS + BLOCK
IN_HAND: Final = ANSWERED + BLOCK
OPEN: Final = IN_HAND + BLOCK
QUEUE: Final = OPEN + BLOCK
START_AT: Final = QUEUE + BLOCK
"""Stacks before the blinds."""
CARDS_AT: Final = START_AT + BLOCK
"""Two cards for each seat, then the board."""
BASE: Final = CARDS_AT + 2 * BLOCK + 5
"""How long a row is, before the actions: one number each, as in the log of a hand."""

FOLDED_OUT: Final = 1
SHOWDOWN: Final = 2
STREETS: Final = 4
NOT_YET: Final = -1
CHECKED, CALLED, WAGERED, RAISED = log.CHECKED, log.CALLED, log.BET, log.RAISED
STEP, AMOUNT_BITS = log.STEP, log.AMOUNT_BITS
"""Kinds of actions, as in the log of a hand."""


def _compiled(function: Callable[..., Any]) -> Any:
    """Compile when first called and keep the code on disk, if there is a place for it."""
    try:
        return numba.njit(cache=True)(function)
    except RuntimeError:  # no directory that numba may write to
        return numba.njit(function)


_seat_of, _kind_of, _amount_of = _compiled(log.seat_of), _compiled(log.kind_of), _compiled(log.amount_of)


@_compiled
def begin(s, o, sizes):
    """Post the blinds, deal, and ask the first seat; gives what `act` gives."""
    n = s[SEATS]
    button = s[BUTTON]
    first = (button + 1) % n
    small, big = (button, first) if n == 2 else (first, (first + 1) % n)
    for i in range(n):
        s[STACKS + i] = s[START_AT + i]
        s[BETS + i] = 0
        s[ANSWERED + i] = NOT_YET
        s[IN_HAND + i] = 1
        s[OPEN + i] = 1
    s[STACKS + small] -= s[SMALL]
    s[BETS + small] = s[SMALL]
    s[STACKS + big] -= s[BIG]
    s[BETS + big] = s[BIG]
    s[STREET] = 0
    s[BET] = s[BIG]
    s[INCREMENT] = s[BIG]
    s[LEAST] = 2 * s[BIG]
    s[RAISES] = 1
    s[LIVE] = n
    s[CAN_BET] = n
    s[LOGGED] = 0
    s[ENDED] = 0
    s[WAITING] = n
    for i in range(n):
        s[QUEUE + i] = (big + 1 + i) % n
    streets_at = 104
    at_history = s[HISTORY_AT]
    for i in range(n):
        o[i, :at_history] = 0.0
        o[i, at_history:] = -1.0
        o[i, s[CARDS_AT + 2 * i]] = 1.0
        o[i, s[CARDS_AT + 2 * i + 1]] = 1.0
        o[i, streets_at] = 1.0
        o[i, streets_at + STREETS + (i - button - 1) % n] = 1.0
    return _ask(s, o, sizes)


@_compiled
def act(s, o, sizes, action, asked):
    """Take the turn of the seat to act; `asked` is a total in chips where sizes are continuous.

    Gives the next seat with the mask of its actions above (`seat | bits << 4`), -1 when all others
    have folded, -2 before a showdown; 1 << 40 on top for an action that was not legal.
    """
    seat = s[QUEUE]
    owed = s[BET] - s[BETS + seat]
    illegal = 0
    total = 0
    if action < 0 or action > 1:
        total = _total(s, sizes, seat, action, asked)
        if total == 0:
            illegal = 1 << 40
            action = 0 if owed > 0 else 1
    before = s[LOGGED]
    street = s[STREET]
    if action == 0:
        _fold(s, seat)
    elif action == 1:
        _call(s, seat, owed)
    else:
        _raise(s, seat, total)
    _write(s, o, before, street)
    if s[ENDED] == FOLDED_OUT:
        return -1 - illegal
    if s[ENDED] == SHOWDOWN:
        return -2 - illegal
    return _ask(s, o, sizes) + illegal


@_compiled
def _fold(s, seat):
    _next(s)
    s[BASE + s[LOGGED]] = seat
    s[LOGGED] += 1
    s[IN_HAND + seat] = 0
    s[OPEN + seat] = 0
    s[LIVE] -= 1
    s[CAN_BET] -= 1
    if s[LIVE] == 1:
        _pay_last(s)
        return
    if s[CAN_BET] < 2:
        _spare(s)
    if s[WAITING] == 0:
        _close(s)


@_compiled
def _call(s, seat, owed):
    _next(s)
    if owed > 0:
        owed = _pay(s, seat, owed)
        s[BASE + s[LOGGED]] = owed << AMOUNT_BITS | CALLED | seat
    else:
        s[BASE + s[LOGGED]] = CHECKED | seat
    s[LOGGED] += 1
    s[ANSWERED + seat] = s[BET]
    if owed > 0 and s[CAN_BET] < 2:
        _spare(s)
    if s[WAITING] == 0:
        _close(s)


@_compiled
def _raise(s, seat, total):
    n = s[SEATS]
    waiting = 0
    for i in range(1, n):
        other = (seat + i) % n
        if s[OPEN + other]:
            s[QUEUE + waiting] = other
            waiting += 1
    s[WAITING] = waiting
    _pay(s, seat, total - s[BETS + seat])
    s[BASE + s[LOGGED]] = total << AMOUNT_BITS | (WAGERED if s[BET] == 0 else RAISED) | seat
    s[LOGGED] += 1
    if s[FIXED]:
        if 2 * (total - (s[LEAST] - s[INCREMENT])) >= s[INCREMENT]:
            s[RAISES] += 1
            s[LEAST] = total + s[INCREMENT]
    else:
        increment = total - s[BET]
        if increment >= s[INCREMENT]:
            s[RAISES] += 1
            s[INCREMENT] = increment
        s[LEAST] = total + s[INCREMENT]
    s[BET] = total
    s[ANSWERED + seat] = total


@_compiled
def _next(s):
    s[WAITING] -= 1
    for i in range(s[WAITING]):
        s[QUEUE + i] = s[QUEUE + i + 1]


@_compiled
def _pay(s, seat, chips):
    stack = s[STACKS + seat] - chips
    if stack <= 0:
        chips += stack
        stack = 0
        s[OPEN + seat] = 0
        s[CAN_BET] -= 1
    s[STACKS + seat] = stack
    s[BETS + seat] += chips
    return chips


@_compiled
def _spare(s):
    if s[WAITING] == 0:
        return
    seat = s[QUEUE]
    most = 0
    for i in range(s[SEATS]):
        if i != seat and s[IN_HAND + i] and s[BETS + i] > most:
            most = s[BETS + i]
    if s[BETS + seat] >= most:
        s[WAITING] = 0
    elif most < s[BET]:
        s[BET] = most


@_compiled
def _return_uncalled(s):
    n = s[SEATS]
    most = second = 0
    who = -1
    for i in range(n):
        if s[BETS + i] > most:
            second = most
            most = s[BETS + i]
            who = i
        elif s[BETS + i] > second:
            second = s[BETS + i]
    if most > second:
        s[BETS + who] = second
        s[STACKS + who] += most - second


@_compiled
def _pay_last(s):
    _return_uncalled(s)
    pot = 0
    winner = 0
    for i in range(s[SEATS]):
        pot += s[START_AT + i] - s[STACKS + i]
        if s[IN_HAND + i]:
            winner = i
    s[STACKS + winner] += pot
    s[WAITING] = 0
    s[STREET] = STREETS
    s[ENDED] = FOLDED_OUT


@_compiled
def _close(s):
    n = s[SEATS]
    if s[CAN_BET] < s[LIVE]:
        _return_uncalled(s)
    while True:
        s[STREET] += 1
        if s[STREET] == STREETS:
            s[ENDED] = SHOWDOWN
            return
        for i in range(n):
            s[BETS + i] = 0
            s[ANSWERED + i] = NOT_YET
        s[BET] = 0
        s[RAISES] = 0
        unit = s[BIG] * 2 if s[FIXED] and s[STREET] > 1 else s[BIG]
        s[INCREMENT] = unit
        s[LEAST] = unit
        if s[CAN_BET] > 1:
            waiting = 0
            for i in range(n):
                other = (s[BUTTON] + 1 + i) % n
                if s[OPEN + other]:
                    s[QUEUE + waiting] = other
                    waiting += 1
            s[WAITING] = waiting
            return


@_compiled
def _bounds(s, seat):
    """To call, the least and the largest raise of the seat to act; 0, 0 when it may not."""
    mine = s[BETS + seat]
    stack = s[STACKS + seat]
    owed = s[BET] - mine
    least = most = 0
    answered = s[ANSWERED + seat]
    may = s[CAN_BET] > 1 and stack > owed and not (s[CAP] and s[RAISES] >= s[CAP])
    if may and answered != NOT_YET:
        since = s[BET] - answered
        may = (2 * since if s[FIXED] else since) >= s[INCREMENT]
    if may:
        most = mine + stack
        if s[FIXED]:
            most = min(most, s[LEAST])
        least = min(s[LEAST], most)
    return min(owed, stack), least, most


@_compiled
def _pot(s):
    pot = 0
    for i in range(s[SEATS]):
        pot += s[START_AT + i] - s[STACKS + i]
    return pot


@_compiled
def _sized(s, size, seat, to_call, least, most):
    """The total of a size, 0 where it is not legal: -1 is the least, -2 all-in, else a part of the pot."""
    if most == 0:
        return 0
    if size == -1.0:
        return least
    if size == -2.0:
        total = s[BETS + seat] + s[STACKS + seat]
    else:
        total = s[BET] + int(np.rint((_pot(s) + to_call) * size))
    return total if least <= total <= most else 0


@_compiled
def _total(s, sizes, seat, action, asked):
    to_call, least, most = _bounds(s, seat)
    if sizes.size:
        if 2 <= action < 2 + sizes.size:
            return _sized(s, sizes[action - 2], seat, to_call, least, most)
        return 0
    if action != 2 or most == 0:
        return 0
    if not asked > least:
        return least
    return most if asked > most else int(np.rint(asked))


@_compiled
def _ask(s, o, sizes):
    seat = s[QUEUE]
    to_call, least, most = _bounds(s, seat)
    bits = 3
    if sizes.size:
        for i in range(sizes.size):
            if _sized(s, sizes[i], seat, to_call, least, most):
                bits |= 4 << i
    elif most:
        bits |= 4
    _amounts(s, o, seat, to_call, least, most)
    return seat | bits << 4


@_compiled
def _amounts(s, o, seat, to_call, least, most):
    n = s[SEATS]
    at = s[AMOUNTS_AT]
    unit = 1.0 / s[BIG]
    for i in range(n):
        other = (seat + i) % n
        o[seat, at + i] = s[IN_HAND + other]
        o[seat, at + n + i] = s[STACKS + other] * unit
        o[seat, at + 2 * n + i] = s[BETS + other] * unit
    at += 3 * n
    o[seat, at] = _pot(s) * unit
    o[seat, at + 1] = to_call * unit
    o[seat, at + 2] = least * unit
    o[seat, at + 3] = most * unit


@_compiled
def paint(s, o, seat):
    """Bring the row of a seat that is not to act up to date."""
    to_call = 0
    if s[WAITING] and s[IN_HAND + seat]:
        to_call = min(s[BET] - s[BETS + seat], s[STACKS + seat])
    _amounts(s, o, seat, to_call, 0, 0)


@_compiled
def _write(s, o, before, street):
    """Bring the new action, and a street that has opened, to everybody's row."""
    n = s[SEATS]
    at_history = s[HISTORY_AT]
    entry = s[BASE + before]
    kind = _kind_of(entry) // STEP
    amount = _amount_of(entry) * (1.0 / s[BIG])
    rows = (o.shape[1] - at_history) // 4
    if rows:
        place = before
        if before >= rows:
            place = rows - 1
            for i in range(n):
                for at in range(at_history, o.shape[1] - 4):
                    o[i, at] = o[i, at + 4]
        at = at_history + 4 * place
        for i in range(n):
            o[i, at] = street
            o[i, at + 1] = (_seat_of(entry) - i) % n
            o[i, at + 2] = kind
            o[i, at + 3] = amount
    if s[STREET] != street:
        folded_out = s[ENDED] == FOLDED_OUT
        shown = 0 if folded_out else 5 if s[STREET] >= 3 else s[STREET] + 2
        for i in range(n):
            for card in range(shown):
                o[i, 52 + s[CARDS_AT + 2 * n + card]] = 1.0
            o[i, 104 + street] = 0.0
            if s[STREET] < STREETS:
                o[i, 104 + s[STREET]] = 1.0
