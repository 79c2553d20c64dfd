"""What plays a session: a script's room, a program on a thread of its own, or a record alone; and the hand it shows."""

from __future__ import annotations

from typing import Any, Protocol

from poker_actors.actors import Delivery, Room, hand, messages, runtime
from poker_actors.debug.session.observed import Observed, Step
from poker_actors.debug.state import room_state
from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["Engine", "found_hand", "is_void"]


class Engine(Protocol):
    """One run, advanced step by step, never back; close it to end its room.

    What a member has without being given another is that of a run without a room.
    """

    position: int = 0
    """steps made"""
    last_hand: Hand | None = None
    """the current or last hand"""
    table_hand: hand.HandActor | None = None
    voided: bool = False
    """whether the last hand is void"""
    minted: int | None = None
    """all chips in the room; None if they may change"""
    exact: bool = True
    """whether the checkpoint it began at was restored exactly"""

    @property
    def known(self) -> list[runtime.Address]:
        """Return the room's open addresses."""
        return []

    @property
    def room(self) -> Room:
        """The room; raises `BadSpec` for a program, which keeps its own."""
        raise BadSpec("there is no room: only its messages were recorded")

    @property
    def observed(self) -> Observed:
        """The observer between the runtime and the actors."""

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""

    @property
    def place(self) -> int:
        """Index of the next message in `on_the_way`."""
        return 0

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The undelivered messages, in the order sent."""

    @property
    def cause(self) -> int | None:
        """The step in which the next message was sent; None if from outside."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return ()

    @property
    def stacks(self) -> tuple[int, ...]:
        """The stacks at the start of a hand, in chips."""
        return ()

    @property
    def stacks_now(self) -> tuple[int, ...]:
        """The stacks at the table, in chips."""
        return ()

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return 0.0

    @property
    def failure(self) -> BaseException | None:
        """The error that ended the run early, if any."""
        return None

    def advance(self) -> Step | None:
        """Deliver the next message; return the step, or None at the end."""

    def state(self, viewpoint: Viewpoint = GOD, *, own: bool = True) -> dict[str, Any]:
        """Return the whole room as plain values; see `room_state`."""
        return room_state((), self.on_the_way, self.now, viewpoint, own=own)

    def close(self) -> None:
        """End the run."""


class _Table(Protocol):
    """The part of an engine that a hand is found by."""

    last_hand: Hand | None
    table_hand: hand.HandActor | None

    @property
    def known(self) -> list[runtime.Address]:
        """Return the room's open addresses."""


def found_hand(playback: _Table, seen: Observed) -> tuple[Hand | None, hand.HandActor | None]:
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
