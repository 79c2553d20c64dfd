"""Hold'em betting on one row of numbers, compiled: the rules of `rules.Hand` for learners' tables.

`rules` is the original. This is its only translation, for the games that `Setting.compiles` accepts, and property
tests compare the two action by action. In every function `d` is a desk and `t` the row of a table; see `row`.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# (numba infers the types; the callers are typed)

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.row import (
    ANSWERED,
    BET,
    CAN_BET,
    DEAD,
    DEAD_PLACE,
    ENDED,
    FRONT,
    ILLEGAL,
    INCREMENT,
    LEAST,
    LIVE,
    LOGGED,
    MARKS,
    NOT_YET,
    PLACE,
    PLACES,
    POT,
    RAISES,
    SEATS,
    STACK,
    START,
    STREET,
    STREETS,
    TURN,
    WAITING,
    compiled,
    count,
    doubles_at,
    lowest,
)
from poker_actors.rules import log

BUTTON: Final = row.BUTTON
CHECKED, CALLED, WAGERED, RAISED = log.CHECKED, log.CALLED, log.BET, log.RAISED
AMOUNT_BITS: Final = log.AMOUNT_BITS
FIXED, POT_LIMIT = row.FIXED_LIMIT, row.POT_LIMIT


@compiled
def seat_at(d, t, place):
    """Return the seat of a place."""
    seat = t[BUTTON] + 1 + place
    return seat if seat < d[SEATS] else seat - d[SEATS]


@compiled
def begin(d, t):
    """Start a hand whose cards are already in the row: post antes and blinds and find the first place to act."""
    n = d[SEATS]
    everybody = (1 << n) - 1
    for place in range(n):
        at = PLACES + PLACE * place
        t[at + STACK] = t[at + START] = d[row.STACKS + seat_at(d, t, place)]
        t[at + FRONT] = t[at + ILLEGAL] = 0
        t[at + ANSWERED] = NOT_YET
        if d[row.LUCK_AT]:
            t[d[row.LUCK_AT] + row.LUCK * place] = row.NOT_SEEDED
    t[LIVE] = t[CAN_BET] = everybody
    t[STREET] = t[POT] = t[ENDED] = t[LOGGED] = t[MARKS] = 0
    t[row.MISSING] = t[DEAD] = 0
    last = _post_all(d, t)
    # `_turn_on` starts after TURN: the place left of the last blind acts first, or place 0 without blinds
    t[TURN] = last
    t[WAITING] = t[CAN_BET]
    _open_with_blinds(d, t)
    if count(t[CAN_BET]) < 2:
        _spare(t)
    if t[WAITING]:
        _turn_on(t)
    else:
        _close(d, t)


@compiled
def _post_all(d, t):
    """Post antes and blinds in the order of the rules; return the place of the last blind."""
    n = d[SEATS]
    if d[row.ANTE]:
        for place in range(n):
            _post(t, place, d[row.ANTE])
    small, big = (1, 0) if n == 2 else (0, 1)
    if d[row.SMALL]:
        _post_blind(t, small, d[row.SMALL])
    if d[row.BIG]:
        _post_blind(t, big, d[row.BIG])
    last = big
    if d[row.STRADDLE]:
        last = (big + 1) % n
        _post_blind(t, last, d[row.STRADDLE] - t[PLACES + PLACE * last + FRONT])
    if d[row.BIG_ANTE]:
        t[DEAD] = _post(t, big, d[row.BIG_ANTE])
        t[DEAD_PLACE] = big
    return last if d[row.BIG] or d[row.STRADDLE] else n - 1


@compiled
def _post(t, place, chips):
    at = PLACES + PLACE * place
    if chips >= t[at + STACK]:
        chips = t[at + STACK]
        t[CAN_BET] &= ~(1 << place)
    t[at + STACK] -= chips
    t[POT] += chips
    return chips


@compiled
def _post_blind(t, place, chips):
    paid = _post(t, place, chips)
    t[PLACES + PLACE * place + FRONT] += paid
    t[row.MISSING] += chips - paid


@compiled
def _open_with_blinds(d, t):
    opening = d[row.STRADDLE] if d[row.STRADDLE] else d[row.BIG]
    unit = d[row.MIN_BET]
    t[BET] = opening
    t[RAISES] = 1 if opening else 0
    if opening > unit:
        if d[row.BETTING] == FIXED:
            t[RAISES] = opening // unit
        else:
            unit = opening
    t[INCREMENT] = unit
    t[LEAST] = opening + unit


@compiled
def _turn_on(t):
    """Pass the turn to the next waiting place."""
    # -(2 << n) has every bit above n set: places left of the one that just acted; if none waits, wrap round
    later = t[WAITING] & -(2 << t[TURN])
    t[TURN] = lowest(later if later else t[WAITING])


@compiled
def act(d, t, action, asked):
    """Take the turn of the place to act; without raise sizes `asked` is the total in chips.

    Action 0 folds, 1 checks or calls, 2 and up raise. An illegal action checks if possible, else folds. Return 1 if
    it was illegal, else 0.
    """
    illegal = 0
    total = 0
    if action < 0 or action > 1:
        total = _total(d, t, action, asked)
        if total == 0:
            illegal = 1
            at = PLACES + PLACE * t[TURN]
            t[at + ILLEGAL] += 1
            action = 0 if t[BET] > t[at + FRONT] else 1
    take(d, t, action, total)
    return illegal


@compiled
def take(d, t, action, total):
    """Apply a legal action of the place to act; 2 and up raise to `total`."""
    place = t[TURN]
    t[WAITING] &= ~(1 << place)
    if action == 0:
        _fold(d, t, place)
    elif action == 1:
        _call(d, t, place, t[BET] - t[PLACES + PLACE * place + FRONT])
    else:
        _raise(d, t, place, total)
    if t[ENDED] == 0 and t[WAITING]:
        _turn_on(t)


@compiled
def _note(d, t, entry):
    """Append an action to the log, a ring buffer: when it is shorter than the hand, the oldest entries are lost.

    Its size is a power of two, so masking the index replaces a division.
    """
    t[d[row.LOG_AT] + (t[LOGGED] & (d[row.LOG_SIZE] - 1))] = entry
    t[LOGGED] += 1


@compiled
def _fold(d, t, place):
    _note(d, t, seat_at(d, t, place))
    t[LIVE] &= ~(1 << place)
    t[CAN_BET] &= ~(1 << place)
    if count(t[LIVE]) == 1:
        _return_uncalled(d, t)
        t[WAITING] = 0
        t[ENDED] = row.FOLDED_OUT
        return
    if count(t[CAN_BET]) < 2:
        _spare(t)
    if t[WAITING] == 0:
        _close(d, t)


@compiled
def _call(d, t, place, owed):
    seat = seat_at(d, t, place)
    if owed > 0:
        owed = _pay(t, place, owed)
        _note(d, t, owed << AMOUNT_BITS | CALLED | seat)
        if count(t[CAN_BET]) < 2:
            _spare(t)
    else:
        _note(d, t, CHECKED | seat)
    t[PLACES + PLACE * place + ANSWERED] = t[BET]
    if t[WAITING] == 0:
        _close(d, t)


@compiled
def _raise(d, t, place, total):
    at = PLACES + PLACE * place
    t[WAITING] = t[CAN_BET] & ~(1 << place)
    _pay(t, place, total - t[at + FRONT])
    kind = WAGERED if t[BET] == 0 else RAISED
    _note(d, t, total << AMOUNT_BITS | kind | seat_at(d, t, place))
    if d[row.BETTING] == FIXED:
        # an all-in of half a bet or more counts as a full raise; a smaller one leaves LEAST alone, so that the next
        # player may complete it
        if 2 * (total - (t[LEAST] - t[INCREMENT])) >= t[INCREMENT]:
            t[RAISES] += 1
            t[LEAST] = total + t[INCREMENT]
    else:
        increment = total - t[BET]
        if increment >= t[INCREMENT]:
            t[RAISES] += 1
            t[INCREMENT] = increment
        t[LEAST] = total + t[INCREMENT]
    t[BET] = total
    t[at + ANSWERED] = total


@compiled
def _pay(t, place, chips):
    at = PLACES + PLACE * place
    stack = t[at + STACK] - chips
    if stack <= 0:
        chips += stack
        stack = 0
        t[CAN_BET] &= ~(1 << place)
    t[at + STACK] = stack
    t[at + FRONT] += chips
    t[POT] += chips
    return chips


@compiled
def _spare(t):
    """Skip the decision of the last place with chips when nobody could respond to it.

    Otherwise it would be asked to bet or to call chips that only come back to it.
    """
    if t[WAITING] == 0:
        return
    later = t[WAITING] & -(2 << t[TURN])
    place = lowest(later if later else t[WAITING])
    most = 0
    others = t[LIVE] & ~(1 << place)
    while others:
        most = max(most, t[PLACES + PLACE * lowest(others) + FRONT])
        others &= others - 1
    if t[PLACES + PLACE * place + FRONT] >= most:
        t[WAITING] = 0
    elif most < t[BET]:
        t[BET] = most  # the others are all-in for less: more than that would only be returned


@compiled
def _return_uncalled(d, t):
    """Return the part of the largest bet that nobody matched."""
    most = second = 0
    whose = -1
    for place in range(d[SEATS]):
        front = t[PLACES + PLACE * place + FRONT]
        if front > most:
            second = most
            most = front
            whose = place
        elif front > second:
            second = front
    if most > second:
        at = PLACES + PLACE * whose
        t[at + FRONT] = second
        t[at + STACK] += most - second
        t[POT] -= most - second


@compiled
def _close(d, t):
    """Advance to the next street on which somebody can act, or to the showdown."""
    # no all-in, no uncalled bet: every live place has matched
    if t[CAN_BET] != t[LIVE]:
        _return_uncalled(d, t)
    while True:
        t[STREET] += 1
        if t[STREET] == STREETS:
            t[ENDED] = row.SHOWDOWN
            return
        t[MARKS + t[STREET]] = t[LOGGED]
        for place in range(d[SEATS]):
            at = PLACES + PLACE * place
            t[at + FRONT] = 0
            t[at + ANSWERED] = NOT_YET
        t[BET] = t[RAISES] = 0
        unit = d[row.MIN_BET]
        if d[row.BETTING] == FIXED and t[STREET] > 1:
            unit *= 2
        t[INCREMENT] = t[LEAST] = unit
        if count(t[CAN_BET]) > 1:
            t[WAITING] = t[CAN_BET]
            t[TURN] = d[SEATS] - 1
            return


@compiled
def may_raise(d, t):
    """Whether the place to act may raise, if its chips allow it."""
    answered = t[PLACES + PLACE * t[TURN] + ANSWERED]
    may = count(t[CAN_BET]) > 1 and not (d[row.CAP] and t[RAISES] >= d[row.CAP])
    if may and answered != NOT_YET:
        since = t[BET] - answered
        may = (2 * since if d[row.BETTING] == FIXED else since) >= t[INCREMENT]
    return may


@compiled
def bounds(d, t):
    """Return the chips to call and the smallest and largest total to raise to, 0 and 0 when it may not raise."""
    at = PLACES + PLACE * t[TURN]
    mine, stack = t[at + FRONT], t[at + STACK]
    owed = t[BET] - mine
    fixed = d[row.BETTING] == FIXED
    may = stack > owed and may_raise(d, t)
    least = most = 0
    if may:
        most = mine + stack
        if fixed:
            most = min(most, t[LEAST])
        elif d[row.BETTING] == POT_LIMIT:
            # before the flop a short blind counts as a full one, as in `rules`
            pot = t[POT] + (t[row.MISSING] if t[STREET] == 0 else 0)
            most = min(max(t[BET] + pot + owed, t[LEAST]), most)
        least = min(t[LEAST], most)
    return min(owed, stack), least, most


@compiled
def _sized(t, size, to_call, least, most):
    """Return the total of a raise size, 0 if illegal; -1 is the minimum, -2 all-in, else a fraction of the pot."""
    if most == 0:
        return 0
    if size == -1.0:
        return least
    if size == -2.0:
        at = PLACES + PLACE * t[TURN]
        total = t[at + FRONT] + t[at + STACK]
    else:
        total = t[BET] + np.int64(np.rint((t[POT] + to_call) * size))
    return total if least <= total <= most else 0


@compiled
def _total(d, t, action, asked):
    to_call, least, most = bounds(d, t)
    if d[row.SIZES]:
        if 2 <= action < 2 + d[row.SIZES]:
            return _sized(t, doubles_at(d[row.SIZES_AT])[action - 2], to_call, least, most)
        return 0
    if action != 2 or most == 0:
        return 0
    if not asked > least:  # not `asked <= least`: NaN must become the minimum, as in `LearningTable`
        return least
    return most if asked > most else np.int64(np.rint(asked))


@compiled
def mask_of(d, t, to_call, least, most):
    """Return the legal actions of the place to act, a bit each, from its `bounds`."""
    bits = 3
    if d[row.SIZES]:
        sizes = doubles_at(d[row.SIZES_AT])
        for number in range(d[row.SIZES]):
            if _sized(t, sizes[number], to_call, least, most):
                bits |= 4 << number
    elif most:
        bits |= 4
    return bits
