"""Promises compare what people are told with what they were told before, on runtimes that hear every message."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import attrs

from poker_actors.actors import LoopRuntime, StepRuntime, ThreadRuntime
from poker_actors.actors.command import Hearing, hear
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import Actor, Address, stop_message

T = TypeVar("T")
C = TypeVar("C")


class BrokenPromise(AssertionError):
    """Raised when something told to somebody is no longer true; `verdict` says what."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict: Final = verdict


@attrs.frozen
class Verdict:
    """One broken promise: its name, what was told and when, and what is true now."""

    promise: str
    sentence: str
    number: int
    """number of the message that showed it, by the witness's count from 1"""
    life: int = 1
    """life of the room in which it was heard, from 1: each process that opened the room is one"""

    def __str__(self) -> str:
        where = "" if self.life == 1 else f", in life {self.life} of the room"
        return f"{self.promise}: {self.sentence} (heard {self.number}{where})"


class Heard(Generic[T]):
    """A message the witness has heard: `what` was told to or asked of `who`, the `number`-th message of all."""

    __slots__ = ("number", "time", "what", "who")

    def __init__(self, number: int, who: str, what: T, time: float = 0.0) -> None:
        self.number: Final = number
        self.who: Final = who
        self.what: Final[T] = what
        self.time: Final = time
        """on the room's clock, in seconds"""

    @property
    def table(self) -> str:
        """The table that was asked; empty for other actors."""
        return self.who.removeprefix("table ") if self.who.startswith("table ") else ""


@attrs.frozen
class Answer(Generic[C, T]):
    """A command and the answer to it."""

    command: C
    value: T


Ear = Callable[[Heard[Any]], None]
"""Called by the witness with one message."""


@attrs.frozen
class Hears:
    """What a promise listens to: a callback for each type of news or command."""

    told: Mapping[type, Ear] = attrs.field(factory=dict)
    asked: Mapping[type, Ear] = attrs.field(factory=dict)
    """before the command is carried out"""
    answered: Mapping[type, Ear] = attrs.field(factory=dict)
    """`what` is an `Answer`"""
    lost: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands whose answer never arrived: they may or may not have been carried out"""
    refused: Mapping[type, Ear] = attrs.field(factory=dict)
    """commands that were refused, which changes nothing"""


class Promise:
    """One rule. A subclass lists what it listens to in `hears`, and checks each message with `holds` or `stays`.

    The witness calls `forget` for old hands, so memory stays bounded.
    """

    name: ClassVar[str]
    says: ClassVar[str]

    def __init__(self, broken: Callable[[Verdict], None]) -> None:
        self._broken = broken
        self.checked = 0
        """the number of comparisons made"""
        self._facts: dict[str, dict[Hashable, Heard[Any]]] = {}

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        raise NotImplementedError

    def forget(self, hand_id: str) -> None:
        """Forget a hand that is long over."""
        self._facts.pop(hand_id, None)

    def rest(self, number: int) -> None:
        """Check what must hold once no message is on its way."""

    def died(self) -> None:
        """Note that the process has died: messages on their way are lost."""

    def holds(self, held: bool, heard: Heard[Any], sentence: Callable[[], str]) -> None:
        """Count one comparison; if it does not hold, break the promise with `sentence()`."""
        self.checked += 1
        if not held:
            self.breaks(heard.number, sentence())

    def breaks(self, number: int, sentence: str) -> None:
        """Report the promise as broken."""
        self._broken(Verdict(self.name, sentence, number))

    def fact(self, hand_id: str, key: Hashable) -> Heard[Any] | None:
        """Return the note on a hand under `key`; None if there is none."""
        facts = self._facts.get(hand_id)
        return None if facts is None else facts.get(key)

    def note(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any) -> None:
        """Note something said of a hand under `key`."""
        self._facts.setdefault(hand_id, {})[key] = Heard(heard.number, heard.who, value, heard.time)

    def stays(self, hand_id: str, key: Hashable, heard: Heard[Any], value: Any, what: str) -> None:
        """Check that what is said of a hand under `key` equals its first note; note the first."""
        before = self.fact(hand_id, key)
        if before is None:
            self.note(hand_id, key, heard, value)
            return
        self.checked += 1
        if before.what != value:
            self.breaks(
                heard.number,
                f"{before.who} was told (heard {before.number}) that {what} of {hand_id} is {before.what}, "
                f"and now {heard.who} is told {value}",
            )


_STOP: Final = type(stop_message())

Handler = Callable[[Any], Any]


class Listener(Protocol):
    """What the runtimes need from the witness."""

    clock: Callable[[], float]
    verdicts: list[Verdict]
    number: int

    def hold(self) -> None:
        """Raise the first verdict."""

    def life(self) -> Life:
        """Return the listener for the process that begins now, until it dies."""


class Life(Hearing, Protocol):
    """A listener to one process."""

    def sends(self, messages: Iterable[object]) -> None:
        """Hear messages before they are sent."""


class _Heard:
    """Shared by all runtimes: wraps the handlers of each actor when it starts."""

    witness: Listener
    life: Life

    def start(self, actor: Actor) -> None:
        """Start the actor; the witness hears it from the first message on."""
        self.wrap(actor)
        super().start(actor)  # type: ignore[misc]  # the runtime class comes next in the MRO

    def tell_each(
        self, addresses: Sequence[Address], messages: Sequence[object], sender: Address | None = None
    ) -> None:
        """Let the witness check the messages before anybody has them."""
        self.life.sends(messages)
        super().tell_each(addresses, messages, sender)  # type: ignore[misc]  # the runtime class comes next in the MRO

    def wrap(self, actor: Actor) -> None:
        """Wrap the handlers of an actor that is about to start."""
        look = actor.handlers.get(GetState)
        wrapped = {
            kind: handler if kind is _STOP else self._wrapped(actor, handler, look)
            for kind, handler in actor.handlers.items()
        }
        actor.handlers = wrapped

    def _wrapped(self, actor: Actor, handler: Handler, look: Handler | None) -> Handler:
        name = actor.address.name

        def handle(message: Any) -> Any:
            if not self.arrives(actor.address, message):
                return None
            return hear(self.life, name, message, lambda: self.carry_out(actor, handler, message), look)

        return handle

    def arrives(self, address: Address, message: object) -> bool:
        """Return whether a message arrives; the fault bench loses some."""
        return True

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Handle one message; the fault bench overrides this to inject faults."""
        return handler(message)


class HeardStepper(_Heard, StepRuntime):
    """A stepping runtime on which `witness` hears every message."""

    def __init__(self, witness: Listener, order: Random | None = None) -> None:
        super().__init__(order)
        self.witness = witness
        self.life = witness.life()
        witness.clock = self.now


class HeardThreads(_Heard, ThreadRuntime):
    """A threaded runtime on which `witness` hears every message."""

    def __init__(self, witness: Listener) -> None:
        super().__init__()
        self.witness = witness
        self.life = witness.life()
        witness.clock = self.now


class HeardLoop(_Heard, LoopRuntime):
    """A runtime of one thread on which `witness` hears every message."""

    def __init__(self, witness: Listener) -> None:
        super().__init__()
        self.witness = witness
        self.life = witness.life()
        witness.clock = self.now
