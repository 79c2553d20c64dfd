"""Recompute a finished hand without the rules: peel pots off in layers of equal contributions."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.actors import HandResult
from poker_actors.cards import Card
from poker_actors.evaluator import evaluate
from poker_actors.rules import HOLDEM, Hand
from poker_actors.rules.event import Acted, Posted, RunDealt, StreetDealt, UncalledReturned
from poker_actors.testing.witness.promise import Heard, Hears, Promise

__all__ = ["PotsArePaid"]


class PotsArePaid(Promise):
    """Pots are paid right."""

    name = "pots"
    says = "A finished hand of hold'em pays what an independent count of the pots says."

    def hears(self) -> Hears:
        """Return what it listens to."""
        return Hears({HandResult: self.result})

    def result(self, heard: Heard[HandResult]) -> None:
        """Recompute a finished hand."""
        hand = heard.what.hand
        if hand is None or hand.game.name != HOLDEM.name:
            return
        flaw = flaw_of(hand)
        self.holds(flaw is None, heard, lambda: f"{heard.what.hand_id}: {flaw}; {hand!r}")


def flaw_of(hand: Hand) -> str | None:
    """Recompute the board, pots and winners of a finished hold'em hand; return what differs, or None."""
    put_in = [0] * len(hand.starting)
    board = 0
    for event in hand.events():
        match event:
            case Posted(seat, _, amount) | Acted(seat, _, amount, _):
                put_in[seat] += amount
            case UncalledReturned(seat, amount):
                put_in[seat] -= amount
            case StreetDealt(_, cards):
                board += len(cards)
            case _:
                pass
    if board != len(hand.board):
        return f"{board} cards were dealt to a board of {len(hand.board)}"
    seat, dead = hand.dead[0] if hand.dead else (0, 0)
    put_in[seat] -= dead
    expected = _settled(hand, put_in, dead)
    expected[seat] -= dead
    if tuple(expected) != hand.payoffs:
        return f"it paid {hand.payoffs}, should be {tuple(expected)}"
    return _flaw_of_runs(hand)


def _flaw_of_runs(hand: Hand) -> str | None:
    """Check that every further board ends with its own cards, dealt nowhere else; return what differs."""
    seen = {card for hole in hand.holes for card in hole} | {*hand.board}
    runs: dict[int, tuple[Card, ...]] = {}
    for event in hand.events():
        if isinstance(event, RunDealt):
            if seen & {*event.cards}:
                return f"board {event.board} has a card that was dealt before"
            seen |= {*event.cards}
            runs[event.board] = runs.get(event.board, ()) + event.cards
    for number, board in enumerate(hand.public().boards[1:], start=1):
        own = runs.get(number, ())
        if board != hand.board[: len(hand.board) - len(own)] + own or not own:
            return f"board {number} is {board}, and {own} was dealt to it"
    return None


def _settled(hand: Hand, put_in: Sequence[int], dead: int) -> list[int]:
    """Peel the pot off in layers of the smallest live contribution, and pay each layer."""
    net = [-chips for chips in put_in]
    left = list(put_in)
    order = hand.live
    house = _House(hand)
    carried = dead
    while any(left):
        able = [seat for seat in order if left[seat]]
        layer = min(left[seat] for seat in able) if able else max(left)
        for seat in range(len(left)):
            part = min(layer, left[seat])
            left[seat] -= part
            carried += part
        next_able = [seat for seat in order if left[seat]]
        if able and (len(next_able) != len(able) or not any(left)):
            if not next_able and any(left):
                carried += sum(left)
                left = [0] * len(left)
            house.pay(net, carried, able)
            carried = 0
    if carried:
        # only a big blind ante is left: every bet was returned uncalled
        house.pay(net, carried, order)
    return net


class _House:
    """Pays pots: rakes them, then shares them among the winners on each board."""

    def __init__(self, hand: Hand) -> None:
        boards = hand.public().boards
        self.alone = len(hand.live) == 1
        self.strengths = [
            {seat: 0 if self.alone else evaluate((*hand.holes[seat], *board)) for seat in hand.live}
            for board in boards
        ]
        rake = None if hand.options is None else hand.options.rake
        raked = rake is not None and (hand.board or not rake.no_flop_no_drop)
        self.rake = rake if raked else None
        self.taken = 0

    def pay(self, net: list[int], chips: int, seats: Sequence[int]) -> None:
        """Rake a pot and share it among the winners on each board, out of `seats`; adds to `net`."""
        if self.rake is not None and (self.alone or len(seats) > 1):
            take = chips * self.rake.hundredths // 10_000
            if self.rake.cap:
                take = min(take, self.rake.cap - self.taken)
            self.taken += take
            chips -= take
        runs = len(self.strengths)
        for run, strengths in enumerate(self.strengths):
            best = max(strengths[seat] for seat in seats)
            part = chips // runs + (run < chips % runs)
            _share(net, part, [seat for seat in seats if strengths[seat] == best])


def _share(net: list[int], chips: int, winners: Sequence[int]) -> None:
    for place, seat in enumerate(winners):
        net[seat] += chips // len(winners) + (place < chips % len(winners))
