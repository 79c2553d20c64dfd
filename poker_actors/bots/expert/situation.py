"""A player's situation in a hand of hold'em as one integer: public information, in bins.

The functions are plain integer expressions that numba compiles unchanged, so that the trainer and the bot share them.
Nothing here looks at hole cards; see `cards`. A change of any bin invalidates every trained table.
"""

from __future__ import annotations

from typing import Any, Final

from poker_actors.rules import View, log

ACTIONS: Final = 6
"""Fold; check or call; raise half the pot, the pot, two pots, or all-in."""
BUCKETS: Final = (169, 64, 64, 32)
"""Number of classes of cards by street."""
CHART: Final = (
    (1.00, 0.20, 1.00, 0.80, 0.50, 0.30, 0.20),
    (0.30, 0.30, 0.60, 0.40, 0.25, 0.20, 0.15),
    (0.50, 1.00, 1.00, 0.70, 0.40, 0.30, 0.25),
    (0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25),
)
"""The share of hands to enter with, by seat: small blind, big blind, button, the seat before it, and so on. A row each
for an unopened pot, after callers, against a raise, and against several. It was derived from 20,000 decks against the
bots tight, loose and pot-odds, which fold too much before the flop: hence it opens every hand on the button and in the
small blind. The house's `before_the_flop` plays fewer of these hands the higher the price is."""
NOBODY, ME, OTHER = range(3)
RAISES: Final = 10
"""The place of the raises on this street in the numbers of a situation."""

_SEATS: Final = 6
_COUNTS: Final = 3
_RAISES: Final = 4
_PRICES: Final = 7
_DEPTHS: Final = 7
_ROOMS: Final = 8
"""Numbers of bins: a field added to a situation is multiplied by one of these, which must exceed the field's values."""
_STREET_BITS: Final = 3
"""Two bits for the street and one for more than two seats."""
_ROUGH_BITS: Final = 15
ROUGH: Final = (1 << _ROUGH_BITS) - 1
"""The bits of a situation after the flop without what only heads-up tells apart: board and earlier streets."""
APART: Final = 64 << _ROUGH_BITS
"""Added, heads-up, to a situation that faces a bet between half a pot and a pot: it has rows of its own."""
SITUATIONS: Final = APART + (55 << _ROUGH_BITS)
"""An exclusive upper bound of `situation`: table files may hold numbers above it, which are ignored."""
_POT: Final = 32
"""Percent of the final pot below which the price of a call is that of a bet smaller than the pot, which costs 33 %."""
_FLUSH: Final = 8
"""The texture of a board on which one card of a suit, or on the flop two, makes a flush."""
_CHARTED: Final = 26
"""Depth in big blinds above which the chart applies; it is a boundary of the bins of depth, too."""
MOST_POTS: Final = 4
"""The largest bet of deep stacks, in pots after a call."""
_KIND: Final = 112
_SEAT: Final = 15
"""Masks of the kind and the seat in an entry of `rules.log`."""
_CALLED, _BET, _RAISED = log.CALLED, log.BET, log.RAISED


def pressure(
    actions: Any, first: int, before: int, opened: int, end: int, me: int
) -> tuple[int, int, int, int, int]:
    """Return raises on this street, calls since the last one, whether `me` raised, the last raiser before, and quiet.

    `actions` are entries of `rules.log` that begin at index `first`; those of this street are `opened` to `end` - 1,
    those of the street before begin at `before`. The last raiser is NOBODY, ME or OTHER, from earlier streets; quiet
    is 1 if nobody raised on the street before.
    """
    raises = callers = mine = 0
    who, quiet = NOBODY, 1
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
            quiet = 1 if place < before else 0
    return raises, callers, mine, who, quiet


def texture(cards: Any, first: int, shown: int) -> int:
    """Return what the `shown` board cards from index `first` make likely, 0 to 8: flushes, pairs, straights."""
    ranks = twice = 0
    most = 0
    for suit in range(4):
        many = 0
        for place in range(first, first + shown):
            many += 1 if cards[place] & 3 == suit else 0
        most = max(most, many)
    for place in range(first, first + shown):
        rank = 1 << (cards[place] >> 2)
        twice = 1 if ranks & rank else twice
        ranks |= rank
    # two or three of a suit on the flop, three or four later
    suited = most - (1 if shown == 3 else 2)
    if suited > 1:
        return _FLUSH
    wheel = ranks << 1 | ranks >> 12
    straight = 0
    for low in range(10):
        held = wheel >> low & 31
        several = (held & 1) + (held >> 1 & 1) + (held >> 2 & 1) + (held >> 3 & 1) + (held >> 4)
        straight = 1 if several >= min(shown, 4) else straight
    return (max(suited, 0) * 2 + twice) * 2 + straight


def situation(numbers: tuple[int, ...]) -> int:
    """Return the number of a situation, from the numbers of `numbers_of`.

    `last` is 1 if no opponent who can still bet acts after this place. `depth` is the effective stack, the smaller of
    this seat's and the largest opponent's; `left` is what remains of it after a call. Then come the five of `pressure`
    and, heads-up after the flop, that of `texture`.
    """
    street, players, place, opponents, last, pot, to_call, left, depth, big = numbers[:10]
    raises, callers, mine, who, quiet, board = numbers[10:]
    many = 1 if players > 2 else 0
    # Bins: free, below half a pot, half a pot, a pot, two pots, more, and all-in. Calling half a pot costs 25 % of the
    # final pot, a pot 33 %, two pots 40 %; the limits leave room for rounding to whole chips. A bet of 0.7 pots (29 %)
    # is kept apart from half a pot: many players bluff with one and not with the other.
    odds = 100 * to_call // (pot + to_call)
    price = 1 + (odds > 22) + (odds > 25) + (odds > 36) + (odds > 43)
    price = 0 if to_call == 0 else 6 if left == 0 else price
    code = min(raises, _RAISES - 1)
    if street == 0:
        # big blind, small blind, button, the seat before it, middle, early
        behind = players - 1 - place
        seat = 1 - place if place < 2 else 2 + (behind > 0) + (behind > 1) + (behind > 3)
        code = code * _SEATS + (seat if many else 2 * place)
        code = code * _COUNTS + (min(callers, _COUNTS - 1) if many else 0)
        code = code * 2 + (mine if many else 0)
        # each bin of depth reaches about 1.7 times as deep as the one before
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
        # Against an all-in nothing is left to bet, so this field holds the price in eight bins, from half a pot to more
        # than twenty: with one bin, shoves of half a pot and of forty would be called equally often.
        whole = (
            (odds > 25) + (odds > 34) + (odds > 41) + (odds > 44) + (odds > 46) + (odds > 47) + (odds > 48)
        )
        code = code * _ROOMS + (room if left else whole)
    number = (code * _PRICES + price) << _STREET_BITS | many << 2 | street
    if street and not many:
        number |= (1 + (board * _COUNTS + who) * 2 + quiet) << _ROUGH_BITS
    # the learner bets half a pot and a pot: only guests teach what to answer to bets between
    return number + (APART if price == 3 and odds < _POT and raises > 0 and many == 0 else 0)


def rough(number: int) -> int:
    """Return a situation in coarser bins, for where training has not seen enough of it.

    They lack board, earlier streets, and what tells bets between half a pot and a pot apart.
    """
    return number & ROUGH if number & 3 else number % APART


def entering(numbers: tuple[int, ...], chart: tuple[tuple[float, ...], ...]) -> float:
    """Return the share of hands to enter with before the flop, by a chart; 0 where the table decides.

    With three seats or more, training has not seen enough hands before the flop to play better than a chart. Short
    stacks, which go all-in or fold, use the table. `numbers` are those of `numbers_of`.
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
    """Return the totals of raises by half the pot, the pot, two pots and the maximum; 0 for one that is not offered.

    A raise of three quarters of the effective stack or more is left to the maximum: a bet that large commits the rest.
    `cap` is the most that the largest opponent can match. If `limited` (not no-limit), each raise is the nearest legal
    one.
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


def largest(two: int, most: int, bet: int, whole: int, blinds: int) -> int:
    """Return what to raise to where the table goes all-in to `most`: to `two`, two pots, if that is over four pots.

    So people bet, and those who call everything are not worth more. `two` is 0 if not offered, `whole` is the pot after
    a call. Short stacks, up to 26 big blinds deep, go all-in.
    """
    return two if two and blinds > _CHARTED and most - bet > MOST_POTS * whole else most


def numbers_of(view: View) -> tuple[int, ...]:
    """Return the arguments of `situation` for the seat of a view."""
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
    street, board = dealt.street, dealt.board
    before = dealt.marks[street - 1] if street else 0
    pressed = pressure(public.entries, 0, before, dealt.marks[street], public.seq, me)
    return (
        street,
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
        texture(board, 0, len(board)) if board and players == 2 else 0,
    )


def situation_of(view: View) -> int:
    """Return the situation of the seat of a view."""
    return situation(numbers_of(view))
