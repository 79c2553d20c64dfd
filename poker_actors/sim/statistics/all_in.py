"""All-in hands by what they were worth, not by what fell: the adjustment for luck on later streets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random
from typing import Final

from poker_actors.cards import Card
from poker_actors.rules import Event, Hand, event
from poker_actors.rules.cash import CashHand

__all__ = ["MILLI", "expected_payoffs"]

MILLI: Final = 1000
"""Expected results are kept in thousandths of a chip: whole numbers add up the same in any order."""

_MOST_RUNOUTS: Final = 60
"""Boards looked at: all of them up to this number (one card to come), else as many drawn at random.

Drawing adds a sixtieth of the variance it takes away.
"""


def expected_payoffs(hand: Hand, rng: Random) -> list[int] | None:
    """Give what each seat of a finished hand could expect when the betting ended, in thousandths.

    That is the mean over the boards that could still come, given every card already dealt, folded
    ones included: so the mean over many hands is that of the real results. None when nothing was
    left to chance: no all-in, no showdown, or no card to come. Odd chips are
    shared as fractions.
    """
    if hand.strengths is None or len(hand.can_bet) == len(hand.live):
        return None
    board = hand.board[: _board_at_the_end_of_betting(hand)]
    if len(board) == len(hand.board):
        return None
    put_in = _put_in(hand)
    won = [0.0] * len(put_in)
    before = hand.copy()
    before.stacks = [start - paid for start, paid in zip(hand.starting, put_in, strict=True)]
    pots = before.pots
    rakes = before.rakes(pots) if isinstance(before, CashHand) else [0] * len(pots)
    shares = [(pot.amount - rake, pot.seats) for pot, rake in zip(pots, rakes, strict=True)]
    holes = [hand.holes[seat] for seat in hand.live]
    count = 0
    for runout in _runouts(hand, board, rng):
        count += 1
        strengths = dict(zip(hand.live, hand.game.strengths(holes, runout), strict=True))
        for amount, seats in shares:
            best = max([strengths[seat] for seat in seats])
            winners = [seat for seat in seats if strengths[seat] == best]
            for seat in winners:
                won[seat] += amount / len(winners)
    return [round(MILLI * (chips / count - paid)) for chips, paid in zip(won, put_in, strict=True)]


def _board_at_the_end_of_betting(hand: Hand) -> int:
    """How many board cards lay when the last seat acted."""
    acted = len(hand.log)
    last = max((street for street, mark in enumerate(hand.marks) if mark < acted), default=0)
    return sum(street.board for street in hand.game.streets[: last + 1])


def _put_in(hand: Hand) -> list[int]:
    """What each seat put in and did not get back uncalled, by playing the hand again."""
    put_in = [0] * len(hand.starting)

    def listen(news: Event) -> None:
        match news:
            case event.Posted(seat, _, amount) | event.Acted(seat, _, amount, _):
                put_in[seat] += amount
            case event.UncalledReturned(seat, amount):
                put_in[seat] -= amount
            case _:
                pass

    hand.replay(listener=listen)
    return put_in


def _runouts(hand: Hand, board: tuple[Card, ...], rng: Random) -> Iterator[tuple[Card, ...]]:
    known = {*board, *(card for hole in hand.holes for card in hole)}
    left = [card for card in hand.game.pack if card not in known]
    missing = hand.game.board_cards - len(board)
    if comb(len(left), missing) <= _MOST_RUNOUTS:
        for cards in combinations(left, missing):
            yield board + cards
    else:
        for _ in range(_MOST_RUNOUTS):
            yield board + tuple(rng.sample(left, missing))
