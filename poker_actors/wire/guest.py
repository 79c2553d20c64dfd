"""One of our players at another server's table, in any dialect: asked as by a hand of ours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from poker_actors.actors import Player, RemoteHand, StepRuntime
from poker_actors.cards import Card
from poker_actors.rules import Action, PublicState

__all__ = ["PlayerGuest"]


class PlayerGuest(ABC):
    """Plays for `player`; a dialect's guest reads what its server says, and says what the player does.

    On a `StepRuntime` the room is stepped here until the player has decided.
    """

    def __init__(self, player: Player) -> None:
        self.player: Final = player
        self.hands = 0
        """hands so far; which of them count is the dialect's to say"""
        self._remote: RemoteHand | None = None

    def begin(self, table: str, number: int, name: int | None = None) -> None:
        """Begin a hand; a bot's luck in it follows from its `number`, its `name` is that where the server gives none."""
        hand_id = f"{table}/hand-{number if name is None else name:09d}"
        self._remote = RemoteHand(self.player, table, hand_id, number, self.acted)

    def ask(self, public: PublicState, seat: int, hole: tuple[Card, ...]) -> None:
        """Tell the player that it is to act; what it does goes to `acted`, at once or later."""
        assert self._remote is not None, "a hand begins before its first turn"
        self._remote.tell(public, seat, hole)
        runtime = self.player.address.runtime
        if isinstance(runtime, StepRuntime):
            runtime.run()

    @abstractmethod
    def acted(self, action: Action) -> None:
        """Hear what the player does, in the player's thread."""
