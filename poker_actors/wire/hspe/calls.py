"""A request to a server and the reader of its answer, and pushed pictures, without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

import attrs

from poker_actors.errors import PokerError
from poker_actors.jsontext import parse_json

T = TypeVar("T")

MOST_BYTES: Final = 16 * 2**20
"""Most bytes of an answer."""
_EVENT_BYTES: Final = 2**20
"""A picture has a few thousand bytes; the limit bounds memory when an event never ends."""
_AGAIN_SECONDS: Final = 1.0
"""Wait between two attempts to reopen a lost stream."""
_RESTARTING: Final = 503


class ServerRefusal(PokerError):
    """The server answered with an error: `status` is the HTTP status, the text is the server's.

    `code` is the server's error code if it sent one.
    """

    default_code = "server_refusal"

    def __init__(self, message: str, *, status: int, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return (_refusal, (self.args[0], self.status, self.code))


def _refusal(message: str, status: int, code: str) -> ServerRefusal:
    return ServerRefusal(message, status=status, code=code)


@attrs.frozen
class Call(Generic[T]):
    """One request, with `read` to convert the JSON of its answer."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: bytes | None = None
    headers: dict[str, str] = attrs.field(factory=dict)
    in_text: bool = False
    """whether the answer is text, not JSON"""
    seconds: float = 10.0
    """seconds that the server may take to answer"""

    def answered(self, status: int, body: bytes) -> T:
        """Return the converted answer; raises `ServerRefusal` for an error or an unexpected answer."""
        text = body.decode("utf-8", "replace")
        if status >= 300:
            raise _read_refusal(status, text)
        if len(body) > MOST_BYTES:
            raise ServerRefusal(f"the answer is longer than {MOST_BYTES} bytes", status=status)
        try:
            plain = text if self.in_text else parse_json(text) if text.strip() else None
        except ValueError:
            raise ServerRefusal("the answer is not JSON", status=status) from None
        try:
            return self.read(plain)
        except (TypeError, KeyError, ValueError):
            raise ServerRefusal("the answer does not fit the request", status=status) from None


def _read_refusal(status: int, text: str) -> ServerRefusal:
    """Read an error: plain text, as in the contract, or an object with code and text."""
    try:
        plain = parse_json(text)
        return ServerRefusal(f"{status}: {plain['text'][:200]}", status=status, code=str(plain["code"]))
    except (ValueError, TypeError, KeyError):
        return ServerRefusal(f"{status}: {text.strip()[:200]}", status=status)


class Pushed:
    """The pictures that a server pushes, over any number of connections; for `lost_seconds` see `pictures`."""

    def __init__(self, whose: str, lost_seconds: float, clock: Callable[[], float]) -> None:
        self._whose = whose
        self._lost_seconds = lost_seconds
        self._clock = clock
        self._until = clock() + lost_seconds
        self._text = b""

    def receive(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """Yield the pictures that these bytes complete; raises `ConnectionError` for an event without an end."""
        self._text += chunk
        if len(self._text) > _EVENT_BYTES:
            raise ConnectionError(f"an event is longer than {_EVENT_BYTES} bytes")
        *events, self._text = self._text.split(b"\n\n")
        for event in events:
            name, data = _read_event(event)
            if name == "table":
                yield data
                self._until = self._clock() + self._lost_seconds

    def lost(self, error: OSError | ServerRefusal) -> float:
        """Return the seconds after which to connect again; raises a refusal, or `ConnectionError` after too long."""
        self._text = b""
        if isinstance(error, ServerRefusal) and error.status != _RESTARTING:
            raise error
        if self._clock() >= self._until:
            raise ConnectionError(f"{self._whose} has lost its game: {error}") from error
        return _AGAIN_SECONDS


def _read_event(event: bytes) -> tuple[str, dict[str, Any]]:
    """Read one server-sent event: its name, and its data if that is an object."""
    name = ""
    data: Any = {}
    for line in event.decode("utf-8", "replace").split("\n"):
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            with suppress(ValueError):
                data = parse_json(value)
    return name, data if isinstance(data, dict) else {}
