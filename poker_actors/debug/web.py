"""Serve the page of a session, with a command line, to a browser on this machine only."""

from __future__ import annotations

import hmac
import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final

from poker_actors.debug.commands import Commands, Quit
from poker_actors.debug.export import page
from poker_actors.debug.session import Stepper
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

__all__ = [
    "PageServer",
]


_MOST: Final = 4096
"""The longest command, in bytes."""
_READ: Final = 1 << 16
"""The longest request body that is read, in bytes."""


class PageServer:
    """Serves a session on 127.0.0.1. The secret path in `url` is the only access control.

    The page is the exported one, plus a command line that takes the terminal's commands, one at a time.
    Port 0 picks a free port. Raises `OSError` if the port is taken.
    """

    def __init__(self, stepper: Stepper, port: int = 0) -> None:
        self._commands: Final = Commands(stepper)
        # Each request has a thread, and the stepper is not thread-safe
        self._lock: Final = Lock()
        self.path: Final = f"/{secrets.token_urlsafe(16)}/"
        self._http: Final = _Listening(self, port)
        self.host: Final = f"127.0.0.1:{self._http.server_port}"
        self.url: Final = f"http://{self.host}{self.path}"

        self.ended = False
        """Whether the command `q` was given: the handler closes the server once it has answered."""

    def serve(self) -> None:
        """Answer requests until `close`, or the command `q`; then close all branches."""
        try:
            self._http.serve_forever()
        finally:
            self._http.server_close()
            self._commands.close()

    def close(self) -> None:
        """Stop serving. Call it from a thread other than `serve`'s, which it waits for."""
        self._http.shutdown()

    def page(self) -> str:
        """Return the page of the current branch, as HTML."""
        with self._lock:
            return page(self._commands.stepper, served=True)

    def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Carry out the command line `line` at position `at`.

        Return the lines of output (`said`), the new position (`at`), and whether the browser must fetch
        the page again (`other`). Raise `BadSpec` unless `at` is an integer and `line` a string.
        """
        at, line = asked.get("at"), asked.get("line")
        # not isinstance: JSON's `true` is an int to Python
        if type(at) is not int or not isinstance(line, str):
            raise BadSpec("a command must be {at: a position, line: what is typed}")
        with self._lock:
            before = self._seen()
            self._commands.stepper.goto(max(0, at))
            try:
                said = self._commands.do(line)
            except Quit:
                self.ended = True
                said = ["the debugger has ended"]
            return {"said": said, "at": self._commands.stepper.position, "other": self._seen() != before}

    def _seen(self) -> tuple[int, str]:
        stepper = self._commands.stepper
        return id(stepper.script), str(stepper.viewpoint)


class _Listening(ThreadingHTTPServer):
    """The listening socket of a page server, with a thread for each request."""

    daemon_threads = True  # otherwise `server_close` would wait for idle connections

    def __init__(self, pages: PageServer, port: int) -> None:
        self.pages = pages
        super().__init__(("127.0.0.1", port), _Handler)


def _object(body: bytes) -> dict[str, Any]:
    try:
        plain = parse_json(body)
    except ValueError:
        plain = None
    if not isinstance(plain, dict):
        raise BadSpec(f"a command must be a JSON object, not {body[:40]!r}")
    return plain


class _Handler(BaseHTTPRequestHandler):
    """Answers requests that have the secret path, and this host as `Host` and `Origin`.

    Checking both headers shuts out other sites: their pages have another origin, and a name of theirs that
    resolves to 127.0.0.1 shows in `Host`.
    """

    timeout = 60  # seconds; without, a client that sends nothing would hold its thread for good
    server: _Listening

    def _let_in(self, path: str) -> bool:
        # In constant time: the time of `==` would give the path away character by character
        known = hmac.compare_digest(self.path.encode(), path.encode())
        origin = self.headers.get("Origin", f"http://{self.server.pages.host}")
        allowed = (
            # 404 whatever the reason: a stranger does not learn whether the path was right
            known
            and self.headers.get("Host") == self.server.pages.host
            and origin == f"http://{self.server.pages.host}"
        )
        if not allowed:
            self._answer(404, "text/plain", b"there is nothing here")
        return allowed

    def do_GET(self) -> None:
        """Return the page."""
        if self._let_in(self.server.pages.path):
            self._answer(200, "text/html; charset=utf-8", self.server.pages.page().encode())

    def do_POST(self) -> None:
        """Carry out a command."""
        length = self.headers.get("Content-Length", "")
        # Digits first: `int` refuses thousands of them
        size = int(length[:10]) if length.isdecimal() else 0
        # Read even if it will be refused: closing a socket with unread data resets it, and the answer may be lost
        body = self.rfile.read(size) if size <= _READ else b""
        if not self._let_in(f"{self.server.pages.path}do"):
            return
        if size > _MOST:
            text = f"a command has at most {_MOST} bytes, but this one has {length[:10]}"
            self._answer(413, "text/plain; charset=utf-8", text.encode())
            return
        try:
            answer = self.server.pages.do(_object(body))
        except BadSpec as error:
            self._answer(400, "text/plain; charset=utf-8", str(error).encode())
            return
        try:
            self._answer(200, "application/json", json.dumps(answer).encode())
        finally:
            if self.server.pages.ended:
                # After the answer: `serve` returns then, and the process may end. On a thread of its own, as `close`
                # waits for `serve`.
                Thread(target=self.server.pages.close, daemon=True).start()

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))),
                            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")):  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is given by the base class
        """Log nothing: the terminal belongs to the session."""
