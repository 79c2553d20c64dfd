"""Where a player stands in a hand of hold'em, as one whole number: what everybody can see, in bins.

The functions that count are plain expressions on whole numbers, so that numba compiles them as they stand: the
trainer and the bot call the same ones. Nothing here looks at hole cards; see `cards`.
"""

from __future__ import annotations

from typing import Any, Final

from poker_actors.rules import View, log

__all__ = [
    "ACTIONS",
    "BUCKETS",
    "CHART",
    "entering",
    "numbers_of",
    "pressure",
    "raise_totals",
    "situation",
    "situation_of",
    "street_of",
]

ACTIONS: Final = 6
"""Fold, check or call, raise half the pot, the pot, two pots, everything."""
BUCKETS: Final = (169, 64, 64, 32)
"""Classes of cards by street."""
CHART: Final = (
    (1.00, 0.20, 1.00, 0.80, 0.50, 0.30, 0.20),
    (0.30, 0.30, 0.60, 0.40, 0.25, 0.20, 0.15),
    (0.50, 1.00, 1.00, 0.70, 0.40, 0.30, 0.25),
    (0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25),
)
"""The share of hands that enter from the small blind, the big blind, the button, the seat before it, and so on:
where nobody has, where others have called, against a raise, and against more than one. The dearer it is, the fewer of them
go on: `before_the_flop` of the house says how many."""
NOBODY, ME, OTHER = range(3)

_SEATS: Final = 6
_COUNTS: Final = 3
_RAISES: Final = 4
_PRICES: Final = 7
_DEPTHS: Final = 7
_ROOMS: Final = 8
_STREET_BITS: Final = 3
_CHARTED: Final = 26
"""Big blinds above which the chart counts."""
_KIND: Final = 112
_SEAT: Final = 15
_CALLED, _BET, _RAISED = log.CALLED, log.BET, log.RAISED


def pressure(actions: Any, first: int, opened: int, end: int, me: int) -> tuple[int, int, int, int]:
    """Return raises and calls after the last one on this street, whether `me` raised on it, and who raised last before it.

    `actions` are numbers as `rules.log` packs them, from the place `first`; those of this street are from `opened` to `end`.
    """
    raises = callers = mine = 0
    who = NOBODY
    for place in range(opened, end):
        entry = actions[first + place]
        kind = entry & _KIND
        if kind == _CALLED:
            callers += 1
        elif _BET <= kind <= _RAISED:
            raises += 1
            callers = 0
            if entry & _SEAT == me:
                mine = 1
    place = opened
    while place > 0 and who == NOBODY:
        place -= 1
        entry = actions[first + place]
        kind = entry & _KIND
        if _BET <= kind <= _RAISED:
            who = ME if entry & _SEAT == me else OTHER
    return raises, callers, mine, who


def situation(numbers: tuple[int, ...]) -> int:
    """Return the number of a situation, from what `numbers_of` gives of a view.

    `last` says that no opponent who can still bet acts after this place. `left` are the chips that can still be bet after
    a call, `depth` the stack that counts, both of the smaller one of this seat's and the largest opponent's. The last
    four are what `pressure` gives.
    """
    street, players, place, opponents, last, pot, to_call, left, depth, big, raises, callers, mine, who = (
        numbers
    )
    many = 1 if players > 2 else 0
    # Nothing, four parts of the pot, more, and all there is to win. Half a pot takes 25 % to call, seven tenths 29 %: where
    # chips are coarse that is less, but not so little as 25 %. For many a player one is a bluff and the other is not.
    odds = 100 * to_call // (pot + to_call)
    price = 1 + (odds > 22) + (odds > 25) + (odds > 36) + (odds > 43)
    price = 0 if to_call == 0 else 6 if left == 0 else price
    code = min(raises, _RAISES - 1)
    if street == 0:
        # big blind, small blind, button, the one before it, middle, early
        behind = players - 1 - place
        seat = 1 - place if place < 2 else 2 + (behind > 0) + (behind > 1) + (behind > 3)
        code = code * _SEATS + (seat if many else 2 * place)
        code = code * _COUNTS + (min(callers, _COUNTS - 1) if many else 0)
        code = code * 2 + (mine if many else 0)
        blinds = depth // big
        code = code * _DEPTHS + (blinds > 10) + (blinds > 16) + (blinds > 26)
        code += (blinds > 45) + (blinds > 75) + (blinds > 140)
    else:
        after = pot + to_call
        room = 1 + (2 * left >= after) + (left >= after)
        room += (left >= 2 * after) + (left >= 4 * after) + (left >= 9 * after) + (left >= 20 * after)
        code = code * _COUNTS + (who if raises == 0 else 0)
        code = code * _COUNTS + min(opponents, _COUNTS) - 1
        code = code * 2 + last
        # Where a call is for all there is to win, its price in eight parts instead: a player who calls a shove of half a pot
        # and one of forty pots alike is called too often by the one, or too seldom by the other.
        whole = (
            (odds > 25) + (odds > 34) + (odds > 41) + (odds > 44) + (odds > 46) + (odds > 47) + (odds > 48)
        )
        code = code * _ROOMS + (room if left else whole)
    return (code * _PRICES + price) << _STREET_BITS | many << 2 | street


def entering(numbers: tuple[int, ...], chart: tuple[tuple[float, ...], ...]) -> float:
    """Return the share of hands to enter with before the flop, by a chart; 0 where the table says what to do.

    With three seats or more the table has not seen enough before the flop to play it better. Short stacks go by the
    table: they go all-in or fold. `numbers` are those of `numbers_of`.
    """
    street, players, place, depth, big = numbers[0], numbers[1], numbers[2], numbers[8], numbers[9]
    if street or players == 2 or depth <= _CHARTED * big:
        return 0.0
    raises, callers = numbers[10], numbers[11]
    shares = chart[1 + min(raises, 2) if raises else min(callers, 1)]
    return shares[place if place < 2 else 2 + min(players - 1 - place, len(shares) - 3)]


def street_of(number: int) -> int:
    """Return the street of a situation."""
    return number & 3


def raise_totals(
    bet: int, pot: int, to_call: int, least: int, most: int, cap: int, limited: bool
) -> tuple[int, int, int, int]:
    """Return the totals of raises by half the pot, the pot and two pots, and of the largest; 0 for what is not offered.

    A raise that puts three quarters of what counts at stake is left to the largest. `cap` is the most that the
    largest opponent can match. `limited` by other rules than in training, each raise is the nearest that is allowed.
    """
    if most == 0:
        return 0, 0, 0, 0
    whole = pot + to_call
    half, one, two = bet + whole // 2, bet + whole, bet + 2 * whole
    if limited:
        return min(max(half, least), most), min(max(one, least), most), min(max(two, least), most), most
    near = 3 * min(most, cap)
    return (
        half if half >= least and 4 * half < near else 0,
        one if one >= least and 4 * one < near else 0,
        two if two >= least and 4 * two < near else 0,
        most,
    )


def numbers_of(view: View) -> tuple[int, ...]:
    """Return what `situation` is told, as the seat of a view sees it."""
    public, me = view.public, view.seat
    dealt = public.dealt
    setup = dealt.setup
    behind, front, live = public.chips_behind, public.chips_in_front, public.seats_live
    size, first = len(setup.stacks), setup.button + 1
    players = place = 0
    for turn in range(first, first + size):
        seat = turn if turn < size else turn - size
        if setup.stacks[seat]:
            if seat == me:
                place = players
            players += 1
    top = max([front[seat] + behind[seat] for seat in live if seat != me], default=0)
    depth = min(front[me] + behind[me], top)
    bet = public.bet
    after = live[live.index(me) + 1 :]
    pressed = pressure(dealt.log, 0, dealt.marks[dealt.street], public.seq, me)
    return (
        dealt.street,
        players,
        place,
        len(live) - 1,
        0 if any(behind[seat] for seat in after) else 1,
        public.pot,
        min(bet - front[me], behind[me]),
        max(depth - bet, 0),
        depth,
        max(setup.stakes.big_blind, 1),
        *pressed,
    )


def situation_of(view: View) -> int:
    """Return the situation of the seat of a view."""
    return situation(numbers_of(view))
