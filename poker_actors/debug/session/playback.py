"""A playback: one run, step by step. A source plays it: a script's room, a program on its thread, or a record alone."""

from __future__ import annotations

from typing import Any, Final, Protocol

from poker_actors.actors import Delivery, Room, hand, messages, table
from poker_actors.actors.runtime import Address
from poker_actors.debug.plain import GOD, Viewpoint
from poker_actors.debug.session.observed import DebugRuntime, Item, Observed, Step
from poker_actors.debug.state import room_state
from poker_actors.errors import BadSpec
from poker_actors.referee import move_flaw
from poker_actors.rules import Hand, Positions


class Source(Protocol):
    """The source of a run. The defaults of its members are those of a run without a room."""

    exact: bool = True
    """whether the checkpoint it began at was restored exactly"""
    minted: int | None = None
    """all chips in the room; None if they may change"""

    def begin(self, playback: Playback) -> None:
        """Prepare a playback before its first step."""
        return

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""

    def deliver(self) -> None:
        """Deliver the next message, and make its step in the playback."""

    def close(self) -> None:
        """End the run."""

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The undelivered messages, in the order sent; the one at `place` is next."""

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """The undelivered messages as they were sent, before any replacement."""
        return self.on_the_way

    @property
    def upcoming(self) -> Item | None:
        """The item of the next message in the runtime's queue."""
        return None

    @property
    def place(self) -> int:
        """Index of the next message in `on_the_way`."""
        return 0

    @property
    def runtime(self) -> DebugRuntime:
        """The runtime of a script's room; raises `BadSpec` if there is another, or none."""
        raise BadSpec("only a script's room can deliver its messages in another order")

    @property
    def room(self) -> Room:
        """The room; raises `BadSpec` for a program, which keeps its own."""
        raise BadSpec("there is no room: only its messages were recorded")

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
        return self.stacks

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return 0.0

    @property
    def failure(self) -> BaseException | None:
        """The error that ended the run early, if any."""
        return None

    # -- what the playback tells its source

    def reached(self, item: Item) -> None:
        """Note, on the thread that plays, that a message is about to be delivered."""
        return

    def delivered(self) -> None:
        """Note that the message has been delivered; an exception here leaves the step unmade."""
        return

    def made(self, step: Step) -> None:
        """Note a step just made."""
        return


class Playback:
    """One run of a source, advanced step by step, never back. Close it to end the source.

    A step is the delivery of a message that no handler waits for, whoever drives the runtime.
    """

    def __init__(self, source: Source) -> None:
        self.source: Final = source
        self.position = 0
        """steps made"""
        self.last_hand: Hand | None = None
        """the current or last hand"""
        self.table_hand: hand.HandActor | None = None
        self.voided = False
        """whether the last hand is void"""
        self.moves: Final[dict[str, tuple[Positions | None, str | None]]] = {}
        """by table, where button and blinds were last, and what is wrong with their last move"""
        self.observed: Final = Observed(self._before, self._after)
        """sees what happens in the runtime of the source"""
        self.origins: Final[dict[int, tuple[object, int | None]]] = {}
        """in which step each message on its way was sent, by `id`; the items are kept so that none is reused"""
        self._begun = False
        self._cause: int | None = None
        self._place = 0
        self._made: Step | None = None
        source.begin(self)

    def advance(self) -> Step | None:
        """Deliver the next message; return the step, or None at the end."""
        if not self.source.waiting:
            return None
        self._made, self._place = None, self.source.place
        self.source.deliver()
        return self._made

    @property
    def known(self) -> list[Address]:
        """The room's open addresses."""
        return self.observed.known

    @property
    def cause(self) -> int | None:
        """The step in which the next message was sent; None if from outside."""
        return self.origins.get(id(self.source.upcoming), (None, None))[1]

    def state(self, viewpoint: Viewpoint = GOD, *, own: bool = True) -> dict[str, Any]:
        """Return the whole room as plain values; see `room_state`."""
        return room_state(self.known, self.source.pending, self.source.now, viewpoint, own=own)

    def close(self) -> None:
        """End the run."""
        self.source.close()

    # -- how a step comes about -------------------------------------------------------------

    def _before(self, item: Item) -> None:
        self.source.reached(item)
        self.note_origins(None, item)
        self._cause = self.origins.pop(id(item))[1]
        self.observed.begin(self.position)
        self._begun = True

    def _after(self) -> None:
        self.source.delivered()
        self.cut()

    def cut(self) -> None:
        """End a step that has begun: its message has been delivered, or the player has left in mid-step."""
        if self._begun:
            self._begun = False
            seen = self.observed
            seen.voided(self.note_origins(self.position))
            self.make(tuple(seen.handled), self._cause, tuple(seen.incidents))

    def make(self, handled: tuple[Any, ...], cause: int | None, incidents: tuple[Any, ...]) -> None:
        """Make the next step from its deliveries."""
        step = Step(self.position, handled, cause, incidents, self._place)
        self.position += 1
        self._find_hand()
        self._find_moves(handled)
        if any(one.kind == "void" for one in incidents):
            self.voided = True
        elif any(type(one.delivery.message) is messages.Deal and not one.outcome for one in handled):
            self.voided = False
        self._made = step
        self.source.made(step)

    def note_origins(self, step: int | None, *items: Item) -> list[Item]:
        """Record in which step each new message was sent; return the new ones."""
        queue = self.observed.queue
        new = [item for item in (*items, *queue) if id(item) not in self.origins]
        for item in new:
            self.origins[id(item)] = item, step
        return new

    def _find_hand(self) -> None:
        """Find the current or last hand, and its actor.

        After the hand's actor has crashed, return the hand as it was before that step, without an actor,
        because the crash may have left it half changed.
        """
        found = [
            one.actor
            for one in self.known
            if isinstance(one.actor, hand.HandActor) and hasattr(one.actor, "hand")
        ]
        if found:
            self.last_hand, self.table_hand = found[-1].hand, found[-1]
        elif self.observed.crashed_hand is not None:
            self.last_hand, self.table_hand = self.observed.crashed_hand, None
        elif self.table_hand is not None:
            self.last_hand = self.table_hand.hand

    def _find_moves(self, handled: tuple[Any, ...]) -> None:
        """Have the referee compare the positions of the button and blinds with those of the previous hand."""
        for one in self.known:
            if isinstance(one.actor, table.TableActor):
                seating, (before, _) = one.actor.memory.seating, self.moves.get(one.name, (None, None))
                if seating.positions is not before:
                    flaw = None
                    if (
                        before is not None
                        and seating.positions is not None
                        and _by_the_rules(one.actor, handled)
                    ):
                        flaw = move_flaw(before, seating.positions, len(seating.seats))
                    self.moves[one.name] = seating.positions, flaw


def _by_the_rules(actor: table.TableActor, handled: tuple[Any, ...]) -> bool:
    """Tell whether positions follow from those before: not if the table or the command names them."""
    sent = [one.delivery.message for one in handled]
    chosen = any(isinstance(one, messages.Deal) and one.positions is not None for one in sent)
    return actor.config.button_moves and not chosen
