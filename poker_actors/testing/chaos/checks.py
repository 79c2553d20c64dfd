"""What must hold after every message and at the end of every hand, computed another way."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.actors.bank.actor import BankActor
from poker_actors.actors.hand.actor import HandActor
from poker_actors.actors.player.actor import PlayerActor
from poker_actors.actors.player.messages import HandState
from poker_actors.actors.runtime import Actor
from poker_actors.actors.table.actor import TableActor
from poker_actors.cards import Card
from poker_actors.evaluator import evaluate
from poker_actors.rules import Hand, Positions
from poker_actors.rules.cash import CashHand
from poker_actors.rules.event import Acted, Posted, RunDealt, StreetDealt, UncalledReturned

__all__ = ["Violation", "check_delivery", "check_hand", "check_positions"]


class Violation(AssertionError):
    """Something that must hold does not."""


def check_delivery(actor: Actor, message: object) -> None:
    """Look at the actor that has just handled `message`."""
    if isinstance(actor, BankActor):
        _check_books(actor)
    elif isinstance(actor, HandActor):
        _check_table_of(actor.hand)
    elif isinstance(actor, TableActor):
        _check_table(actor)
    elif isinstance(actor, PlayerActor) and type(message) is HandState:
        _check_state(actor, message)


def _check_books(bank: BankActor) -> None:
    balances = bank.ledger.balances()
    if sum(balances.values()):
        raise Violation(f"the books do not balance: {sum(balances.values())} chips too many")
    for account, chips in balances.items():
        if chips < 0 and account != "mint":
            raise Violation(f"{account} holds {chips}")


def _check_table_of(hand: Hand) -> None:
    if min(hand.stacks) < 0 or min(hand.bets) < 0 or hand.pot < 0:
        raise Violation(f"chips below zero in {hand!r}: {hand.stacks}, {hand.bets}, pot {hand.pot}")
    if not set(hand.to_act) <= set(hand.live) or len(set(hand.to_act)) != len(hand.to_act):
        raise Violation(f"to act {hand.to_act} of live {hand.live}")
    seen = [card for hole in hand.holes for card in hole] + list(hand.board)
    if len(set(seen)) != len(seen):
        raise Violation(f"a card twice in {hand!r}")


def _check_table(table: TableActor) -> None:
    state = table.memory.state
    players = [seat.player for seat in state.seats if seat is not None]
    if len(set(players)) != len(players):
        raise Violation(f"a player sits twice: {players}")
    in_line = [one.player for one in state.waiting]
    if len({*in_line, *players}) != len(in_line) + len(players):
        raise Violation(f"{in_line} wait, with {players} seated: somebody is there twice")
    for seat in state.seats:
        if seat is not None and seat.stack < 0:
            raise Violation(f"{seat.player} has a stack of {seat.stack}")


def _check_state(player: PlayerActor, state: HandState) -> None:
    hand_actor = state.change.hand_address.actor
    public = state.public
    shown = dict(public.shown)
    if shown and not public.over:
        raise Violation(f"cards are shown while {state.hand_id} is being played")
    if len(public.board) not in (0, 3, 4, 5):
        raise Violation(f"a board of {len(public.board)} cards in {state.hand_id}")
    if not isinstance(hand_actor, HandActor):
        return
    plan = hand_actor.plan
    if plan.players[state.seat] is not player.address:
        raise Violation(f"{player.address.name} was told what belongs to seat {state.seat}")
    if state.hole != hand_actor.hand.holes[state.seat]:
        raise Violation(f"seat {state.seat} was told {state.hole}, and holds other cards")
    if (state.turn is not None) != (public.active == state.seat):
        raise Violation(f"seat {state.seat} was given a turn that is not its own")


def check_hand(hand: Hand) -> None:
    """Work a finished hand out again, by other means: order of play, streets, pots, winners."""
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
    _check_runs(hand)
    if board != len(hand.board):
        raise Violation(f"{board} cards were dealt to a board of {len(hand.board)}")
    seat, dead = hand.dead[0] if hand.dead else (0, 0)
    put_in[seat] -= dead
    expected = _settled(hand, put_in, dead)
    expected[seat] -= dead
    if tuple(expected) != hand.payoffs:
        raise Violation(f"{hand!r} paid {hand.payoffs}, should be {tuple(expected)}")


def _check_runs(hand: Hand) -> None:
    """Every further board ends with cards of its own, which were dealt to nobody and to no other board."""
    seen = {card for hole in hand.holes for card in hole} | {*hand.board}
    runs: dict[int, tuple[Card, ...]] = {}
    for event in hand.events():
        if isinstance(event, RunDealt):
            if seen & {*event.cards}:
                raise Violation(f"board {event.board} of {hand!r} has a card that was dealt before")
            seen |= {*event.cards}
            runs[event.board] = runs.get(event.board, ()) + event.cards
    for number, board in enumerate(hand.public().boards[1:], start=1):
        own = runs.get(number, ())
        if board != hand.board[: len(hand.board) - len(own)] + own or not own:
            raise Violation(f"board {number} of {hand!r} is {board}, and {own} was dealt to it")


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
        # Nothing but a big blind ante is left, every bet having gone back uncalled.
        house.pay(net, carried, order)
    return net


class _House:
    """Who wins on each board, and what the house takes before."""

    def __init__(self, hand: Hand) -> None:
        boards = hand.public().boards
        self.alone = len(hand.live) == 1
        self.strengths = [
            {seat: 0 if self.alone else evaluate((*hand.holes[seat], *board)) for seat in hand.live}
            for board in boards
        ]
        rake = hand.options.rake if isinstance(hand, CashHand) else None
        raked = rake is not None and (hand.board or not rake.no_flop_no_drop)
        self.rake = rake if raked else None
        self.taken = 0

    def pay(self, net: list[int], chips: int, seats: Sequence[int]) -> None:
        """Share one pot among those of `seats` who win on each board."""
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


def check_positions(before: Positions | None, now: Positions) -> None:
    """The blinds move on: nobody posts the big blind twice running unless heads-up began or ended."""
    if now.big_blind not in now.dealt or len(now.dealt) < 2:
        raise Violation(f"{now} deals too few in")
    if before is not None and len(now.dealt) > 2 and before.big_blind == now.big_blind:
        raise Violation(f"seat {now.big_blind} posts the big blind twice running")
    if len(now.dealt) == 2 and now.button == now.big_blind:
        raise Violation("heads-up the button posts the small blind")
