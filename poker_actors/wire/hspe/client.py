"""The blocking client of an HSPE server: one method per route, over one connection."""

from __future__ import annotations

import http.client
from contextlib import suppress
from typing import TypeVar

from poker_actors.closing import Closing
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, ServerRefusal
from poker_actors.wire.hspe.routes import Routes

__all__ = ["Client"]

T = TypeVar("T")


class Client(Routes, Closing):
    """Plays for one user of the server at `url`, such as ``http://127.0.0.1:8080``; for one thread.

    Each call is one request. Raises `ServerRefusal` for an error answer, `OSError` (`ConnectionError`,
    `TimeoutError`) when there is no answer within `timeout` seconds.
    The methods from `lobby` on need a server of ours, and those from `arena` on one that serves an arena.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        super().__init__(url, user, password)
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        self._timeout = timeout
        self._connection = kind(self._host, self._port, timeout=timeout)

    def _ask(self, call: Call[T]) -> T:
        self._connection.timeout = self._timeout + call.seconds  # of the next socket
        if self._connection.sock is not None:
            self._connection.sock.settimeout(self._connection.timeout)
        try:
            self._connection.request(call.method, call.path, call.body, call.headers)
            response = self._connection.getresponse()
            read = response.read(MOST_BYTES + 1)
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"no answer: {type(error).__name__}") from error
        except OSError:
            self.close()
            raise
        try:
            return call.answered(response.status, read)
        except ServerRefusal as refused:
            if refused.status < 300:  # the unread rest would be taken for the next answer
                self.close()
            raise

    def close(self) -> None:
        """Hang up; the next call connects again."""
        with suppress(OSError):
            self._connection.close()
