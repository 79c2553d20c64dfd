"""One of our players at another server's table, over any protocol, asked as if by one of our own hands."""

from __future__ import annotations

from typing import Final

from poker_actors.actors import Player, RemoteHand, StepRuntime
from poker_actors.cards import Card
from poker_actors.rules import Action, PublicState

Seen = tuple[PublicState, int, tuple[Card, ...], tuple[str | None, ...]]
"""What everybody sees, the player's seat, its hole cards, and the names by seat, none if not known."""


class PlayerGuest:
    """Plays for `player`. A subclass per protocol reads the server's messages and sends the player's actions.

    On a `StepRuntime` the guest steps the room until the player has decided.
    """

    def __init__(self, player: Player) -> None:
        self.player: Final = player
        self.hands = 0
        """hands so far; the subclass decides which hands count"""
        self._remote: RemoteHand | None = None
        self._action: Action | None = None

    def begin(self, table: str, number: int, name: int | None = None) -> None:
        """Begin a hand. Its `number` seeds a bot's random choices; `name` (default: the number) is for the id."""
        hand_id = f"{table}/hand-{number if name is None else name:09d}"
        self._remote = RemoteHand(self.player, table, hand_id, number, self.acted)

    def ask(self, *seen: *Seen, asked: bool = True) -> None:
        """Ask the player to act; its action goes to `acted`, at once or later. It is only told the state if not `asked`."""
        assert self._remote is not None, "a hand begins before its first turn"
        public, seat, hole, names = seen
        self._remote.tell(public, seat, hole, asked=asked, names=names)
        runtime = self.player.address.runtime
        if isinstance(runtime, StepRuntime):
            runtime.run()

    def tell(self, *seen: *Seen) -> None:
        """Tell a player whose bot hears of hands what others did; the bot learns from it that a hand begins or ends."""
        if self.player.hears:
            self.ask(*seen, asked=False)

    def answer_of(self, *seen: *Seen) -> Action | None:
        """Ask a player on a `StepRuntime`, and return its action; None if it has not decided."""
        self._action = None
        self.ask(*seen)
        return self._action

    def acted(self, action: Action) -> None:
        """Take the player's action, in the player's thread: keep it for `answer_of`, or in a subclass send it."""
        self._action = action
