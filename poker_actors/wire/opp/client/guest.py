"""A player actor of ours as a guest at an OPP server: any bot, or a person, by the Room's own means."""

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

    On each turn the player actor is told a `HandState` as a hand of ours would tell it; its action
    goes over the wire. On a `StepRuntime` the room is stepped here until it has decided.
    """

    def __init__(self, player: Player, client: OppClient) -> None:
        super().__init__(player)
        self.client: Final = client
        self.misunderstood = 0
        """turns on which our rules and the server did not agree, and the seat checked or folded"""
        self._replica: Replica | None = None

    def play(self, hands: int | None = None) -> None:
        """Play until the server closes; or quit once dealt into `hands` and heard the last one's end."""

        def status(client: OppClient, message: Message) -> None:
            self.hear(message)
            if message.op is Op.WINNERS and hands is not None and self.hands >= hands:
                client.quit()

        self.client.playgame(self.decide, status)

    def hear(self, message: Message) -> None:
        """Take in one message of the session."""
        if message.op is Op.START_NEW_GAME:
            replica = self._replica = Replica(message)
            self.begin(f"{self.client.host}:{self.client.port}", self.hands, replica.game_id)
            self.hands += replica.position >= 0
        elif self._replica is not None:
            self._replica.hear(message)

    def decide(self, client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode | None:
        """Ask the player; what it does is sent when it has decided."""
        replica = self._replica
        if replica is None or not replica.begun:
            return ActionCode.CALL  # asked for a blind, which some servers do: paying it is no decision
        public = replica.public(replica.position, to_call)
        if public is None:
            self.misunderstood += 1
            return ActionCode.FOLD if to_call > 0 else ActionCode.CALL
        self.ask(public, replica.position, replica.hole)
        return None

    def acted(self, action: Action) -> None:
        """Say it to the server."""
        match action:
            case Fold():
                move = ActionCode.FOLD
            case Check() | Call():
                move = ActionCode.CALL
            case _:
                move = ActionCode.RAISE
        # A server that has gone meanwhile is heard of by who reads; a client closed here is over.
        with suppress(ConnectionError, RoomClosed):
            self.client.act(move)
