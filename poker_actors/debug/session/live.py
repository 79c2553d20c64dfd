"""A program being played on a thread of its own that stops before every delivery."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from typing import Any, Final

import attrs

from poker_actors.actors import Delivery, StepRuntime, hand, messages, runtime, table
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.runtime import Handled
from poker_actors.debug.session.step import Step
from poker_actors.debug.state import room_state
from poker_actors.debug.viewpoint import GOD, Viewpoint
from poker_actors.errors import BadSpec, PokerError
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
        self._handled: list[Handled] = []
        self._depth = 0
        self._outcome = ""
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
        """The message that comes next, and those not delivered yet."""
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

    def advance(self) -> Step | None:
        """Let the program deliver the next message, and give the step; None at its end."""
        item = self._next
        if item is None:
            return None
        self._handled = []
        cause = self.cause
        self._go.release()
        self._wait()
        step = Step(self.position, tuple(self._handled), cause)
        self.position += 1
        self._find_hand()
        return step

    def state(self, viewpoint: Viewpoint = GOD) -> dict[str, Any]:
        """Give all actors, and every message on its way, as plain values."""
        self.known = [one for one in self.known if not one.closed]
        now = 0.0 if self._runtime is None else self._runtime.now()
        return room_state(self.known, self.on_the_way, now, viewpoint)

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
        steps.address = tap.address  # type: ignore[method-assign]
        steps._deliver = tap.deliver  # type: ignore[method-assign]
        steps.handle = tap.handle  # type: ignore[method-assign]
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

    def _note_origins(self, step: int | None) -> None:
        """Remember in which step each message on its way was sent; kept items keep their ids from reuse."""
        before = self._origins
        assert self._runtime is not None
        items = [*self._runtime._queue, *(() if self._next is None else (self._next,))]
        self._origins = {id(item): before.get(id(item), (item, step)) for item in items}

    def _wait(self) -> None:
        self._stopped.acquire()

    def _find_hand(self) -> None:
        for address in reversed(self.known):
            if isinstance(address.actor, hand.HandActor) and hasattr(address.actor, "hand"):
                self.table_hand = address.actor
                break
        if self.table_hand is not None:
            self.last_hand = self.table_hand.hand

    def _seats(self) -> list[tuple[int, Any]]:
        tables = [one.actor for one in self.known if isinstance(one.actor, table.TableActor)]
        busy = [actor for actor in tables if actor.memory.state.hand_id is not None]
        return [pair for actor in (busy or tables)[:1] for pair in enumerate(actor.memory.state.seats)]


class _Tap:
    """Stands between a runtime and its actors, and reports to the playback."""

    def __init__(self, steps: StepRuntime, playback: LivePlayback) -> None:
        self._playback = playback
        self._address: Callable[[str], runtime.Address] = steps.address
        self._deliver: Callable[[Any], None] = steps._deliver
        self._handle: Callable[[runtime.Actor, object], Any] = steps.handle

    def address(self, name: str) -> runtime.Address:
        """Make an address and remember it."""
        made = self._address(name)
        self._playback.known = [one for one in self._playback.known if not one.closed]
        self._playback.known.append(made)
        return made

    def deliver(self, item: Any) -> None:
        """Stop, deliver, and note how it went."""
        mine = self._playback
        if not mine._depth:
            mine._pause(item)
        delivery = _delivery(item)
        if type(delivery.message) is messages.Deal and delivery.message.deck is not None:
            # the hand draws from the deck that travels
            kept = messages.Deal(delivery.message.deck.copy())
            delivery = attrs.evolve(delivery, message=kept)
        place = len(mine._handled)
        mine._handled.append(Handled(delivery, mine._depth, ""))
        before, mine._outcome = mine._outcome, "lost" if item[0].actor is None else ""
        mine._depth += 1
        try:
            self._deliver(item)
        finally:
            mine._depth -= 1
            if mine._outcome:
                mine._handled[place] = Handled(delivery, mine._depth, mine._outcome)
            mine._outcome = before
            if not mine._depth:
                mine._next = None
                mine._note_origins(mine.position)

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Handle, and note a refusal or a crash."""
        try:
            answer = self._handle(actor, message)
        except BaseException as error:
            refused = isinstance(error, PokerError)
            kind = f"refused: {error.code}" if refused else f"crashed: {type(error).__name__}"  # type: ignore[attr-defined]
            self._playback._outcome = kind
            raise
        if isinstance(answer, PokerError):
            self._playback._outcome = f"refused: {answer.code}"
        return answer


def _nothing(delivery: Delivery) -> None:
    """Observe nothing."""


def _delivery(item: tuple[Any, ...]) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
