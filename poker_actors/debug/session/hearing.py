"""A witness hears what people are told in a session, as it hears a room of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from poker_actors.actors import messages, runtime
from poker_actors.errors import PokerError

__all__ = ["Listener", "heard"]

_STOP: Final = type(runtime.stop_message())


class Listener(Protocol):
    """Whoever is told all that is said in a room: a `poker_actors.testing.Witness`."""

    clock: Callable[[], float]

    @property
    def verdicts(self) -> Sequence[object]:
        """What did not stay true."""

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

    def rest(self) -> None:
        """Hear that nothing is on its way."""


def heard(
    witness: Listener, actor: runtime.Actor, message: object, handle: Callable[[runtime.Actor, object], Any]
) -> Any:
    """Have a message handled, and the witness hear of it; then what a bank or a table says of itself now."""
    name = actor.address.name
    if type(message) is _STOP:
        return handle(actor, message)
    if name.startswith("player "):
        witness.told(name, message)
        return handle(actor, message)
    witness.asked(name, message)
    try:
        answer = handle(actor, message)
    except PokerError as error:
        witness.refused(name, message, error)
        raise
    except BaseException:
        witness.lost(name, message)
        raise
    witness.answered(name, message, answer)
    if (name == "bank" or name.startswith("table ")) and type(message) is not messages.GetState:
        question = messages.GetState()
        witness.answered(name, question, actor.handlers[messages.GetState](question))
    return answer
