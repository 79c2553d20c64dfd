"""Hands at another server: one of our player actors takes part over its wire."""

from __future__ import annotations

from collections.abc import Callable

from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import Act, Change, HandState, Turn
from poker_actors.actors.runtime import Address, Reply
from poker_actors.cards import Card
from poker_actors.rules import Action, PublicState

__all__ = ["RemoteHand"]


class RemoteHand:
    """A hand at another server's table, as one of our players hears it.

    `tell` tells the player each change, as our own hands would; the player's actions go to `acted`,
    in the player's thread. The other server judges them: nothing is checked here, except that a turn
    is taken once.
    """

    def __init__(
        self, player: Player, table: str, hand_id: str, number: int, acted: Callable[[Action], None]
    ) -> None:
        self.hand_id = hand_id
        self.number = number
        """of the hand at its table; a bot's luck in the hand follows from it"""
        self._player = player
        self._table = table
        self._acted = acted
        self._turn: Turn | None = None
        self._address = _Wire(hand_id, player.address.runtime, None)
        self._address.take = self._take

    def tell(self, public: PublicState, seat: int, hole: tuple[Card, ...], *, asked: bool = True) -> None:
        """Tell the player a change; it gets the turn if `seat` is to act and `asked` is true."""
        turn = Turn(self.hand_id, public.seq, seat) if asked and public.active == seat else None
        self._turn = turn
        change = Change(self.hand_id, self.number, self._table, self._address, public)
        self._player.address.tell(HandState(change, seat, hole, turn))

    def _take(self, act: Act) -> None:
        if act.turn is self._turn:
            self._turn = None
            self._acted(act.action)


class _Wire(Address):
    """Stands in for a hand's address: passes actions on at once and answers that they are accepted."""

    __slots__ = ("take",)

    take: Callable[[Act], None]

    def tell(self, message: object) -> None:
        if isinstance(message, Act):
            self.take(message)

    def put(self, message: object, reply: Reply) -> None:
        self.tell(message)
        reply.set(None)

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return []
