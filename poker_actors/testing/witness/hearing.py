"""Runtimes that the witness hears: every message, before its handler and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, Protocol

from poker_actors.actors import StepRuntime, ThreadRuntime
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import Actor, Address, stop_message
from poker_actors.errors import PokerError
from poker_actors.testing.witness.promise import Verdict

__all__ = ["Handler", "HeardStepper", "HeardThreads"]

_STOP: Final = type(stop_message())

Handler = Callable[[Any], Any]


class Listener(Protocol):
    """Whoever is told all that is said in a room: the witness."""

    clock: Callable[[], float]
    verdicts: list[Verdict]
    number: int

    def hold(self) -> None:
        """Raise the first verdict."""

    def told(self, who: str, news: object) -> None:
        """Hear what a player is told."""

    def asked(self, who: str, command: object) -> None:
        """Hear a command before it is carried out."""

    def answered(self, who: str, command: object, value: object) -> None:
        """Hear the answer."""

    def refused(self, who: str, command: object, error: PokerError) -> None:
        """Hear that it was refused."""

    def lost(self, who: str, command: object) -> None:
        """Hear that nobody got the answer."""

    def sends(self, messages: Iterable[object]) -> None:
        """Hear what is about to be told."""


class _Heard:
    """What both runtimes do to be heard: each handler of an actor is wrapped when it starts."""

    witness: Listener

    def wrap(self, actor: Actor) -> None:
        """Wrap the handlers of an actor that is about to start."""
        look = actor.handlers.get(GetState)
        wrapped = {
            kind: handler if kind is _STOP else self._wrapped(actor, handler, look)
            for kind, handler in actor.handlers.items()
        }
        actor.handlers = actor.address.handlers = wrapped

    def _wrapped(self, actor: Actor, handler: Handler, look: Handler | None) -> Handler:
        name = actor.address.name
        if name.startswith("player "):
            return lambda message: self._news(actor, handler, message)
        shown = look if name == "bank" or name.startswith("table ") else None
        return lambda message: self._command(actor, handler, message, shown)

    def _news(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Let a player hear news, or take a command."""
        if not self.arrives(actor.address, message):
            return None
        self.witness.told(actor.address.name, message)
        return self.carry_out(actor, handler, message)

    def _command(self, actor: Actor, handler: Handler, message: object, look: Handler | None) -> Any:
        """Carry a command out; then hear what a bank or a table says of itself now."""
        if not self.arrives(actor.address, message):
            return None
        name, witness = actor.address.name, self.witness
        witness.asked(name, message)
        try:
            answer = self.carry_out(actor, handler, message)
        except PokerError as error:
            witness.refused(name, message, error)
            raise
        except BaseException:
            witness.lost(name, message)
            raise
        witness.answered(name, message, answer)
        if look is not None and type(message) is not GetState:
            question = GetState()
            witness.answered(name, question, look(question))
        return answer

    def arrives(self, address: Address, message: object) -> bool:
        """Whether a message arrives; a fault bench loses some."""
        return True

    def carry_out(self, actor: Actor, handler: Handler, message: object) -> Any:
        """Have one message handled. A fault bench does its harm around this."""
        return handler(message)


class HeardStepper(_Heard, StepRuntime):
    """A stepping runtime whose every message `witness` hears."""

    def __init__(self, witness: Listener, order: Random | None = None) -> None:
        super().__init__(order)
        self.witness = witness
        witness.clock = self.now

    def start_loop(self, actor: Actor) -> None:
        """Let the actor begin, heard from its first message on."""
        self.wrap(actor)
        super().start_loop(actor)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Have the witness look before anybody is told."""
        self.witness.sends(messages)
        super().tell_each(addresses, messages)


class HeardThreads(_Heard, ThreadRuntime):
    """A runtime of threads whose every message `witness` hears."""

    def __init__(self, witness: Listener) -> None:
        super().__init__()
        self.witness = witness
        witness.clock = self.now

    def start_loop(self, actor: Actor) -> None:
        """Run the actor, heard from its first message on."""
        self.wrap(actor)
        super().start_loop(actor)

    def tell_each(self, addresses: Sequence[Address], messages: Sequence[object]) -> None:
        """Have the witness look before anybody is told."""
        self.witness.sends(messages)
        super().tell_each(addresses, messages)
