"""The end of a hand: uncalled bets back, cards turned up, pots paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.rules.event import Awarded, HandEnded, Mucked, Shown, UncalledReturned
from poker_actors.rules.pots import split_pot

if TYPE_CHECKING:
    from poker_actors.rules.hand import Hand

__all__ = ["pay_last_seat", "return_uncalled", "show_down", "showdown_order", "shown_seats", "turn_up"]


def return_uncalled(hand: Hand) -> None:
    """Give the part of the highest bet that nobody matched back to who made it."""
    bets = hand.bets
    most = max(bets)
    if bets.count(most) > 1 or not most:
        return
    seat = bets.index(most)
    second = max(bets[other] for other in range(len(bets)) if other != seat)
    amount = most - second
    hand.bets = bets.copy()
    hand.bets[seat] = second
    _give(hand, seat, amount)
    if hand.listener is not None:
        hand.listener(UncalledReturned(seat, amount))


def turn_up(hand: Hand) -> None:
    """Tell the listener all hole cards: somebody is all-in and nobody can bet any more.

    It comes before the rest of the board is dealt (TDA 2024, rule 16).
    """
    assert hand.listener is not None
    for seat in hand.live:
        hand.listener(Shown(seat, hand.holes[seat]))


def pay_last_seat(hand: Hand) -> None:
    """Everybody else has folded: the last seat wins without showing."""
    hand.to_act = []
    return_uncalled(hand)
    seat = hand.live[0]
    pot = hand.pot
    hand.street = len(hand.game.streets)
    _give(hand, seat, pot)
    if hand.listener is not None:
        if pot:  # a bet over no blinds and antes comes back whole
            hand.listener(Awarded(0, seat, pot))
        hand.listener(HandEnded(tuple(hand.stacks), hand.payoffs))


def show_down(hand: Hand) -> None:
    """Compare the live hands and pay every pot."""
    live = hand.live
    holes = hand.holes
    strengths = hand.strengths = hand.game.strengths([holes[seat] for seat in live], hand.board)
    if hand.listener is not None or len(hand.can_bet) < len(live):
        _pay_pots(hand, dict(zip(live, strengths, strict=True)))
        return
    # Nobody is all-in and nobody listens, as in most hands of a simulation: one pot, one look.
    best = max(strengths)
    pot = hand.pot
    if strengths.count(best) == 1:
        _give(hand, live[strengths.index(best)], pot)
        return
    winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
    for seat, amount in split_pot(pot, winners):
        _give(hand, seat, amount)


def _pay_pots(hand: Hand, strengths: dict[int, int]) -> None:
    listener = hand.listener
    pots = hand.pots
    turned_up = len(hand.can_bet) < 2 and hand.marks[-1] == len(hand.log)
    if listener is not None and not turned_up:
        shown = shown_seats(hand)
        for seat in showdown_order(hand):
            listener(Shown(seat, hand.holes[seat]) if seat in shown else Mucked(seat))
    for number, pot in enumerate(pots):
        best = max(strengths[seat] for seat in pot.seats)
        winners = [seat for seat in pot.seats if strengths[seat] == best]
        for seat, amount in split_pot(pot.amount, winners):
            _give(hand, seat, amount)
            if listener is not None:
                listener(Awarded(number, seat, amount))
    if listener is not None:
        listener(HandEnded(tuple(hand.stacks), hand.payoffs))


def _give(hand: Hand, seat: int, chips: int) -> None:
    """Add chips to a stack; a new list, since a `PublicState` may share the old one."""
    stacks = hand.stacks.copy()
    stacks[seat] += chips
    hand.stacks = stacks


def showdown_order(hand: Hand) -> list[int]:
    """Who shows first: the last to bet on the last street, else the first left of the button.

    TDA 2024, rule 17.
    """
    live = hand.live
    start = live.index(hand.aggressor) if hand.aggressor in live else 0
    return live[start:] + live[:start]


def shown_seats(hand: Hand) -> tuple[int, ...]:
    """Seats whose cards were turned up, in the order they showed; none without a showdown.

    Everybody shows when somebody is all-in (TDA 2024, rule 16); else a seat that is beaten by
    what it has seen mucks.
    """
    if hand.strengths is None:
        return ()
    order = showdown_order(hand)
    if len(hand.can_bet) < len(hand.live):
        return tuple(order)
    strengths = dict(zip(hand.live, hand.strengths, strict=True))
    showing = []
    best = -1
    for seat in order:
        if strengths[seat] >= best:
            showing.append(seat)
            best = strengths[seat]
    return tuple(showing)
