"""One call for all tables: act, pay, deal again, and write the results into the caller's arrays."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import act, begin, bounds, mask_of, seat_at, take
from poker_actors.learn.compiled.decks import deal
from poker_actors.learn.compiled.expert import decide
from poker_actors.learn.compiled.paying import pay
from poker_actors.learn.compiled.row import BUTTON, ENDED, HAND, PLACE, PLACES, SEATS, STACK, START, TURN
from poker_actors.learn.compiled.seeing import see, see_compact, to_call_of
from poker_actors.learn.compiled.words import (
    bytes_at,
    compiled,
    compiled_call,
    doubles_at,
    ints_at,
    signed_at,
)

__all__ = ["ILLEGAL_BIT", "SEAT_BITS", "act_one", "begin_one", "deal_all", "see_one", "step_all"]

ILLEGAL_BIT: Final = 1 << 40
"""Above every answer of seat and mask: 4 bits and at most 22."""
SEAT_BITS: Final = 4
"""Enough for ten seats; the mask of actions stands above."""


@compiled
def _next_hand(d, t):
    """Deal the next hand that needs a decision, skipping hands that end without one."""
    while True:
        t[HAND] += 1
        t[BUTTON] = t[HAND] % d[SEATS]
        deal(d, t)
        begin(d, t)
        _others_act(d, t)
        if t[ENDED] == 0:
            return


@compiled
def _others_act(d, t):
    """Let the other seats' policies act until it is the learner's turn or the hand is over."""
    if d[row.LEARNER] < 0:
        return
    while t[ENDED] == 0 and seat_at(d, t, t[TURN]) != d[row.LEARNER]:
        action, total = decide(d, t)
        take(d, t, action, total)


@compiled
def _look(d, t, seat, address, to_call, least, most):
    if d[row.SEEN] == row.SEES_LAYOUT:
        see(d, t, seat, address, to_call, least, most)
    elif d[row.SEEN] == row.SEES_NUMBERS:
        see_compact(d, t, seat, address, to_call, least, most)


@compiled
def _tell(d, t, number):
    """Write the seat to act, its legal actions and its observation; after a hand, the observation is seat 0's."""
    seat = 0
    to_call = least = most = bits = 0
    if t[ENDED] == 0:
        seat = seat_at(d, t, t[TURN])
        to_call, least, most = bounds(d, t)
        bits = mask_of(d, t, to_call, least, most)
    signed_at(d[row.TURNS_AT])[number] = seat if t[ENDED] == 0 else -1
    actions = 2 + max(d[row.SIZES], 1)
    masks = bytes_at(d[row.MASKS_AT] + actions * number)
    for action in range(actions):
        masks[action] = bits >> action & 1
    _look(d, t, seat, d[row.SEEN_AT] + 4 * d[row.SEEN_SIZE] * number, to_call, least, most)


@compiled
def _settle(d, t, number):
    """Write each seat's result in big blinds and its number of illegal actions."""
    n = d[SEATS]
    rewards = doubles_at(d[row.REWARDS_AT] + 8 * n * number)
    wrong = signed_at(d[row.WRONG_AT] + 4 * n * number)
    unit = 1.0 / d[row.BIG]
    for place in range(n):
        seat, at = seat_at(d, t, place), PLACES + PLACE * place
        rewards[seat] = (t[at + STACK] - t[at + START]) * unit
        wrong[seat] = t[at + row.ILLEGAL]


@compiled_call
def deal_all(desk):
    """Deal the next hand at the marked tables and write their state."""
    d = ints_at(desk.ctypes.data)
    dealt, over = bytes_at(d[row.DEALT_AT]), bytes_at(d[row.OVER_AT])
    for number in range(d[row.FIRST], d[row.LAST]):
        if dealt[number]:
            t = ints_at(d[row.ROWS] + 8 * d[row.ROW_SIZE] * number)
            _next_hand(d, t)
            over[number] = 0
            _tell(d, t, number)


@compiled_call
def step_all(desk):
    """Take a turn at every table."""
    d = ints_at(desk.ctypes.data)
    n = d[SEATS]
    over = bytes_at(d[row.OVER_AT])
    actions, asked = ints_at(d[row.ACTIONS_AT]), doubles_at(d[row.ASKED_AT])
    for number in range(d[row.FIRST], d[row.LAST]):
        t = ints_at(d[row.ROWS] + 8 * d[row.ROW_SIZE] * number)
        # clear rewards only now, even where no hand follows: the caller reads them between steps
        if over[number]:
            rewards = doubles_at(d[row.REWARDS_AT] + 8 * n * number)
            for seat in range(n):
                rewards[seat] = 0.0
        if t[ENDED]:
            if d[row.AUTORESET] == row.NO_RESET:
                continue
            over[number] = 0
            _next_hand(d, t)
        else:
            over[number] = 0
            act(d, t, actions[number], 0.0 if d[row.SIZES] else asked[number])
            _others_act(d, t)
            if t[ENDED]:
                # order matters: the next hand is dealt into the same row, so report this one first
                pay(d, t)
                _settle(d, t, number)
                over[number] = 1
                if d[row.FINAL_AT]:
                    _look(d, t, d[row.LEARNER], d[row.FINAL_AT] + 4 * d[row.SEEN_SIZE] * number, 0, 0, 0)
                if d[row.AUTORESET] == row.SAME_STEP:
                    _next_hand(d, t)
        _tell(d, t, number)


@compiled
def _answer(d, t, illegal):
    """Return the seat to act | its mask << SEAT_BITS, negative when the hand is over; write its observation."""
    if t[ENDED]:
        return -1 - illegal
    seat = seat_at(d, t, t[TURN])
    to_call, least, most = bounds(d, t)
    _look(d, t, seat, d[row.SEEN_AT], to_call, least, most)
    return seat | mask_of(d, t, to_call, least, most) << SEAT_BITS | illegal


@compiled_call
def begin_one(desk, number, given):
    """Begin hand `number` at the only table; if `given`, with the cards already in its row."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    t[HAND] = number
    t[BUTTON] = number % d[SEATS]
    if not given:
        deal(d, t)
    begin(d, t)
    return _answer(d, t, 0)


@compiled_call
def act_one(desk, action, asked):
    """Take the turn of the seat to act at the only table; an illegal action sets `ILLEGAL_BIT` in the answer."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    illegal = act(d, t, action, asked)
    if t[ENDED]:
        pay(d, t)
    return _answer(d, t, ILLEGAL_BIT if illegal else 0)


@compiled_call
def see_one(desk, seat):
    """Write the observation of a seat of the only table."""
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    to_call, least, most = to_call_of(d, t, seat), 0, 0
    if t[ENDED] == 0 and seat == seat_at(d, t, t[TURN]):
        to_call, least, most = bounds(d, t)
    _look(d, t, seat, d[row.SEEN_AT], to_call, least, most)
