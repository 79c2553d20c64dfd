"""Play a program on its own thread, which stops before every delivery."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from typing import Any, Final

from poker_actors.actors import Delivery, Room, StepRuntime, hand, runtime, table
from poker_actors.debug.session.engine import found_hand, is_void
from poker_actors.debug.session.observed import Observed, Step
from poker_actors.debug.session.program import Program
from poker_actors.debug.state import room_state
from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["LivePlayback"]


class _Abandoned(KeyboardInterrupt):
    """Ends an abandoned program. A `KeyboardInterrupt`, since the runtime takes no such error for a crash."""


class LivePlayback:
    """One run of a program, advanced step by step, never back; it has the interface of `Playback`.

    The program's thread and the session's thread take turns: one runs while the other waits. So the
    state needs no locks, and the order of messages depends on the program alone.
    """

    def __init__(self, program: Program) -> None:
        self.script: Final = program
        self.position = 0
        """Steps made."""
        self.failure: BaseException | None = None
        """The error that ended the program, if any."""
        self.last_hand: Hand | None = None
        self.table_hand: hand.HandActor | None = None
        self.known: list[runtime.Address] = []
        self._runtime: StepRuntime | None = None
        self._next: tuple[Any, ...] | None = None
        """the queue item that the program is about to deliver; None at the end"""
        self.voided = False
        """Whether the last hand is void."""
        self.exact = True
        self.minted: int | None = None
        """None: a program may mint chips whenever it likes."""
        self.observed: Final = Observed()
        """The observer between the runtime and the actors."""
        self._seated: list[tuple[int, Any]] = []
        """the seats of the table played at most recently"""
        self._origins: dict[int, tuple[object, int | None]] = {}
        self._abandoned = False
        self._go, self._stopped = Semaphore(0), Semaphore(0)
        # a daemon: a session that is never closed must not keep the interpreter from exiting
        self._thread = Thread(target=self._play, name=f"debugged {program.title}", daemon=True)
        self._thread.start()
        self._wait()

    # -- what a session asks ----------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""
        return self._next is not None

    @property
    def place(self) -> int:
        """Index of the next message in `on_the_way`."""
        return 0

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The undelivered messages, the next one first."""
        if self._next is None or self._runtime is None:
            return ()
        return (_delivery(self._next), *self._runtime.pending)

    @property
    def cause(self) -> int | None:
        """The step in which the next message was sent; None if from outside."""
        return None if self._next is None else self._origins.get(id(self._next), (None, None))[1]

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat at the table played at most recently."""
        named = tuple(f"seat {number}" if seat is None else seat.player for number, seat in self._seats())
        size = 0 if self.last_hand is None else len(self.last_hand.stacks)
        return named[:size] if size and len(named) >= size else tuple(map(str, range(size))) or named

    @property
    def stacks(self) -> tuple[int, ...]:
        """Their stacks, in chips."""
        return tuple(0 if seat is None else seat.stack for _, seat in self._seats())

    @property
    def stacks_now(self) -> tuple[int, ...]:
        """The same as `stacks`: a program has no script to say what a hand starts with."""
        return self.stacks

    def advance(self) -> Step | None:
        """Let the program deliver the next message; return the step, or None at its end."""
        item = self._next
        if item is None:
            return None
        seen = self.observed
        seen.begin(self.position)
        cause = self.cause
        self._go.release()
        self._wait()
        step = Step(self.position, tuple(seen.handled), cause, tuple(seen.incidents))
        self.position += 1
        self.last_hand, self.table_hand = found_hand(self, seen)
        self.voided = is_void(self.voided, step)
        self._seats()
        return step

    def state(self, viewpoint: Viewpoint = GOD, *, own: bool = True) -> dict[str, Any]:
        """Return all actors and pending messages as plain values."""
        self.known = [one for one in self.known if not one.closed]
        return room_state(self.known, self.on_the_way, self.now, viewpoint, own=own)

    @property
    def room(self) -> Room:
        """Raise `BadSpec`: a program opens its rooms itself."""
        raise BadSpec(f"{self.script.title} keeps its room to itself: inspect its actors")

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return 0.0 if self._runtime is None else self._runtime.now()

    def close(self) -> None:
        """Abandon the program where it stands, as Ctrl-C would, and wait for its thread to end."""
        self._abandoned = True
        self._go.release()
        self._thread.join()

    # -- on the program's thread ------------------------------------------------------------

    def _play(self) -> None:
        try:
            self.script.play(self._watch, **self.script.arguments)
        except _Abandoned:
            pass
        except BaseException as error:  # noqa: BLE001  the session shows whatever ended the program
            self.failure = error
        finally:
            # without it the session would wait forever for a stop that no longer comes
            self._next = None
            self._stopped.release()

    def _watch(self, steps: StepRuntime) -> None:
        """Stop at every delivery of a runtime from now on."""
        self._runtime = steps
        tap = _Tap(steps, self)
        # patch the instance: the program may use any subclass, such as one that injects failures
        steps.address = tap.address  # type: ignore[method-assign]  # see above
        steps.deliver = tap.deliver  # type: ignore[method-assign]  # see above
        steps.handle = tap.handle  # type: ignore[method-assign]  # see above
        steps.failed = tap.failed  # type: ignore[method-assign]  # see above
        steps.later = tap.later  # type: ignore[method-assign]  # see above
        steps.observers.append(_nothing)  # an observed runtime never folds messages: one item is one step

    def _pause(self, item: tuple[Any, ...]) -> None:
        """Stop before a top-level message: the program's thread waits here until the session advances."""
        # a program may deliver while it unwinds (closing its room): nobody would wake it from a stop there
        if self._abandoned:
            raise _Abandoned
        self._next = item
        self._note_origins(None)
        self._stopped.release()
        self._go.acquire()
        if self._abandoned:
            raise _Abandoned

    def _made(self) -> None:
        """Note the messages that a step has sent."""
        assert self._runtime is not None
        self.observed.voided(item for item in self._runtime.queue if id(item) not in self._origins)
        self._note_origins(self.position)

    def _note_origins(self, step: int | None) -> None:
        """Record in which step each pending message was sent; items are kept so that no `id` is reused."""
        before = self._origins
        assert self._runtime is not None
        items = [*self._runtime.queue, *(() if self._next is None else (self._next,))]
        self._origins = {id(item): before.get(id(item), (item, step)) for item in items}

    def _wait(self) -> None:
        self._stopped.acquire()

    def _seats(self) -> list[tuple[int, Any]]:
        tables = [one.actor for one in self.known if isinstance(one.actor, table.TableActor)]
        busy = [actor for actor in tables if actor.memory.state.hand_id is not None]
        for actor in (busy or tables)[:1]:
            # remembered: once its room is closed there is no table left to ask for the names
            self._seated = list(enumerate(actor.memory.state.seats))
        return self._seated


class _Tap:
    """Intercepts a runtime's methods, and reports to the playback."""

    def __init__(self, steps: StepRuntime, playback: LivePlayback) -> None:
        self._playback = playback
        self._address: Callable[[str], runtime.Address] = steps.address
        self._deliver: Callable[[Any], None] = steps.deliver
        self._handle: Callable[[runtime.Actor, object], Any] = steps.handle
        self._failed: Callable[[Any, BaseException, Any], None] = steps.failed
        self._later: Callable[[float, runtime.Address, object], runtime.Timer] = steps.later

    def address(self, name: str) -> runtime.Address:
        """Make an address, and add it to the known ones."""
        made = self._address(name)
        self._playback.known = [one for one in self._playback.known if not one.closed]
        self._playback.known.append(made)
        return made

    def deliver(self, item: Any) -> None:
        """Stop before a top-level message, deliver it, and note the outcome."""
        mine, seen = self._playback, self._playback.observed
        if seen.depth:  # asked while another message is handled: part of that step, so no stop
            seen.deliver(item, self._deliver)
            return
        mine._pause(item)
        try:
            seen.deliver(item, self._deliver)
        finally:
            mine._next = None
            mine._made()

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Let an actor handle a message, and note the outcome."""
        return self._playback.observed.handle(actor, message, self._handle)

    def failed(self, actor: Any, error: BaseException, reply: Any) -> None:
        """Note a failure, then let the runtime deal with it."""
        self._playback.observed.failed(actor, error, reply, self._failed)

    def later(self, seconds: float, address: runtime.Address, message: object) -> runtime.Timer:
        """Set a timer, and record it."""
        alarm = self._later(seconds, address, message)
        now = self._playback.now
        timer: runtime.Timer = self._playback.observed.later(seconds, address, message, now, alarm)
        return timer


def _nothing(delivery: Delivery) -> None:
    """Do nothing: it is there only to make the runtime observed."""


def _delivery(item: tuple[Any, ...]) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
