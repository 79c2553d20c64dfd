"""Messages that wait for an answer, and the few that every actor understands."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from poker_actors.frozen import message

__all__ = ["RETRY_SECONDS", "Command", "GetState", "TakeUp"]

R = TypeVar("R")

RETRY_SECONDS: Final = 1.0
"""How long what nobody waits for (a pay-out, a bot's turn) lets a full disk be before it tries again."""


class Command(Generic[R]):
    """A message that is answered with an `R`, or refused."""

    __slots__ = ()


@message
class GetState(Command[object]):
    """The actor's state, as a value that hides every card."""


@message
class TakeUp:
    """From a table or a player to itself: the journal could not be written, try again what is left to do."""
