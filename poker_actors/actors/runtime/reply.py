"""Replies to asks, and the message that stops an actor."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, Protocol

from pykka.messages import _ActorStop

from poker_actors.errors import RoomClosed

ASK_SECONDS: Final = 5.0
"""How long an ask waits: far longer than any handler takes, yet short enough to notice a fault."""


Who = str | tuple[Any, object]
"""Who is to answer: a name, or the address asked and what it was asked, of which `who_text` makes words for errors."""


def who_text(who: Who) -> str:
    """Return who is to answer, in words."""
    return who if isinstance(who, str) else f"{who[0].name}, asked {type(who[1]).__name__},"


class Reply:
    """Where the answer to an ask goes; its subclasses have `_answer`."""

    __slots__ = ()

    def set(self, value: Any = None) -> None:
        """Answer."""
        self._answer(value, None)

    def set_exception(self, exc_info: Any = None) -> None:
        """Answer with an error: the one being handled, or ``(type, error, traceback)``."""
        self._answer(None, (exc_info or sys.exc_info())[1])

    def _answer(self, value: Any, error: BaseException | None) -> None:
        raise NotImplementedError


class Word(Reply):
    """A reply that can be waited for. The first answer counts; later ones are ignored."""

    __slots__ = ("_callbacks", "_error", "_runtime", "_value", "answered", "target")

    def __init__(self, runtime: Any = None) -> None:
        self._runtime: Final = runtime
        self._callbacks: list[Callable[[], None]] = []
        self._value: Any = None
        self._error: BaseException | None = None
        self.answered = False
        self.target: Any = None
        """The `Address` asked, whose file imports this one; None if it answers no message."""

    def get(self, timeout: float | None, who: Who) -> Any:
        """Wait for the answer of `who`, then return or raise it; raises `AskTimeout` after `timeout` seconds."""
        if not self.answered:
            self._wait(timeout, who)
        if self._error is not None:
            raise self._error
        return self._value

    def _wait(self, timeout: float | None, who: Who) -> None:
        """Return once there is an answer; see `get`."""
        raise NotImplementedError

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call `callback` once there is an answer: now, or in the thread that answers."""
        raise NotImplementedError


class Timer(Protocol):
    """A message to be delivered later."""

    def cancel(self) -> None:
        """Never deliver it, unless it is already on its way."""


MAILBOX_LIMIT: Final = 10_000
"""Messages that may wait for one actor: hours of a quick table, and some megabytes."""


def refuse(reply: Reply, name: str) -> None:
    """Answer that `name` is gone; a reply that is already answered keeps its answer."""
    reply.set_exception((RoomClosed, RoomClosed(f"{name} is gone"), None))


def refuse_left(name: str, message: object, reply: Reply | None) -> None:
    """Refuse a message that nobody will handle any more; a stop counts as done."""
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
