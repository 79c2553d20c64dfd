"""A user's program, which opens a room on the stepping runtime, and the sources that play, follow or show it.

A program plays on a thread of its own that stops before every delivery. A run that somebody else plays can also be
followed; without the program, only its record is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Semaphore, Thread
from typing import Any, ClassVar, Final, NoReturn

import attrs

from poker_actors.actors import Delivery, Room, StepRuntime, table
from poker_actors.bots import function_at
from poker_actors.debug.plain import kept_message
from poker_actors.debug.session.observed import Handled, Item, Step
from poker_actors.debug.session.playback import Playback, Source
from poker_actors.debug.session.promises import Held, OwnPromise
from poker_actors.debug.session.record import Incident, Kind, Record
from poker_actors.errors import BadSpec

Watch = Callable[[StepRuntime], None]
"""Call it with a runtime before opening a room on it: the runtime then stops at every delivery."""


Play = Callable[..., object]
"""The function of a program: takes `watch` and its arguments, opens a room, watches it, and plays."""


@attrs.frozen
class Program:
    """Code that opens a room by itself, to be debugged in a session: `Stepper(Program(play))`.

    `play(watch, **arguments)` is called once for the session and again each time you go back, on a
    thread of its own that runs only while the session makes a step. It must do the same each time:
    a step that differs raises `Discrepancy`. Messages from outside, and everything else the program
    does, happen between two steps.
    """

    play: Play = attrs.field(eq=False)
    place: str | None = None
    """the function, as ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``; a trace needs it"""
    arguments: dict[str, Any] = attrs.field(factory=dict)
    """JSON values, by parameter name"""

    # what only a script says: what is played, and for how long
    game: ClassVar[None] = None
    start: ClassVar[None] = None
    actions: ClassVar[None] = None
    turn_seconds: ClassVar[None] = None
    seats: ClassVar[int] = 0

    @classmethod
    def at(cls, place: str, **arguments: Any) -> Program:
        """Load the function at a place; raise `BadSpec` or `UnknownBot` when there is none."""
        return cls(function_at("program", place), place, arguments)

    @property
    def title(self) -> str:
        """The program's name and arguments, in one line."""
        name = self.place or str(getattr(self.play, "__qualname__", type(self.play).__name__))
        given = ", ".join(f"{key} {value}" for key, value in self.arguments.items())
        return f"program {name}{f' ({given})' if given else ''}"

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types that its module defines, including messages that it may send later."""
        defined = getattr(self.play, "__globals__", {}).values()
        return tuple([one for one in defined if isinstance(one, type)])

    def words(self, *, seed: bool) -> str:
        """Describe the program in one line; `seed` is ignored."""
        return self.title

    def with_record(self, record: Record | None) -> Program:
        """Return the program as it is: it plays by itself."""
        return self

    def forkable(self) -> NoReturn:
        """Raise `BadSpec`: a program itself decides what comes next."""
        raise BadSpec(f"{self.title} plays by itself: change it, and open it again")

    def to_dict(self) -> dict[str, Any]:
        """Return the program as a JSON object; raise `BadSpec` for a function without a place."""
        if self.place is None:
            raise BadSpec(f"{self.title}: a trace needs its place, Program.at('FILE.py:FUNCTION')")
        return {"program": self.place, "arguments": self.arguments}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Program:
        """Read what `to_dict` returned; raise `BadInput` for anything else."""
        arguments: Final = value["arguments"]
        if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
            raise BadSpec(f"the arguments of program {value['program']!s:.80} must be names with values")
        return cls.at(str(value["program"]), **arguments)


def _absent(watch: Watch) -> NoReturn:
    """Stand in for the function of a recording, which is never called."""
    raise BadSpec("this program is not on this machine, only its record")


@attrs.frozen
class Recording(Program):
    """A program that is not on this machine: only its messages can be shown."""

    kept: tuple[tuple[dict[str, Any], ...], ...] = attrs.field(default=(), repr=False)
    """by step, its deliveries in the form of a trace"""
    error: str | None = None
    """what ended the program"""
    why: str = ""
    """why the program is not here"""

    @classmethod
    def of(
        cls, value: dict[str, Any], kept: Iterable[Iterable[dict[str, Any]]], error: str | None, why: str
    ) -> Recording:
        """Return the recording of what `Program.to_dict` returned."""
        deliveries = tuple(tuple(step) for step in kept)
        return cls(_absent, str(value["program"]), value["arguments"], deliveries, error, why)

    @property
    def title(self) -> str:
        """The program's title, with a note that only its messages are here."""
        return f"{Program.title.fget(self)}, of which only the messages are here ({self.why})"  # type: ignore[attr-defined]  # a property has it

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types of its messages."""
        return tuple({type(kept_message(one["message"])) for step in self.kept for one in step})


class _Abandoned(KeyboardInterrupt):
    """Ends an abandoned program. It is a `KeyboardInterrupt` because the runtime does not treat that as a crash."""


class _Watched(Source):
    """A program's room, observed only through its runtime, on whatever thread it plays."""

    playback: Playback
    _runtime: StepRuntime | None = None
    _upcoming: Item | None = None
    """the queue item that is about to be delivered; None at the end"""
    _seated: Sequence[Any] = ()
    """the seats of the table played at most recently"""

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""
        return self._upcoming is not None

    @property
    def upcoming(self) -> Item | None:
        """The item that is about to be delivered."""
        return self._upcoming

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The undelivered messages, the next one first."""
        rest = () if self._runtime is None else self._runtime.pending
        return rest if self._upcoming is None else (_delivery(self._upcoming), *rest)

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat at the table played at most recently."""
        named = tuple(f"seat {at}" if one is None else one.player for at, one in enumerate(self._seats()))
        last = self.playback.last_hand
        size = 0 if last is None else len(last.stacks)
        return named[:size] if size and len(named) >= size else tuple(map(str, range(size))) or named

    @property
    def stacks(self) -> tuple[int, ...]:
        """The table's stacks, in chips: a program has no script to say what a hand starts with."""
        return tuple(0 if seat is None else seat.stack for seat in self._seats())

    def _seats(self) -> Sequence[Any]:
        tables = [one.actor for one in self.playback.known if isinstance(one.actor, table.TableActor)]
        busy = [actor for actor in tables if actor.memory.state.hand_id is not None]
        for actor in (busy or tables)[:1]:
            # remembered: once its room is closed there is no table left to ask for the names
            self._seated = actor.memory.state.seats
        return self._seated

    @property
    def room(self) -> Room:
        """Raise `BadSpec`: a program opens its rooms itself."""
        raise BadSpec("a program keeps its room to itself: inspect its actors")

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return 0.0 if self._runtime is None else self._runtime.now()

    def watch(self, steps: StepRuntime) -> None:
        """Note every delivery of a runtime from now on."""
        self._runtime = steps
        steps.observers.append(_nothing)  # an observed runtime never folds messages: one item is one step
        self.playback.observed.tap(steps)

    def made(self, step: Step) -> None:
        """Remember who is seated."""
        self._seats()


class Threaded(_Watched):
    """A program on a thread of its own.

    The program's thread and the session's thread take turns: one runs while the other waits. So the
    state needs no locks, and the order of messages depends on the program alone.
    """

    def __init__(self, program: Program) -> None:
        self._program: Final = program
        self._failure: BaseException | None = None
        self._abandoned = False
        self._go, self._stopped = Semaphore(0), Semaphore(0)

    @property
    def failure(self) -> BaseException | None:
        """The error that ended the program, if any."""
        return self._failure

    def begin(self, playback: Playback) -> None:
        """Let the program run up to its first message."""
        self.playback = playback
        # a daemon: a session that is never closed must not keep the interpreter from exiting
        self._thread = Thread(target=self._play, name=f"debugged {self._program.title}", daemon=True)
        self._thread.start()
        self._stopped.acquire()

    def deliver(self) -> None:
        """Let the program deliver the next message, and run up to the one after it."""
        self._go.release()
        self._stopped.acquire()

    def close(self) -> None:
        """Abandon the program where it stands, as Ctrl-C would, and wait for its thread to end."""
        self._abandoned = True
        self._go.release()
        self._thread.join()

    # -- on the program's thread ------------------------------------------------------------

    def _play(self) -> None:
        try:
            self._program.play(self.watch, **self._program.arguments)
        except _Abandoned:
            pass
        except BaseException as error:  # noqa: BLE001  the session shows whatever ended the program
            self._failure = error
        finally:
            # without it the session would wait forever for a stop that no longer comes
            self.playback.cut()
            self._stopped.release()

    def reached(self, item: Item) -> None:
        """Stop before a message: the program's thread waits here until the session advances."""
        self.playback.cut()  # the message before it, if the program unwinds from its midst
        # a program may deliver while it unwinds (closing its room): nobody would wake it from a stop there
        if not self._abandoned:
            self._upcoming = item
            self._stopped.release()
            self._go.acquire()
            self._upcoming = None
        if self._abandoned:
            raise _Abandoned


class Followed(_Watched):
    """A run that somebody else plays on another thread, checked against your own promises on the way.

    `stop` is called with the words of the first promise broken, and must raise what ends the run.
    """

    def __init__(self, promises: Iterable[OwnPromise], stop: Callable[[str], NoReturn]) -> None:
        self._held = Held(promises)
        self._stop = stop
        self._last: Step | None = None
        self.broken: str | None = None
        """the promise that was broken, in words"""
        self.broken_at = 0
        """the number of the message after which it was"""
        self.playback = Playback(self)

    def made(self, step: Step) -> None:
        """Check the promises after a step."""
        super().made(step)
        self._last = step
        if self.broken is None:
            self._hold(step, over=False)
            if self.broken is not None:
                self._stop(self.broken)

    def end(self) -> None:
        """End the run: an `eventually` promise that is still open is broken."""
        if self.broken is None and self._last is not None:
            self._hold(self._last, over=True)

    def _hold(self, step: Step, *, over: bool) -> None:
        for made in self._held.after(self.playback, step, over=over):
            if self.broken is None:
                self.broken, self.broken_at = f"{made.who} {made.text}", self.playback.position

    def deliver(self) -> NoReturn:
        """Raise `BadSpec`: somebody else plays this run."""
        raise BadSpec("a followed run is played by its own program")

    def close(self) -> None:
        """Do nothing: the run is not ours to end."""


class Kept(Source):
    """The messages of a recording, one after the other; there are no actors beneath them."""

    playback: Playback

    def __init__(self, recording: Recording) -> None:
        self._kept: Final = recording.kept
        self._error: Final = recording.error

    def begin(self, playback: Playback) -> None:
        """Begin at the first message."""
        self.playback = playback

    def close(self) -> None:
        """Do nothing: there is no room."""

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""
        return self.playback.position < len(self._kept)

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The next message only: others on their way are not recorded."""
        return (_told(self._kept[self.playback.position][0]),) if self.waiting else ()

    @property
    def failure(self) -> BaseException | None:
        """What ended the program."""
        return None if self.waiting or self._error is None else BadSpec(self._error)

    def deliver(self) -> None:
        """Make the next step from its record."""
        kept = self._kept[self.playback.position]
        handled = tuple([Handled(_told(one), one["depth"], one["outcome"]) for one in kept])
        wrong = tuple([made for one in handled if (made := _wrong(one)) is not None])
        self.playback.make(handled, None, wrong)


def _told(one: dict[str, Any]) -> Delivery:
    return Delivery(one["from"], one["to"], kept_message(one["message"]), one["asked"])


def _wrong(one: Handled) -> Incident | None:
    """Return what a recorded outcome says went wrong."""
    kinds: dict[str, Kind] = {"refused": "refused", "crashed": "crash"}
    kind, _, text = one.outcome.partition(": ")
    if kind not in kinds:
        return None
    verb = "refuses" if kind == "refused" else "crashes on"
    return Incident(
        (kinds[kind],), one.delivery.receiver, f"{verb} {type(one.delivery.message).__name__}: {text}"
    )


def _nothing(delivery: Delivery) -> None:
    """Do nothing: passing this function only makes the runtime observed."""


def _delivery(item: tuple[Any, ...]) -> Delivery:
    address, message, reply, sender = item
    return Delivery(sender.name if sender else None, address.name, message, reply is not None)
