"""A request to a server and the reader of its answer, without a socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import attrs

from poker_actors.errors import PokerError
from poker_actors.jsontext import parse_json

__all__ = ["MOST_BYTES", "Call", "ServerRefusal"]

T = TypeVar("T")

MOST_BYTES: Final = 16 * 2**20
"""Most bytes of an answer."""


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
    """whether the answer is text, and no JSON"""
    seconds: float = 0.0
    """that the server may take beside the usual, before it answers"""

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
            raise ServerRefusal("the answer is no JSON", status=status) from None
        try:
            return self.read(plain)
        except (TypeError, KeyError, ValueError):
            raise ServerRefusal("the answer is not what was asked for", status=status) from None


def _read_refusal(status: int, text: str) -> ServerRefusal:
    """Read an error: plain text, as in the contract, or an object with code and text."""
    try:
        plain = parse_json(text)
        return ServerRefusal(f"{status}: {plain['text'][:200]}", status=status, code=str(plain["code"]))
    except (ValueError, TypeError, KeyError):
        return ServerRefusal(f"{status}: {text.strip()[:200]}", status=status)
