"""The typed face of a hand being played."""

from __future__ import annotations

from poker_actors.actors.command import Face, GetState
from poker_actors.actors.hand.messages import DealtHand, HandResult
from poker_actors.actors.runtime import Word
from poker_actors.rules import PublicState

__all__ = ["LiveHand"]


class LiveHand(Face):
    """A hand being played."""

    def __init__(self, dealt: DealtHand) -> None:
        super().__init__(dealt.address)
        self.hand_id = dealt.hand_id
        self.commitment = dealt.commitment
        """the commitment to its deck, published before the deal, in hexadecimal; empty when the deck was given"""
        self.promise: Word = dealt.result

    def result(self, timeout: float | None = None) -> HandResult:
        """Wait for the end of the hand and return its result; raises `AskTimeout` after `timeout` seconds."""
        result: HandResult = self.promise.get(timeout, self.hand_id)
        return result

    def state(self) -> PublicState:
        """Return what everybody can see; raises `RoomClosed` once the hand is over."""
        return self._answered(GetState(), _public)


def _public(state: object) -> PublicState:
    assert isinstance(state, PublicState)
    return state
