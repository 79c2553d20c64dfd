"""Replies to what an actor is asked, and messages to many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from pykka.messages import _ActorStop

from poker_actors.errors import RoomBusy, RoomClosed

__all__ = [
    "ASK_SECONDS",
    "MAILBOX_LIMIT",
    "STOP",
    "Answering",
    "Listed",
    "Many",
    "Reply",
    "Timer",
    "Word",
    "refuse",
    "refuse_full",
    "refuse_left",
    "stop_message",
]

ASK_SECONDS: Final = 5.0
"""How long an ask waits: far longer than any handler takes, yet short enough to notice a fault."""


class Reply(Protocol):
    """Where the answer to an ask goes."""

    def set(self, value: Any = None) -> None:
        """Answer."""

    def set_exception(self, exc_info: Any = None) -> None:
        """Answer with an error: the one being handled, or ``(type, error, traceback)``."""


class Answering:
    """`set` and `set_exception` in terms of one method, for the words of both runtimes."""

    __slots__ = ()

    def set(self, value: Any = None) -> None:
        """Answer."""
        self._answer(value, None)

    def set_exception(self, exc_info: Any = None) -> None:
        """Answer with an error: the one being handled, or ``(type, error, traceback)``."""
        self._answer(None, (exc_info or sys.exc_info())[1])

    def _answer(self, value: Any, error: BaseException | None) -> None:
        raise NotImplementedError


class Word(Reply, Protocol):
    """A reply that can be waited for. The first answer counts; later ones are ignored."""

    def get(self, timeout: float | None, who: str) -> Any:
        """Wait for the answer of `who`, then return or raise it; raises `AskTimeout` after `timeout` seconds."""

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call `callback` once there is an answer: now, or in the thread that answers."""


class Timer(Protocol):
    """A message to be delivered later."""

    def cancel(self) -> None:
        """Never deliver it, unless it is already on its way."""


if TYPE_CHECKING:
    _Messages = Sequence[Any]
else:
    _Messages = object  # `isinstance` on an abstract base would take as long as a delivery


class Many(_Messages):
    """Messages to many receivers, each made only when it is looked at.

    Receivers need handlers for this type, if `deliver` returns their place, and for what `calls` returns.
    """

    __slots__ = ()

    def deliver(self) -> int:
        """Note the delivery; return the place of the only actor to be called, with this object, or -1: see `calls`."""
        raise NotImplementedError

    def calls(self) -> Iterable[tuple[int, object]]:
        """Return whom to call, in order: each one's place and message."""
        raise NotImplementedError


class Listed(Many):
    """Messages made beforehand, delivered to all receivers."""

    __slots__ = ("_messages",)

    def __init__(self, messages: Sequence[object]) -> None:
        self._messages = messages

    def deliver(self) -> int:
        """Note nothing; everybody is called."""
        return -1

    def calls(self) -> Iterable[tuple[int, object]]:
        """Call everybody."""
        return enumerate(self._messages)

    def __getitem__(self, place: Any) -> Any:
        return self._messages[place]

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[object]:
        return iter(self._messages)


MAILBOX_LIMIT: Final = 10_000
"""Messages that may wait for one actor: hours of a quick table, and some megabytes."""


def refuse_full(reply: Reply, name: str) -> None:
    """Answer that the mailbox of `name` is full."""
    text = f"{name} has {MAILBOX_LIMIT} messages waiting: it takes no more"
    reply.set_exception((RoomBusy, RoomBusy(text), None))


def refuse(reply: Reply, name: str) -> None:
    """Answer that `name` is gone; a reply that is already answered keeps its answer."""
    reply.set_exception((RoomClosed, RoomClosed(f"{name} is gone"), None))


def refuse_left(name: str, message: object, reply: Reply | None) -> None:
    """Answer a message that nobody will handle any more: one that was to stop the actor is done."""
    if reply is not None:
        if isinstance(message, STOP):
            reply.set(None)
        else:
            refuse(reply, name)


STOP: Final = _ActorStop
"""The type of the message that stops an actor; even a full mailbox takes it."""


def stop_message() -> object:
    """Return the message that stops an actor, after those sent to it before."""
    return _ActorStop()
