"""The luck of a finished hand: its worth when the betting ended, and the change by each deal.

Advantage sums (Zinkevich, Bowling, Bard, Kan and Billings, Optimal unbiased estimators, 2006; White and
Bowling, Learning a value analysis tool, 2009): for any valuation of situations, the change by a deal
has mean 0, so any multiple of it may be subtracted from a result without bias.
The value here is each live seat's share of the pots at a showdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.rules import Game, Hand
from poker_actors.sim.luck.worth import Deal, shares

_HIGH_CARD: Final = {12: 20, 11: 16, 10: 14, 9: 12}
"""Half points of ace, king, queen and jack; other cards count half their pips in points."""
_GAP: Final = (0, 2, 4, 8, 10)
"""Half points taken off by the number of ranks between the cards."""


@cache
def scores(pack: tuple[Card, ...]) -> dict[int, int]:
    """Return the scores of all pairs of cards of a pack, by 64 * first + second.

    A score is the square of the points by Bill Chen's formula (L. Krieger, Hold'em Excellence), less
    its mean over all pairs, times the number of pairs: an integer with mean 0 however the cards are
    played.
    """
    squares = {pair: chen_half_points(*pair) ** 2 for pair in combinations(pack, 2)}
    total, count = sum(squares.values()), len(squares)
    found = {}
    for (first, second), square in squares.items():
        found[first << 6 | second] = found[second << 6 | first] = count * square - total
    return found


def chen_half_points(first: Card, second: Card) -> int:
    """Return twice the points of two hole cards by Chen's formula, unrounded, at least 0.

    >>> from poker_actors.cards import parse_cards
    >>> [chen_half_points(*parse_cards(text)) / 2 for text in ("AsAh", "AsKs", "JhTh", "5d5c", "7c2d")]
    [20.0, 12.0, 9.0, 5.0, 0.0]
    """
    high, low = sorted((first.rank, second.rank), reverse=True)
    points = _HIGH_CARD.get(high, high + 2)
    if high == low:
        return max(10, 2 * points)
    apart = high - low - 1
    points -= _GAP[min(apart, len(_GAP) - 1)]
    if apart < 2 and high < 10:
        points += 2
    return max(0, points + (4 if first.suit == second.suit else 0))


MILLI: Final = 1000
"""Worths are integers, in thousandths of a chip: they add up to the same in any order, where floats would not."""

TERMS: Final = (
    "own first cards",
    "others' first cards",
    "second street",
    "third street",
    "later streets",
    "all streets by the pot",
    "all streets by the share",
)
"""The terms of a hand's luck; changes on streets are divided by the root of the pot unless it says otherwise.

A better share wins the pot and bets to come, which grow more slowly than the pot. Of the sets tried,
this one removes most variance with few terms; many terms do worse where tails are heavy.
"""


@attrs.frozen
class Luck:
    """The effect of chance in a hand, by seat."""

    worth: tuple[int, ...]
    """the result in thousandths of a chip, with cards after the last bet replaced by their mean"""
    terms: tuple[tuple[int, ...], ...]
    """by seat, a number for each of `TERMS`, with mean 0 however the players act"""


def luck_of(hand: Hand, rng: Random) -> Luck:
    """Compute the luck of a finished hand; `rng` draws the cards that might have come."""
    seats = len(hand.starting)
    worth = expected_payoffs(hand, rng)
    if worth is None:
        worth = [MILLI * (after - before) for after, before in zip(hand.stacks, hand.starting, strict=True)]
    terms = [[0] * len(TERMS) for _ in range(seats)]
    dealt = [seat for seat, stack in enumerate(hand.starting) if stack]
    if len(dealt) > 1:
        for seat, (own, others) in zip(dealt, _luck_of_the_deal(hand, dealt, rng), strict=True):
            terms[seat][:2] = own, others
        acted = len(hand.log)
        for street, mark in enumerate(hand.marks):
            # streets after the last action are in the worth already
            if street and mark < acted:
                _add_street(terms, hand, street, rng)
    return Luck(tuple(worth), tuple(map(tuple, terms)))


def _luck_of_the_deal(hand: Hand, dealt: Sequence[int], rng: Random) -> list[tuple[int, int]]:
    """Return the value of each seat's first cards, and of all other seats' together.

    Two hole cards have points. Other cards are valued by their share of the pot above a fair one, in
    thousandths; it accounts for the others' cards, so their value is 0.
    """
    game, first = hand.game, hand.game.streets[0]
    if game.hole_cards == first.hole == 2 and not (first.board or game.draws):
        points = scores(hand.game.pack)
        own = [points[one << 6 | other] for one, other in [hand.holes[seat] for seat in dealt]]
        total = sum(own)
        return [(each, total - each) for each in own]
    begun = hand.replay([])
    (won,), parts = shares(_lying(begun, 0, begun.holes), [tuple(dealt)], rng)
    return [(_rounded(MILLI * len(dealt) * share, parts) - MILLI, 0) for share in won]


def _add_street(terms: list[list[int]], hand: Hand, street: int, rng: Random) -> None:
    """Add the change that a street's cards make to each seat's worth, by the pots at that time."""
    entries, opened = hand.entries(), hand.marks[street]
    then = hand.replay(entries[:opened])
    pots = [(pot.amount, pot.seats) for pot in then.pots if pot.amount and len(pot.seats) > 1]
    if not pots:  # everybody has checked, and the pot is empty
        return
    changed = _changed(hand.game, street, then, entries)
    if changed is None:
        return
    earlier_deal, later_deal = changed
    seats = [each for _, each in pots]
    before, of = shares(earlier_deal, seats, rng)
    after, of_after = shares(later_deal, seats, rng)
    total = sum(amount for amount, _ in pots)
    root, place = sqrt(total), min(1 + street, 4)
    changes = dict.fromkeys(then.live, 0)
    for (amount, those), earlier, later in zip(pots, before, after, strict=True):
        for seat, one, two in zip(those, earlier, later, strict=True):
            changes[seat] += _rounded(MILLI * amount * (two * of - one * of_after), of * of_after)
    for seat, change in changes.items():
        row = terms[seat]
        row[place] += round(change / root)
        row[5] += change
        row[6] += _rounded(MILLI * change, total)


def _changed(game: Game, street: int, then: Hand, entries: Sequence[int]) -> tuple[Deal, Deal] | None:
    """Return the cards before and after a street's deal; None once the stub was reshuffled.

    In a draw, all discards were chosen before any new card could be seen (a seat knows only the number
    of the others'). So the hands before are those kept, valued as if they stood pat.
    """
    turn = game.streets[street]
    throws = len(then.live) if turn.draw or turn.throw else 0
    settled = then.replay(entries[: len(then.log) + throws]) if throws else then
    if settled.extra is not None and settled.extra.stub.reshuffles:
        return None
    kept = [
        tuple([card for card in held if card in now])
        for held, now in zip(then.holes, settled.holes, strict=True)
    ]
    return _lying(settled, street - 1, kept), _lying(settled, street, settled.holes)


def _lying(hand: Hand, street: int, holes: Sequence[tuple[Card, ...]]) -> Deal:
    """Return the cards on the table after a street was dealt; folded seats get no more cards."""
    streets = hand.game.streets[: street + 1]
    count = sum([each.hole + each.up for each in streets])
    held = tuple([cards[:count] if seat in hand.live else cards for seat, cards in enumerate(holes)])
    board = sum([each.board for each in streets])
    if street + 1 == len(hand.game.streets):
        board = len(hand.board)  # includes stud's last card if it was dealt to the board
    boards = tuple([cards[:board] for cards in _boards(hand)])
    thrown = () if hand.extra is None else hand.extra.thrown
    return Deal(hand.game, held, boards, tuple([card for *_, cards in thrown for card in cards]))


def _boards(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """Return the boards dealt at once; further runs of a board are left to chance."""
    options = hand.options
    bomb = options.bomb_boards if options is not None and options.bomb_pot else 1
    return hand.boards[: max(hand.game.boards, bomb)]


def expected_payoffs(hand: Hand, rng: Random) -> list[int] | None:
    """Return the expected payoff of each seat when the betting ended, in thousandths of a chip.

    It is the mean over the cards still to come, given all cards dealt, folded ones included, so that
    its mean over many hands is that of the real results. None if nothing was left to chance (no
    all-in, no showdown, or no card to come) or the stub was reshuffled. Odd chips are shared as
    fractions.
    """
    if hand.strengths is None or len(hand.can_bet) == len(hand.live):
        return None
    acted = len(hand.log)
    street = max((street for street, mark in enumerate(hand.marks) if mark < acted), default=0)
    if street + 1 == len(hand.game.streets) or (hand.extra is not None and hand.extra.stub.reshuffles):
        return None
    put_in = _matched(hand, street)
    before = hand.copy()
    before.stacks = tuple([start - paid for start, paid in zip(hand.starting, put_in, strict=True)])
    pots = before.pots
    rakes = before.rakes(pots)
    won, parts = shares(_lying(hand, street, hand.holes), [pot.seats for pot in pots], rng)
    expected = [-MILLI * parts * paid for paid in put_in]
    for pot, rake, totals in zip(pots, rakes, won, strict=True):
        for seat, share in zip(pot.seats, totals, strict=True):
            expected[seat] += MILLI * (pot.amount - rake) * share
    return [_rounded(chips, parts) for chips in expected]


def _rounded(value: int, by: int) -> int:
    """Divide and round, halves up, in integers: floats would be inexact for many chips."""
    return (2 * value + by) // (2 * by)


def _matched(hand: Hand, street: int) -> list[int]:
    """Return the chips each seat put in, without the uncalled part of the last bet, which was made on `street`."""
    log = hand.public().log
    put_in = list(log.put_in)
    front = [0] * len(put_in) if street else list(log.front)
    for taken in log.streets()[street]:
        front[taken.seat] = taken.in_front
    matched, most = sorted(front)[-2:]
    put_in[front.index(most)] -= most - matched
    return put_in
