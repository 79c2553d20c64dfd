"""A guard between socket and HTTP server: count connections, set deadlines, cut clients that do not read.

A `Guard` is the asyncio protocol of a connection, with the server's own protocol behind it. It parses the data, to know
which requests are unanswered, and passes it on within the limits. `Answers`, an ASGI layer on the other side, tells it
which requests have been answered. Data that is nothing but polls for unchanged views is answered here.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import httptools
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from poker_actors.server.http.answers import JSON, TEXT, Polls, Unchanged, head_of
from poker_actors.server.http.connections import Connection, Connections

if TYPE_CHECKING:
    import uvicorn

_SENTENCES: Final = {
    400: "That is not an HTTP request.",
    405: "This method is not allowed here.",
    408: "The request took too long to arrive.",
    413: "The body is too long.",
    429: "Too many connections from your address.",
    431: "The headers are too long or too many.",
    503: "Too many connections: try again.",
}
_UNHEARD: Final = 1 / 8
"""The part of `idle_seconds` for which a connection's polls are answered here and hidden from the HTTP server."""
_MOST_HEADERS: Final = 1_000
"""Headers kept of one request, far above any useful limit: a bound on the memory."""


def _refusal(status: int, code: str = "") -> bytes:
    kind, text = TEXT, f"{_SENTENCES[status]}\n"
    if code:
        kind, text = JSON, json.dumps({"code": code, "text": _SENTENCES[status]}) + "\n"
    again = "retry-after: 1\r\n" if status in (429, 503) else ""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: {kind}\r\n"
        f"content-length: {len(text)}\r\n{again}connection: close\r\n\r\n"
    )
    return (head + text).encode("ascii")


_REFUSALS: Final = {status: _refusal(status) for status in _SENTENCES}
_UPLOAD_TOO_LARGE: Final = _refusal(413, "too_large")
"""The answer of its route, which may not have read that far yet."""

Peer = tuple[str, int]


_OVER: Final = asyncio.Protocol()
"""The protocol behind the guard of a closed connection."""


class _Over(Exception):
    """Raised to end the parsing of a connection that is being closed."""


class Guards:
    """The guards of all open connections, by the peer's address and port."""

    def __init__(self, connections: Connections, polls: Callable[[], Polls | None] = lambda: None) -> None:
        self.connections: Final = connections
        self.polls: Final = polls
        """what answers polls for unchanged views now, if anything does"""
        self.by_peer: Final[dict[Peer, Guard]] = {}

    def before(self, inner: Callable[..., asyncio.Protocol]) -> Callable[..., Guard]:
        """Return a factory of connection protocols: a guard with one of `inner` behind it."""

        def made(**given: Any) -> Guard:
            return Guard(self, inner(**given), given["server_state"])

        return made


class Guard(asyncio.Protocol):
    """One connection; see the module."""

    def __init__(self, guards: Guards, inner: asyncio.Protocol, server: uvicorn.server.ServerState) -> None:
        self._guards: Final = guards
        self._server: Final = server
        self._counts: Final = guards.connections
        self._inner = inner
        self._transport: asyncio.Transport
        self._peer: Peer = ("", 0)
        self._entry: Connection | None = None
        self._parser: httptools.HttpRequestParser | None = httptools.HttpRequestParser(self)
        self._heard = False
        self._turned = False
        """whether the bytes just read began or ended a head or body"""
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._polls: list[Unchanged] | None = None
        """the requests of the data just read, while all are polls for unchanged views"""
        self._passed = -math.inf
        """when data was last passed on"""
        self.asked = 0
        """requests whose head has arrived"""
        self.answered = 0
        self.answering = False
        """whether an answer is on its way out"""
        self._inside: _Inside | None = None
        self.gone: Final = asyncio.get_running_loop().create_future()
        """done when the connection has closed"""

    # -- the transport's calls -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # a server's transport always reads and writes
        """Admit the connection, or refuse it."""
        self._transport = transport
        name = transport.get_extra_info("peername")
        if name:
            self._peer = (str(name[0]), int(name[1]))
        found = self._counts.admit(self, self._peer[0])
        if isinstance(found, int):
            transport.write(_REFUSALS[found])
            transport.close()
            return
        self._entry = found
        self._guards.by_peer[self._peer] = self
        self._inside = _Inside(self, transport)
        self._inner.connection_made(self._inside)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and wake the applications waiting for it."""
        self.gone.set_result(None)
        if self._entry is None:
            return
        self._counts.lost(self._entry)
        self._entry = None
        del self._guards.by_peer[self._peer]
        # the inner protocol and the parser refer back here: without this each connection leaves a cycle
        inner, self._inner, self._parser, self._inside = self._inner, _OVER, None, None
        inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass data on, within the limits of size and time."""
        if self._entry is None or self._transport.is_closing():
            return
        if self._parser is None:
            self._inner.data_received(data)
            return
        began = self._counts.now()
        self._polls = [] if self._may_answer(self._entry, began) else None
        if not self._reads(self._parser, self._entry, data):
            return
        if self._polls and self._answers(self._polls, self._entry, began):
            return
        self._passed = began
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass the call on."""
        if self._entry is None:
            return None
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Pass the call on."""
        if self._entry is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Pass the call on."""
        if self._entry is not None:
            self._inner.resume_writing()

    def goes_on_as(self, inner: asyncio.Protocol) -> None:
        """Put another protocol behind the guard: the connection is now a WebSocket, and stays counted."""
        self._inner = inner

    # -- polls for unchanged views ---------------------------------------------------------------

    def _may_answer(self, entry: Connection, now: float) -> bool:
        """Return whether data that begins here may be answered here.

        Nothing else may be under way; and because the HTTP server closes a connection on which it has
        received nothing for `idle_seconds`, it must have received something recently.
        """
        lately = now - self._passed < self._counts.limits.idle_seconds * _UNHEARD
        return lately and entry.since is None and self.asked == self.answered and not self.unread()

    def _looks_for_poll(self, found: list[Unchanged], parser: httptools.HttpRequestParser) -> None:
        """Add the request just read to `found`, or give up."""
        poll, served = None, self._guards.polls()
        if served is not None and parser.get_method() == b"GET" and parser.get_http_version() == "1.1":
            path, _, query = self._url.partition(b"?")
            headers = [(name.lower(), value) for name, value in self._headers]
            poll = served.unchanged(
                {
                    "path": path.decode("latin-1"),
                    "query_string": query,
                    "headers": headers,
                    "client": self._peer,
                }
            )
        if poll is None or parser.should_upgrade() or not parser.should_keep_alive():
            self._polls = None
        else:
            found.append(poll)

    def _answers(self, found: list[Unchanged], entry: Connection, began: float) -> bool:
        """Answer all polls of the data just read; return False if they must be passed on."""
        served, messages = self._guards.polls(), entry.messages
        if served is None or messages is None or entry.since is not None:
            return False  # a proxy's, which sends for others; or the beginning of another request follows
        if not messages.take_if_any(len(found)):
            return False
        headers = self._server.default_headers
        self._transport.write(b"".join([head_of(tag, headers) for _, tag in found]))
        self.answered += len(found)
        seconds = (self._counts.now() - began) / len(found)
        for poll in found:
            served.counted(poll, seconds)
        return True

    # -- reading along -------------------------------------------------------------------------

    def _reads(self, parser: httptools.HttpRequestParser, entry: Connection, data: bytes) -> bool:
        """Parse new data; return whether it may be passed on."""
        self._heard, self._turned = True, False
        if entry.since is None:
            entry.since, entry.in_head, entry.size = self._counts.now(), True, 0
        try:
            parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            return self._upgrades(parser, entry)
        except httptools.HttpParserError:
            if not self._transport.is_closing():  # else `_Over` has ended it, and the refusal is counted
                self._counts.refuse(entry, 400)
        else:
            if not self._turned:
                self._counts.came(entry, len(data))
        return not self._transport.is_closing()

    def _upgrades(self, parser: httptools.HttpRequestParser, entry: Connection) -> bool:
        """Let a WebSocket begin; refuse other upgrades and methods, which the library would not answer."""
        wanted = [value.lower() for name, value in self._headers if name.lower() == b"upgrade"]
        if parser.get_method() != b"GET":
            self._counts.refuse(entry, 405)
        elif wanted != [b"websocket"] or self.asked - self.answered > 1:
            # behind a request that is not answered yet the handshake's answer would be taken for that request's
            self._counts.refuse(entry, 400)
        else:
            entry.since, entry.upgraded, self._parser = None, True, None
        return not self._transport.is_closing()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        entry = self._entry
        assert entry is not None
        if entry.since is None:  # it follows another request in the same data
            entry.since, entry.in_head = self._counts.now(), True
        entry.size = 0
        self._url, self._headers = b"", []
        self._turned = True

    def on_url(self, url: bytes) -> None:
        """Collect a part of the request target."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header, up to `_MOST_HEADERS`."""
        if len(self._headers) < _MOST_HEADERS:
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Note the end of the head, which starts the body's deadline."""
        entry = self._entry
        assert entry is not None
        if not self._counts.head_fits(self._url, self._headers):
            self._counts.refuse(entry, 431)
        elif self.asked - self.answered > self._counts.limits.pipelined:
            # the server would queue any number of requests, and read on after each answer
            self._counts.refuse(entry, 429)
        if self._transport.is_closing():
            raise _Over
        self.asked += 1
        parser = self._parser if self._counts.takes_uploads else None
        entry.upload = parser is not None and self._counts.is_upload(parser.get_method(), self._url)
        entry.in_head, entry.size, entry.since = False, 0, self._counts.now()
        entry.requests += 1
        self._turned = True

    def on_message_complete(self) -> None:
        """Note the end of the request."""
        entry = self._entry
        assert entry is not None
        entry.since = None
        self._turned = True
        if self._polls is not None and self._parser is not None:
            self._looks_for_poll(self._polls, self._parser)

    def wait(self) -> float:
        """Count a request, and return how many seconds it waits."""
        messages = None if self._entry is None else self._entry.messages
        return 0.0 if messages is None else messages.take()

    # -- called by `Answers` --------------------------------------------------------------------

    def begins(self) -> None:
        """Note that an answer begins: what is written next is its head, which goes out with what follows."""
        self.answering = True
        if self._inside is not None:
            self._inside.heading = True

    def ends(self) -> None:
        """Note that an answer is over."""
        self.answered += 1
        self.answering = False
        if self._inside is not None:
            self._inside.flush()

    # -- called by `Connections` ---------------------------------------------------------------

    def unread(self) -> int:
        """Bytes that wait to be taken."""
        return self._transport.get_write_buffer_size()

    def refuse(self, status: int) -> None:
        """Hang up; send an error first, unless an answer is due, because the client would take the error for it."""
        if self._transport.is_closing():
            return
        entry = self._entry
        if self._parser is None or entry is None:
            self._transport.abort()  # a WebSocket
            return
        owed = self.asked - self.answered - (not entry.in_head)
        if self._heard and not owed and not self.answering:
            is_upload = entry.upload and status == 413
            self._transport.write(_UPLOAD_TOO_LARGE if is_upload else _REFUSALS[status])
        self._transport.close()

    def cut(self) -> None:
        """Hang up at once."""
        self._transport.abort()


class _Inside(asyncio.Transport):
    """The transport as the protocol behind a guard sees it; a new protocol goes behind the guard, too."""

    def __init__(self, guard: Guard, transport: asyncio.Transport) -> None:
        super().__init__()
        self._guard: Final = guard
        self._given: Final = transport
        self.heading = False
        """whether what is written next is the head of an answer"""
        self._head = b""
        """the head of an answer, kept until its body comes or the loop goes on: two packets cost twice as much as one"""
        # these are called for each request, so they skip this layer
        self.is_closing = transport.is_closing  # type: ignore[method-assign]  # the very method
        self.abort = transport.abort  # type: ignore[method-assign]  # the very method
        self.pause_reading = transport.pause_reading  # type: ignore[method-assign]  # the very method
        self.resume_reading = transport.resume_reading  # type: ignore[method-assign]  # the very method
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]  # the very method

    def write(self, data: Any) -> None:
        """Write, unless the connection is closing: uvloop would then raise and log, where asyncio is silent."""
        if self.heading:
            self.heading = False
            self._head += data
            asyncio.get_running_loop().call_soon(self.flush)
        elif not self._given.is_closing():
            head, self._head = self._head, b""
            self._given.write(head + data)

    def flush(self) -> None:
        """Write a head that was kept for its body."""
        self.heading = False
        if self._head:
            self.write(b"")

    def close(self) -> None:
        """Close once what has been written is sent."""
        self.flush()
        self._given.close()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Put another protocol behind the guard."""
        assert isinstance(protocol, asyncio.Protocol)
        self._guard.goes_on_as(protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the guard."""
        return self._guard

    def is_reading(self) -> bool:
        """Return whether the transport reads."""
        return self._given.is_reading()

    def get_write_buffer_size(self) -> int:
        """Bytes that wait to be taken."""
        return self._given.get_write_buffer_size()


class Answers:
    """The outermost ASGI layer: tell guards of answers, and applications of clients that have gone.

    Without it, only the last of several requests of a connection would hear that its client has gone.
    """

    def __init__(self, guards: Guards, app: ASGIApp) -> None:
        self._guards: Final = guards
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        guard = self._guards.by_peer.get(scope["client"]) if scope["type"] == "http" else None
        if guard is None:
            await self._app(scope, receive, send)
            return
        wait = guard.wait()
        if wait:
            await asyncio.sleep(wait)  # the connection's next request is read after the answer to this one
        whole = False

        async def received() -> Message:
            nonlocal whole
            if whole:
                await asyncio.shield(guard.gone)
                return {"type": "http.disconnect"}
            message = await receive()
            whole = not message.get("more_body", False)
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                guard.begins()
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                guard.answering = False

        try:
            await self._app(scope, received, sent)
        finally:
            guard.ends()
