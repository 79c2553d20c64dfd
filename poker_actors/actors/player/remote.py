"""Hands played elsewhere: one of our player actors takes part over another server's wire."""

from __future__ import annotations

from collections.abc import Callable

from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import Act, Change, HandState, Turn
from poker_actors.actors.runtime import Address, Reply
from poker_actors.cards import Card
from poker_actors.rules import Action, PublicState

__all__ = ["RemoteHand"]


class RemoteHand:
    """A hand at another server's table, as a `Player` of ours hears of it.

    `tell` gives the player each change, as a hand of ours would; what the player does on a turn
    goes to `acted`, in the player's thread. The other side is the judge: nothing is checked here,
    but a turn is taken once.
    """

    def __init__(
        self, player: Player, table: str, hand_id: str, number: int, acted: Callable[[Action], None]
    ) -> None:
        self.hand_id = hand_id
        self.number = number
        """of the hand at its table; a bot's luck in it follows from this"""
        self._player = player
        self._table = table
        self._acted = acted
        self._turn: Turn | None = None
        self._address = _Wire(hand_id, player.address.runtime, None)
        self._address.take = self._take

    def tell(self, public: PublicState, seat: int, hole: tuple[Card, ...], *, asked: bool = True) -> None:
        """Tell the player a change; it has the turn when `seat` is to act and is `asked`."""
        turn = Turn(self.hand_id, public.seq, seat) if asked and public.active == seat else None
        self._turn = turn
        change = Change(self.hand_id, self.number, self._table, self._address, public)
        self._player.address.tell(HandState(change, seat, hole, turn))

    def _take(self, act: Act) -> None:
        if act.turn is self._turn:
            self._turn = None
            self._acted(act.action)


class _Wire(Address):
    """Where a hand's actor would be: passes actions on at once and answers that all is well."""

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
