"""uvicorn's HTTP and WebSocket connections, counted, held to deadlines, and cut when they overrun them."""

from __future__ import annotations

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from poker_actors.server.http.connections import Connection, Connections

__all__ = ["GuardedHttp", "GuardedSocket"]

_SENTENCES: Final = {
    400: "That is no HTTP request.",
    408: "The request took too long to come.",
    413: "The body is too long.",
    429: "Too many connections from your address.",
    431: "The headers are too long or too many.",
    503: "Too many connections: try again.",
}


def _refusal(status: int) -> bytes:
    text = f"{_SENTENCES[status]}\n"
    again = "retry-after: 1\r\n" if status in (429, 503) else ""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(text)}\r\n{again}connection: close\r\n\r\n"
    )
    return (head + text).encode("ascii")


_REFUSALS: Final = {status: _refusal(status) for status in _SENTENCES}


class _Over(Exception):
    """The connection is being closed; ends the parsing."""


class GuardedHttp(HttpToolsProtocol):
    """uvicorn's connection, with what uvicorn leaves open: deadlines, caps, and an end of what is not read."""

    def __init__(self, guard: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._guard: Final = guard
        self._entry: Connection | None = None
        self._running: RequestResponseCycle | None = None
        self._heard = False
        self._turned = False
        """the bytes just read began or ended a head or a body"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection in, or turn it away."""
        peer = get_remote_addr(transport)
        found = self._guard.admit(self, "" if peer is None else peer[0])
        if isinstance(found, int):
            self.transport = transport
            transport.write(_REFUSALS[found])
            transport.close()
            return
        self._entry = found
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        if self._entry is not None:
            self._guard.lost(self._entry)
            self._entry = None
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what comes, while there is room and time for it."""
        entry = self._entry
        if entry is None or self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        self._heard, self._turned = True, False
        if entry.since is None:
            entry.since, entry.in_head, entry.size = self._guard.now(), True, 0
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:
                self._guard.refuse(entry, 400)
        except httptools.HttpParserError:
            self._guard.refuse(entry, 400)
        else:
            if not self._turned:
                self._guard.came(entry, len(data))

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on; it stays counted."""
        entry, self._entry = self._entry, None
        assert entry is not None
        entry.since = None
        self.ws_protocol_class = partial(GuardedSocket, self._guard, entry)  # type: ignore[assignment]
        super().handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    # -- the parser's calls --------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """A request begins."""
        entry = self._entry
        assert entry is not None
        if entry.since is None:  # behind another one, in the same bytes
            entry.since, entry.in_head = self._guard.now(), True
        entry.size = 0
        self._turned = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is there; from here on the body's deadline runs."""
        entry = self._entry
        assert entry is not None
        if not self._guard.head_fits(self.url, self.headers):
            self._guard.refuse(entry, 431)
        elif len(self.pipeline) >= self._guard.limits.pipelined:
            # uvicorn would queue as many as come, and read on with each answer given
            self._guard.refuse(entry, 429)
        if self.transport.is_closing():
            raise _Over
        entry.in_head, entry.size, entry.since = False, 0, self._guard.now()
        entry.requests += 1
        self._turned = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is there."""
        entry = self._entry
        assert entry is not None
        entry.since = None
        self._turned = True
        super().on_message_complete()

    # -- the guard's calls ---------------------------------------------------------------------

    def unread(self) -> int:
        """Bytes that wait to be taken."""
        return self.transport.get_write_buffer_size()

    def refuse(self, status: int) -> None:
        """Answer an error unless an answer is under way, and hang up."""
        if self.transport.is_closing():
            return
        if self._heard and self._is_next():
            self.transport.write(_REFUSALS[status])
        self._leave()
        self.transport.close()

    def _is_next(self) -> bool:
        """Whether the request that is being read is the one to be answered next, and is not yet."""
        running = self._running
        if self.pipeline:
            return False
        if self._entry is None or self._entry.in_head:
            return running is None or running.response_complete
        return running is self.cycle and not running.response_started

    def _leave(self) -> None:
        """Tell the request under way that nobody waits for its answer; uvicorn tells only the last one."""
        running = self._running
        if running is not None and not running.response_complete:
            running.disconnected = True
            running.message_event.set()

    def cut(self) -> None:
        """Hang up at once."""
        self.transport.abort()


class GuardedSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, counted as the connection it came from."""

    def __init__(self, guard: Connections, entry: Connection, **given: Any) -> None:
        super().__init__(**given)
        self._guard: Final = guard
        self._entry: Final = entry

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the place of the HTTP connection."""
        self._entry.line = self
        self._entry.upgraded = True
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._guard.lost(self._entry)
        super().connection_lost(exc)

    def unread(self) -> int:
        """Bytes that wait to be taken."""
        return self.transport.get_write_buffer_size()

    def refuse(self, status: int) -> None:
        """Hang up: there is no answer to be given."""
        self.transport.abort()

    def cut(self) -> None:
        """Hang up at once."""
        self.transport.abort()
