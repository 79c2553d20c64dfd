"""Checkpoints: a room between two hands, saved so that a session can resume without replaying the past.

Between hands, all state of the actors is in the values that survive a crash: the ledger, the table's memory,
the players' memories. These are copied; bots are not. A room that holds anything else between hands (a custom
scene, timers, other actors) gets no checkpoints.
"""

from __future__ import annotations

from bisect import bisect_right
from random import Random
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import Room, Table, bank, player, table
from poker_actors.bots import Faults
from poker_actors.debug.session.answers import Answers, RecordedBot
from poker_actors.debug.session.observed import DebugRuntime
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.script import Script
from poker_actors.debug.state import state_hash
from poker_actors.rules import Hand
from poker_actors.store import Ledger

_KNOWN: Final = (bank.BankActor, table.TableActor, player.PlayerActor)
_OWN: Final = ("bot", "stream", "listeners", "lent")
"""Fields of a player's memory that belong to the open room, not to its history: never restored."""


class Played(Protocol):
    """The part of a script's source that checkpoints use."""

    script: Script
    playback: Playback
    table: Table
    order: Random | None
    deciders: list[RecordedBot]

    @property
    def runtime(self) -> DebugRuntime:
        """The runtime of the room."""

    @property
    def room(self) -> Room:
        """The room."""


@attrs.frozen(eq=False)
class Checkpoint:
    """A room after `position` steps, before hand `number` is dealt."""

    position: int
    number: int
    clock: float
    order: Any
    """state of the generator that draws the delivery order"""
    ledger: Ledger
    table: dict[str, Any]
    players: dict[str, dict[str, Any]]
    crashes: dict[str, tuple[float, ...]]
    restarts: int
    had: tuple[tuple[int, int], ...]
    """questions asked of each bot so far, and starts and ends of hands told to it"""
    last_hand: Hand | None
    voided: bool
    moves: dict[str, Any]
    hash: str


def take_checkpoint(staged: Played, number: int) -> Checkpoint | None:
    """Save a room at rest; return None if it holds anything that cannot be saved."""
    living = [one.actor for one in staged.playback.known if one.actor is not None]
    books, tables = staged.room.bank.address.actor, staged.table.address.actor
    if staged.script.scene is not None or not all(type(actor) in _KNOWN for actor in living):
        return None
    if type(books) is not bank.BankActor or type(tables) is not table.TableActor or staged.runtime.waiting:
        return None
    memory = tables.memory
    if not isinstance(memory.stage, table.Idle) or memory.watchers:
        return None
    if staged.runtime.next_deadline is not None or staged.room.supervisor.failed:
        return None
    return Checkpoint(
        staged.playback.position,
        number,
        staged.runtime.now(),
        None if staged.order is None else staged.order.getstate(),
        books.ledger.copy(),
        _fields(memory),
        {one.memory.name: _fields(one.memory, _OWN) for one in living if isinstance(one, player.PlayerActor)},
        staged.room.supervisor.crash_times,
        staged.room.supervisor.restarts,
        tuple((one.asked, one.heard) for one in staged.deciders),
        staged.playback.last_hand,
        staged.playback.voided,
        staged.playback.moves.copy(),
        state_hash(staged.playback.state()),
    )


def put_back(staged: Played, kept: Checkpoint) -> bool:
    """Restore a checkpoint into a newly opened room; return whether the state's hash matches."""
    room = staged.room
    books, tables = room.bank.address.actor, staged.table.address.actor
    assert isinstance(books, bank.BankActor)
    assert isinstance(tables, table.TableActor)
    books.ledger.take_over(kept.ledger)
    places = {one.name: one for one in staged.playback.known if one.actor is not None}
    _set(tables.memory, kept.table)
    state = tables.memory.seating
    tables.memory.seating = attrs.evolve(
        state,
        seats=tuple(one and attrs.evolve(one, address=places[one.address.name]) for one in state.seats),
        waiting=tuple(attrs.evolve(one, address=places[one.address.name]) for one in state.waiting),
    )
    for one in staged.playback.known:
        if isinstance(one.actor, player.PlayerActor):
            _set(one.actor.memory, kept.players[one.actor.memory.name])
    room.supervisor.recall(kept.crashes, kept.restarts)
    staged.runtime.catch_up(kept.clock)
    if staged.order is not None:
        staged.order.setstate(kept.order)
    staged.playback.last_hand, staged.playback.voided = kept.last_hand, kept.voided
    staged.playback.moves.update(kept.moves)
    return state_hash(staged.playback.state()) == kept.hash


def _fields(memory: Any, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Copy a memory field by field."""
    names = [field.name for field in attrs.fields(type(memory)) if field.name not in without]
    return {name: _copied(getattr(memory, name)) for name in names}


def _set(memory: Any, fields: dict[str, Any]) -> None:
    # in place: the supervisor restarts a crashed actor from this very object
    for name, value in fields.items():
        kept = getattr(memory, name)
        if isinstance(kept, dict):
            kept.clear()
            kept.update(value)  # the player's actor holds a reference to this dictionary
        else:
            setattr(memory, name, _copied(value))


def _copied(value: Any) -> Any:
    """Copy what is changed in place, or later play would alter the checkpoint; share immutable values."""
    if isinstance(value, dict | set | list):
        return value.copy()
    return attrs.evolve(value, used=attrs.evolve(value.used)) if isinstance(value, Faults) else value


class Past:
    """Shared by all playbacks of one script: the first to reach a position records it for the others.

    It holds one checkpoint of a few kilobytes per hand.
    """

    def __init__(self, script: Script, before: Past | None = None, position: int = 0) -> None:
        """Begin empty, or, for a fork, with the part of `before` up to a position."""
        self.answers: Final[Answers] = Answers(script, None if before is None else before.answers, position)
        kept = () if before is None else before._checkpoints.values()
        self._checkpoints: dict[int, Checkpoint] = {
            one.position: one for one in kept if one.position <= position
        }
        self._places = sorted(self._checkpoints)

    def keep(self, staged: Played, number: int) -> None:
        """Save the room before hand `number`, unless this position is saved already."""
        if staged.playback.position in self._checkpoints:
            return
        made = take_checkpoint(staged, number)
        if made is not None:
            self._checkpoints[made.position] = made
            self._places = sorted(self._checkpoints)

    def nearest(self, position: int) -> Checkpoint | None:
        """Return the last checkpoint at or before a position; None if there is none."""
        place = bisect_right(self._places, position)
        return self._checkpoints[self._places[place - 1]] if place else None

    def drop(self, checkpoint: Checkpoint) -> None:
        """Forget a checkpoint that could not be restored exactly."""
        self._checkpoints.pop(checkpoint.position, None)
        self._places = sorted(self._checkpoints)

    def starts(self, position: int) -> list[Checkpoint | None]:
        """Return the starting points for a position, nearest first; None, the beginning, is last."""
        places = reversed(self._places[: bisect_right(self._places, position)])
        return [*(self._checkpoints[place] for place in places), None]

    def check(self) -> None:
        """Raise the pending `Discrepancy`, if any, between a bot's answer and the recorded one; only once."""
        trouble, self.answers.discrepancy = self.answers.discrepancy, None
        if trouble is not None:
            raise trouble

    def close(self) -> None:
        """Close the bots."""
        self.answers.close()
