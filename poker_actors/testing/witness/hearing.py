"""Runtimes on which a witness hears every message, before and after its handler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, Protocol

from poker_actors.actors import LoopRuntime, StepRuntime, ThreadRuntime
from poker_actors.actors.hearing import Hearing, hear
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import Actor, Address, stop_message
from poker_actors.testing.witness.promise import Verdict

__all__ = ["Handler", "HeardLoop", "HeardStepper", "HeardThreads"]

_STOP: Final = type(stop_message())

Handler = Callable[[Any], Any]


class Listener(Protocol):
    """What the runtimes need of the witness."""

    clock: Callable[[], float]
    verdicts: list[Verdict]
    number: int

    def hold(self) -> None:
        """Raise the first verdict."""

    def life(self) -> Life:
        """Return what hears the room of the process that begins now, until that dies."""


class Life(Hearing, Protocol):
    """What hears one process."""

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
