"""Somebody with a seat at a table of our server, connected or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from poker_actors.actors import HandState, News, Player
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo
from poker_actors.wire.opp.protocol.opcodes import Move
from poker_actors.wire.opp.server.visitor import Visitor

__all__ = ["Seated"]


class Seated:
    """A user's seat: the player actor that sits there, and the connection that acts for it."""

    def __init__(self, player: Player, seat: int) -> None:
        self.player: Final = player
        self.seat: Final = seat
        self.house = False
        """whether a bot of the house decides, without any connection"""
        self.visitor: Visitor | None = None
        self.listener: Callable[[News], None] | None = None
        self.latest: HandState | None = None
        """what the actor heard last: the way to the own cards and the own turn"""
        self.turn_of: tuple[str, int] | None = None
        """(hand, seq) it has been asked for and not answered yet"""
        self.gone_at = 0.0
        self.leaving = False
        self.resting = False
        """sits out for being away; is dealt in again as soon as it is here"""
        self.late = False
        """sits out for being late too often"""
        self.broke = False
        self.offset = 0
        """chips beside the stack, less what it owes, when the hand was dealt"""

    @property
    def here(self) -> bool:
        """Whether somebody can answer for this seat."""
        return self.house or self.visitor is not None

    def act(self, number: int) -> None:
        """Take the turn with an ACTION's number.

        A raise where there may be none is a call: the protocol has no word for a refusal, and
        clients of its time raise and leave the cap to the server. Without a turn it is dropped,
        since some clients answer twice. Raises `IllegalAction` for a number that is no move.
        """
        if number not in tuple(Move):
            raise IllegalAction(f"action {number} is none of 0 fold, 1 check or call, 2 bet or raise")
        state = self._asked()
        if state is None:
            return
        legal = state.legal
        action: Action = Call() if legal.to_call else Check()
        if number == Move.FOLD:
            action = Fold()
        elif number == Move.RAISE and legal.can_raise:
            action = RaiseTo(legal.min_raise_to)
        self._take(state, action)

    def act_absent(self) -> None:
        """Take the turn for somebody who is not there: fold one who has left, else check if free."""
        state = self._asked()
        if state is not None:
            free = not state.legal.to_call and not self.leaving
            self._take(state, Check() if free else Fold())

    def _asked(self) -> HandState | None:
        state = self.latest
        if state is None or state.turn is None or self.turn_of != (state.hand_id, state.seq):
            return None
        return state

    def _take(self, state: HandState, action: Action) -> None:
        self.turn_of = None
        state.act(action)

    def __repr__(self) -> str:
        return f"<Seated: {self.player.name} in seat {self.seat}>"
