"""A witness hears what people are told in a session, as it hears a room of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from poker_actors.actors import messages, runtime
from poker_actors.actors.hearing import Hearing, hear

__all__ = ["Listener", "heard"]

_STOP: Final = type(runtime.stop_message())


class Listener(Hearing, Protocol):
    """Whoever is told all that is said in a room: a `poker_actors.testing.Witness`."""

    @property
    def verdicts(self) -> Sequence[object]:
        """What did not stay true."""

    def rest(self) -> None:
        """Hear that nothing is on its way."""


def heard(
    witness: Listener, actor: runtime.Actor, message: object, handle: Callable[[runtime.Actor, object], Any]
) -> Any:
    """Have a message handled, and the witness hear of it."""
    if type(message) is _STOP:
        return handle(actor, message)
    look = actor.handlers.get(messages.GetState)
    return hear(witness, actor.address.name, message, lambda: handle(actor, message), look)
