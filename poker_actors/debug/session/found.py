"""The hand a session shows: the current one or, after a crash, its last consistent state."""

from __future__ import annotations

from typing import Protocol

from poker_actors.actors import hand, messages, runtime
from poker_actors.debug.session.observed import Observed
from poker_actors.debug.session.step import Step
from poker_actors.rules import Hand

__all__ = ["found_hand", "is_void"]


class _Played(Protocol):
    """The part of a playback used to find its hand."""

    last_hand: Hand | None
    table_hand: hand.HandActor | None

    @property
    def known(self) -> list[runtime.Address]:
        """Return the room's open addresses."""


def found_hand(playback: _Played, seen: Observed) -> tuple[Hand | None, hand.HandActor | None]:
    """Return the current or last hand, and its actor.

    After the hand's actor has crashed, return the hand as it was before that step, without an actor:
    the crash may have left it half changed.
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
    """Tell whether the hand is void after a step; a new deal clears it."""
    if any(one.kind == "void" for one in step.incidents):
        return True
    kinds = [type(one.delivery.message) for one in step.handled if not one.outcome]
    return before and messages.Deal not in kinds
