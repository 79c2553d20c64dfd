"""One of our players at another server's table, over any protocol, asked as if by one of our own hands."""

from __future__ import annotations

from typing import Final

from poker_actors.actors import Player, RemoteHand, StepRuntime
from poker_actors.cards import Card
from poker_actors.rules import Action, PublicState


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

    def ask(
        self,
        public: PublicState,
        seat: int,
        hole: tuple[Card, ...],
        names: tuple[str | None, ...] = (),
        *,
        asked: bool = True,
    ) -> None:
        """Ask the player to act; its action goes to `acted`, at once or later. It is only told the state if not `asked`."""
        assert self._remote is not None, "a hand begins before its first turn"
        self._remote.tell(public, seat, hole, asked=asked, names=names)
        runtime = self.player.address.runtime
        if isinstance(runtime, StepRuntime):
            runtime.run()

    def tell(
        self, public: PublicState, seat: int, hole: tuple[Card, ...], names: tuple[str | None, ...] = ()
    ) -> None:
        """Tell a player whose bot hears what others did, from which it learns that a hand begins or ends."""
        if self.player.hears:
            self.ask(public, seat, hole, names, asked=False)

    def answer_of(
        self, public: PublicState, seat: int, hole: tuple[Card, ...], names: tuple[str | None, ...] = ()
    ) -> Action | None:
        """Ask a player on a `StepRuntime`, and return its action; None if it has not decided."""
        self._action = None
        self.ask(public, seat, hole, names)
        return self._action

    def acted(self, action: Action) -> None:
        """Take the player's action, in the player's thread: keep it for `answer_of`, or in a subclass send it."""
        self._action = action
