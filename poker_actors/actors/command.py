"""The base of commands, the messages that several actors understand, and listeners."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from poker_actors.actors.runtime import ASK_SECONDS, Address, Word
from poker_actors.errors import BadSpec, PokerError
from poker_actors.frozen import message

R = TypeVar("R")
S = TypeVar("S")

RETRY_SECONDS: Final = 1.0
"""Pause before retrying a write that failed (a full disk) when no caller waits for it: a pay-out, a bot's turn."""


class Command(Generic[R]):
    """A message answered with an `R`, or refused with one of the codes in `refusals`."""

    __slots__ = ()

    refusals: ClassVar[tuple[str, ...]] = ()


@message
class GetState(Command[object]):
    """Return the actor's state as a value without cards."""


@message
class TakeUp:
    """From a table or a player to itself: retry a write to the journal that failed."""


class Face:
    """The base of the actors' typed faces.

    `poker_actors.actors.aio` calls the same methods on a face whose `ask`, `_answered` and `kept` return coroutines.
    A method must therefore return the result of one of these unchanged, or run its steps through `_finish`.
    """

    def __init__(self, address: Address) -> None:
        self.address = address

    def ask(self, command: Command[R], timeout: float = ASK_SECONDS) -> R:
        """Send a command and wait at most `timeout` seconds for its answer; see `Address.ask`."""
        answer: R = self.address.ask(command, timeout)
        return answer

    def _answered(self, command: Command[R], made: Callable[[R], S], timeout: float = ASK_SECONDS) -> S:
        """Send a command and return its answer, converted by `made`."""
        return made(self.ask(command, timeout))

    def kept(self, promise: Word) -> Any:
        """Wait for a promise, then return its value or raise its error."""
        return promise.get(None, self.address.name)

    async def _done(self, answer: R) -> R:
        """Return the result of another call of this face; an awaitable face awaits it."""
        return answer

    def _finish(self, steps: Coroutine[Any, Any, R]) -> R:
        """Carry out steps that await nothing but `_done`, and so never suspend; an awaitable face awaits them."""
        try:
            steps.send(None)
        except StopIteration as end:
            result: R = end.value
            return result
        raise AssertionError("the steps of a call await `_done` alone")


class Named(Protocol):
    """Anything with a name: a `Player`, a `Table` or an awaitable one."""

    @property
    def name(self) -> str:
        """The name, unique in the room."""


class Reachable(Named, Protocol):
    """Anything with a name and an address: a `Player` or an awaitable one."""

    address: Address


_NAME_LENGTH: Final = 64
"""Characters in a name: a UUID and a prefix fit; names are written with every fact."""


def check_name(name: object, what: str) -> None:
    """Raise `BadSpec` for an invalid name; `what` is "player" or "table"."""
    text = name if type(name) is str else ""
    if not (0 < len(text) <= _NAME_LENGTH and text.isprintable()):
        raise BadSpec(f"{what} {name!r:.80}: a name must be 1 to {_NAME_LENGTH} printable characters")
    if "/" in text or text != text.strip():
        raise BadSpec(f"{what} {name!r}: a name must not have / or a blank at its ends")


def name_of(player: str | Named) -> str:
    """Return the name of a player, given as a `Player` or by name; raises `BadSpec` for anything else."""
    name = player if isinstance(player, str) else getattr(player, "name", None)
    if not isinstance(name, str):
        raise BadSpec(f"{player!r:.80} is neither a player nor a player's name")
    return name


def address_of(player: Reachable) -> Address:
    """Return the address of a player; raises `BadSpec` for anything else, a player's name included."""
    address = getattr(player, "address", None)
    if not isinstance(address, Address):
        raise BadSpec(f"{player!r:.80} is not a player: give what `Room.player` returns")
    return address


class Hearing(Protocol):
    """A listener to all messages of a room."""

    clock: Callable[[], float]

    def told(self, who: str, news: object) -> None:
        """Note a message sent to a player."""

    def asked(self, who: str, command: object) -> None:
        """Note a command before it is carried out."""

    def answered(self, who: str, command: object, value: object) -> None:
        """Note the answer to a command."""

    def refused(self, who: str, command: object, error: PokerError) -> None:
        """Note that a command was refused."""

    def lost(self, who: str, command: object) -> None:
        """Note that a crash left a command unanswered."""


def hear(
    listener: Hearing,
    name: str,
    message: object,
    carry_out: Callable[[], Any],
    look: Callable[[Any], Any] | None = None,
) -> Any:
    """Carry out a message for the actor called `name`, and report it to `listener`.

    Afterwards report the state of a bank or a table, too: `look` is the actor's own handler of `GetState`.
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
