"""Tell a listener what an actor is sent and how it answers: for the witness in tests and the debugger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from poker_actors.actors.command import GetState
from poker_actors.errors import PokerError

__all__ = ["Hearing", "hear"]


class Hearing(Protocol):
    """A listener to everything said in a room."""

    clock: Callable[[], float]

    def told(self, who: str, news: object) -> None:
        """Hear what a player is told."""

    def asked(self, who: str, command: object) -> None:
        """Hear a command before it is carried out."""

    def answered(self, who: str, command: object, value: object) -> None:
        """Hear a command's answer."""

    def refused(self, who: str, command: object, error: PokerError) -> None:
        """Hear that a command was refused."""

    def lost(self, who: str, command: object) -> None:
        """Hear that a crash left a command unanswered."""


def hear(
    listener: Hearing,
    name: str,
    message: object,
    carry_out: Callable[[], Any],
    look: Callable[[Any], Any] | None = None,
) -> Any:
    """Have the actor called `name` carry out a message while `listener` hears of it.

    Afterwards the listener hears the state of a bank or a table: `look` is the actor's own handler of `GetState`.
    """
    if name.startswith("player "):
        listener.told(name, message)
        return carry_out()
    listener.asked(name, message)
    try:
        answer = carry_out()
    except PokerError as error:
        listener.refused(name, message, error)
        raise
    except BaseException:
        listener.lost(name, message)
        raise
    listener.answered(name, message, answer)
    if look is not None and type(message) is not GetState and (name == "bank" or name.startswith("table ")):
        question = GetState()
        listener.answered(name, question, look(question))
    return answer
