"""A Room's player actor as a guest at an OPP server: any bot, or a person."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from poker_actors.actors import Player
from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.errors import PokerError, RoomClosed
from poker_actors.rules import GAMES, Action, Call, Check, Fold, Hand, Positions, PublicState, RaiseTo, Stakes
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.opp.client.client import OppClient
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.hand import HeardHand
from poker_actors.wire.opp.protocol.opcodes import ActionCode, Op

__all__ = ["Guest", "heard_public"]

GAME: Final = GAMES["limit-holdem"]
CREDIT_BETS: Final = 1_000
"""Small bets in the stack that stands for unlimited credit; a hand costs at most 24."""


class Guest(PlayerGuest):
    """Plays for `player` over `client`, which has joined.

    On each turn the player actor gets the `HandState` that one of our own hands would send; its action
    goes to the server. On a `StepRuntime` the guest steps the room until the player has decided.
    """

    def __init__(self, player: Player, client: OppClient) -> None:
        super().__init__(player)
        self.client: Final = client
        self.misunderstood = 0
        """turns on which our rules and the server disagreed, and the seat checked or folded"""
        self._counted = client.books.hands

    def play(self, hands: int | None = None) -> None:
        """Play until the server closes, or quit at the end of the last of `hands` hands dealt in."""

        def status(client: OppClient, message: Message) -> None:
            self.hear(message)
            if message.op is Op.WINNERS and hands is not None and self.hands >= hands:
                client.quit()

        self.client.playgame(self.decide, status)

    def hear(self, message: Message) -> None:
        """Follow one message of the session, which the client has booked."""
        if message.op is not Op.START_NEW_GAME:
            return
        books = self.client.books
        new, self._counted = books.hands > self._counted, books.hands
        # A hand that is announced again after a reconnection keeps its number: it is the same hand.
        number = self.hands if new or not self.hands else self.hands - 1
        self.begin(f"{self.client.host}:{self.client.port}", number, books.game_id)
        self.hands += new and books.position >= 0

    def decide(self, client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode | None:
        """Ask the player, whose action is sent by `acted`; return a move only where the player cannot be asked."""
        hand = client.books.hand
        if hand is None or not hand.blinds or len(hand.hole(hand.position)) != 2:
            return ActionCode.CALL  # some servers ask for the blind: paying it is no decision
        public = heard_public(hand, hand.position, to_call)
        if public is None:
            self.misunderstood += 1
            return ActionCode.FOLD if to_call > 0 else ActionCode.CALL
        self.ask(public, hand.position, hand.hole(hand.position))
        return None

    def acted(self, action: Action) -> None:
        """Send the move to the server; a bet or raise of any size is a RAISE."""
        match action:
            case Fold():
                move = ActionCode.FOLD
            case Check() | Call():
                move = ActionCode.CALL
            case _:
                move = ActionCode.RAISE
        # If the server has gone meanwhile, the reading side notices; if the client was closed, nothing is left to send.
        with suppress(ConnectionError, RoomClosed):
            self.client.act(move)


def heard_public(hand: HeardHand, who: int, to_call: int) -> PublicState | None:
    """Play a heard hand by our rules; None unless they agree that `who` is to act with `to_call` chips to call.

    The rules are ours and the facts the server's. Other players' cards are stand-ins that are never shown. A server on
    credit is recognised when players bet more than their bankrolls.
    """
    credit = [hand.bet_size * CREDIT_BETS] * len(hand.names)
    for stacks in ([int(chips) for chips in hand.bankrolls], credit):
        try:
            public = _play(hand, stacks)
        except PokerError:  # these stacks cannot have played this hand: try the others
            continue
        if public.active == who and public.to_call(who) == to_call and public.board == hand.board:
            return public
    return None


def _play(heard: HeardHand, stacks: Sequence[int]) -> PublicState:
    positions, stakes = _opening(heard)
    hand = Hand(
        stacks,
        stakes,
        deck=Deck.stacked(_holes(heard), heard.board),
        button=heard.button,
        game=GAME,
        positions=positions,
    )
    for step in heard.steps:
        if step.op is Op.NEW_STAGE:
            continue
        if not hand.to_act or hand.to_act[0] != step.seat:
            break
        if step.op is Op.FOLD:
            hand.act(Fold())
        elif step.op is Op.RAISE:
            hand.act(RaiseTo(hand.bets[step.seat] + step.amount))
        else:
            hand.act(Call() if hand.legal.to_call else Check())
    return hand.public()


def _opening(heard: HeardHand) -> tuple[Positions, Stakes]:
    """Return positions and stakes; the big blind is the later one, or a larger one unless stacks were short."""
    size = len(heard.names)
    big, most = heard.blinds[-1]
    for who, amount in heard.blinds:
        if amount > most and most < heard.bankrolls[big]:
            big, most = who, amount
    # A dead small blind belongs to a seat that is not there.
    small, paid = next((blind for blind in heard.blinds if blind[0] != big), (size, 0))
    if small == size or paid >= heard.bankrolls[small]:
        paid = heard.bet_size // 2  # nobody paid, or paid only their last chips: take the usual half
    positions = Positions(heard.button, small, big, tuple(range(size)))
    return positions, Stakes(paid, heard.bet_size)


def _holes(heard: HeardHand) -> list[tuple[Card, ...]]:
    own = heard.hole(heard.position)
    rest = iter([card for card in STANDARD_DECK if card not in {*own, *heard.board}])
    return [own if seat == heard.position else (next(rest), next(rest)) for seat in range(len(heard.names))]
