"""A program being played on a thread of its own that stops before every delivery."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from typing import Any, Final

from poker_actors.actors import Delivery, StepRuntime, hand, runtime, table
from poker_actors.debug.session.found import found_hand, is_void
from poker_actors.debug.session.observed import Observed
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.step import Step
from poker_actors.debug.state import room_state
from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand

__all__ = ["LivePlayback"]


class _Abandoned(KeyboardInterrupt):
    """The session does not want the rest: no actor's crash, so the runtime lets it through."""


class LivePlayback:
    """A program being played, advanced step by step, never back; see `Playback` for what it offers.

    The program's thread and the session's take turns: one runs while the other waits, so nothing
    happens at the same time and nothing but the program decides what comes.
    """

    def __init__(self, program: Program) -> None:
        self.script: Final = program
        self.position = 0
        """Steps made."""
        self.failure: BaseException | None = None
        """What ended the program, if not its end."""
        self.last_hand: Hand | None = None
        self.table_hand: hand.HandActor | None = None
        self.known: list[runtime.Address] = []
        self._runtime: StepRuntime | None = None
        self._next: tuple[Any, ...] | None = None
        """the message that the program is about to deliver; None at the end"""
        self.voided = False
        """Whether the last hand is void."""
        self.observed: Final = Observed()
        """What stands between the runtime and the actors."""
        self._seated: list[tuple[int, Any]] = []
        """the seats of the table that was played at last"""
        self._origins: dict[int, tuple[object, int | None]] = {}
        self._abandoned = False
        self._go, self._stopped = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._play, name=f"debugged {program.title}", daemon=True)
        self._thread.start()
        self._wait()

    # -- what a session asks ----------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Whether a message comes next."""
        return self._next is not None

    @property
    def place(self) -> int:
        """Where the message that comes next is in `on_the_way`."""
        return 0

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The next message, and those not delivered yet."""
        if self._next is None or self._runtime is None:
            return ()
        return (_delivery(self._next), *self._runtime.pending)

    @property
    def cause(self) -> int | None:
        """The step in which the message that comes next was sent."""
        return None if self._next is None else self._origins.get(id(self._next), (None, None))[1]

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat of the table that was played at last."""
        named = tuple(f"seat {number}" if seat is None else seat.player for number, seat in self._seats())
        size = 0 if self.last_hand is None else len(self.last_hand.stacks)
        return named[:size] if size and len(named) >= size else tuple(map(str, range(size))) or named

    @property
    def stacks(self) -> tuple[int, ...]:
        """Their stacks at the table, in chips."""
        return tuple(0 if seat is None else seat.stack for _, seat in self._seats())

    @property
    def stacks_now(self) -> tuple[int, ...]:
        """The same."""
        return self.stacks

    def advance(self) -> Step | None:
        """Let the program deliver the next message, and give the step; None at its end."""
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

    def state(self, viewpoint: Viewpoint = GOD) -> dict[str, Any]:
        """Return all actors, and every message on its way, as plain values."""
        self.known = [one for one in self.known if not one.closed]
        return room_state(self.known, self.on_the_way, self.now, viewpoint)

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return 0.0 if self._runtime is None else self._runtime.now()

    def apply(self, change: object) -> None:
        """A program cannot be changed from here."""
        raise BadSpec(f"{self.script.title} plays by itself: change it, and open it again")

    def close(self) -> None:
        """Let the program go: it is left where it is, as by Ctrl-C."""
        self._abandoned = True
        self._go.release()
        self._thread.join()

    # -- on the program's thread ------------------------------------------------------------

    def _play(self) -> None:
        try:
            self.script.play(self._watch, **self.script.arguments)
        except _Abandoned:
            pass
        except BaseException as error:  # noqa: BLE001  whatever ends a program is what the session shows
            self.failure = error
        finally:
            self._next = None
            self._stopped.release()

    def _watch(self, steps: StepRuntime) -> None:
        """Stop at every delivery of a runtime from now on."""
        self._runtime = steps
        tap = _Tap(steps, self)
        # on the one object: any runtime of the program's will do, those that do harm included
        steps.address = tap.address  # type: ignore[method-assign]  # as said
        steps.deliver = tap.deliver  # type: ignore[method-assign]  # as said
        steps.handle = tap.handle  # type: ignore[method-assign]  # as said
        steps.failed = tap.failed  # type: ignore[method-assign]  # as said
        steps.later = tap.later  # type: ignore[method-assign]  # as said
        steps.observers.append(_nothing)  # what is watched goes the way on which everything is seen

    def _pause(self, item: tuple[Any, ...]) -> None:
        """Stop before a message that is not asked while another is handled."""
        if self._abandoned:
            raise _Abandoned
        self._next = item
        self._note_origins(None)
        self._stopped.release()
        self._go.acquire()
        if self._abandoned:
            raise _Abandoned

    def _made(self) -> None:
        """Look at what a step has sent."""
        assert self._runtime is not None
        self.observed.voided(item for item in self._runtime.queue if id(item) not in self._origins)
        self._note_origins(self.position)

    def _note_origins(self, step: int | None) -> None:
        """Remember in which step each message on its way was sent; kept items keep their ids from reuse."""
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
            # kept: a room that is closed has no tables any more, and its players are who they were
            self._seated = list(enumerate(actor.memory.state.seats))
        return self._seated


class _Tap:
    """Stands between a runtime and its actors, and reports to the playback."""

    def __init__(self, steps: StepRuntime, playback: LivePlayback) -> None:
        self._playback = playback
        self._address: Callable[[str], runtime.Address] = steps.address
        self._deliver: Callable[[Any], None] = steps.deliver
        self._handle: Callable[[runtime.Actor, object], Any] = steps.handle
        self._failed: Callable[[Any, BaseException, Any], None] = steps.failed
        self._later: Callable[[float, runtime.Address, object], runtime.Timer] = steps.later

    def address(self, name: str) -> runtime.Address:
        """Make an address and remember it."""
        made = self._address(name)
        self._playback.known = [one for one in self._playback.known if not one.closed]
        self._playback.known.append(made)
        return made

    def deliver(self, item: Any) -> None:
        """Stop, deliver, and note how it went."""
        mine, seen = self._playback, self._playback.observed
        if seen.depth:
            seen.deliver(item, self._deliver)
            return
        mine._pause(item)
        try:
            seen.deliver(item, self._deliver)
        finally:
            mine._next = None
            mine._made()

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Handle, and note how it went."""
        return self._playback.observed.handle(actor, message, self._handle)

    def failed(self, actor: Any, error: BaseException, reply: Any) -> None:
        """Note why an actor dies."""
        self._playback.observed.failed(actor, error, reply, self._failed)

    def later(self, seconds: float, address: runtime.Address, message: object) -> runtime.Timer:
        """Set a timer, and remember it."""
        alarm = self._later(seconds, address, message)
        now = self._playback.now
        timer: runtime.Timer = self._playback.observed.later(seconds, address, message, now, alarm)
        return timer


def _nothing(delivery: Delivery) -> None:
    """Observe nothing."""


def _delivery(item: tuple[Any, ...]) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
