"""A Room's player actor as a guest at an OPP server: any bot, or a person."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from poker_actors.actors import Player
from poker_actors.errors import RoomClosed
from poker_actors.rules import Action, Call, Check, Fold
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.opp.client.client import OppClient
from poker_actors.wire.opp.client.replica import Replica
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import ActionCode, Op

__all__ = ["Guest"]


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
        self._replica: Replica | None = None

    def play(self, hands: int | None = None) -> None:
        """Play until the server closes, or quit at the end of the last of `hands` hands dealt in."""

        def status(client: OppClient, message: Message) -> None:
            self.hear(message)
            if message.op is Op.WINNERS and hands is not None and self.hands >= hands:
                client.quit()

        self.client.playgame(self.decide, status)

    def hear(self, message: Message) -> None:
        """Follow one message of the session."""
        if message.op is Op.START_NEW_GAME:
            replica = self._replica = Replica(message)
            self.begin(f"{self.client.host}:{self.client.port}", self.hands, replica.game_id)
            self.hands += replica.position >= 0
        elif self._replica is not None:
            self._replica.hear(message)

    def decide(self, client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode | None:
        """Ask the player, whose action is sent by `acted`; return a move only where the player cannot be asked."""
        replica = self._replica
        if replica is None or not replica.begun:
            return ActionCode.CALL  # some servers ask for the blind: paying it is no decision
        public = replica.public(replica.position, to_call)
        if public is None:
            self.misunderstood += 1
            return ActionCode.FOLD if to_call > 0 else ActionCode.CALL
        self.ask(public, replica.position, replica.hole)
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
