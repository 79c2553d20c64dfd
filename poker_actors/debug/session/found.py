"""The hand that a session shows: the one being played or, after a crash, its last sound state."""

from __future__ import annotations

from typing import Protocol

from poker_actors.actors import hand, messages, runtime
from poker_actors.debug.session.observed import Observed
from poker_actors.debug.session.step import Step
from poker_actors.rules import Hand

__all__ = ["found_hand", "is_void"]


class _Played(Protocol):
    """What a playback knows of its hand."""

    last_hand: Hand | None
    table_hand: hand.HandActor | None

    @property
    def known(self) -> list[runtime.Address]:
        """The addresses of the room that are not closed."""


def found_hand(playback: _Played, seen: Observed) -> tuple[Hand | None, hand.HandActor | None]:
    """Return the hand being played or played last, and its actor.

    Of a hand whose actor has crashed it is the hand as it was before that step: what the crash has
    left is perhaps half changed, and cannot be worked with.
    """
    for address in reversed(playback.known):
        if isinstance(address.actor, hand.HandActor) and hasattr(address.actor, "hand"):
            return address.actor.hand, address.actor
    if seen.crashed_hand is not None:
        return seen.crashed_hand, None
    if playback.table_hand is not None:
        return playback.table_hand.hand, playback.table_hand
    return playback.last_hand, None


def is_void(before: bool, step: Step) -> bool:
    """Whether the hand is void after a step; a new deal begins anew."""
    if any(one.kind == "void" for one in step.incidents):
        return True
    kinds = [type(one.delivery.message) for one in step.handled if not one.outcome]
    return before and messages.Deal not in kinds
