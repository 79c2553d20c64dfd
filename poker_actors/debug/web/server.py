"""The page of a session served by this process, with a line for commands: one browser, this machine alone."""

from __future__ import annotations

import hmac
import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final

from poker_actors.debug.export import page
from poker_actors.debug.session import Stepper
from poker_actors.debug.terminal import Commands, Quit
from poker_actors.errors import BadSpec

__all__ = ["PageServer"]

_MOST: Final = 4096
"""Bytes of a command."""
_READ: Final = 1 << 16
"""Bytes read of whatever is sent."""


class PageServer:
    """Serves a session on this machine; `url` has a secret in it, which is all that lets anybody in.

    The page is the one that is exported. Commands are those of the terminal, one at a time. `serve` returns
    when somebody says `q`. Raises `OSError` for a port that is taken.
    """

    def __init__(self, stepper: Stepper, port: int = 0) -> None:
        self._commands: Final = Commands(stepper)
        self._lock: Final = Lock()
        self.path: Final = f"/{secrets.token_urlsafe(16)}/"
        self._http: Final = _Listening(self, port)
        self.host: Final = f"127.0.0.1:{self._http.server_port}"
        self.url: Final = f"http://{self.host}{self.path}"

    def serve(self) -> None:
        """Answer until somebody leaves; closes all branches."""
        try:
            self._http.serve_forever()
        finally:
            self._http.server_close()
            self._commands.close()

    def close(self) -> None:
        """Stop serving; from another thread."""
        self._http.shutdown()

    def page(self) -> str:
        """Return the page of the branch that is looked at."""
        with self._lock:
            return page(self._commands.stepper, served=True)

    def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Carry out a line at a position; tells what is said, where one stands, and whether the page is another one now."""
        at, line = asked.get("at"), asked.get("line")
        if type(at) is not int or not isinstance(line, str):
            raise BadSpec("a command is {at: a position, line: what is typed}")
        with self._lock:
            before = self._seen()
            self._commands.stepper.goto(max(0, at))
            try:
                said = self._commands.do(line)
            except Quit:
                Thread(target=self.close, daemon=True).start()
                said = ["the debugger has ended"]
            return {"said": said, "at": self._commands.stepper.position, "other": self._seen() != before}

    def _seen(self) -> tuple[int, str]:
        stepper = self._commands.stepper
        return id(stepper.script), str(stepper.viewpoint)


class _Listening(ThreadingHTTPServer):
    """Where a page server listens."""

    daemon_threads = True

    def __init__(self, pages: PageServer, port: int) -> None:
        self.pages = pages
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers who knows the secret, and asks for this very host: no page of elsewhere does."""

    timeout = 60
    server: _Listening

    def _let_in(self, path: str) -> bool:
        known = hmac.compare_digest(self.path.encode(), path.encode())
        origin = self.headers.get("Origin", f"http://{self.server.pages.host}")
        allowed = (
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
        # read whatever becomes of it: who closes on what was not read may take the answer along
        body = self.rfile.read(min(int(length), _READ)) if length.isdecimal() else b""
        if not self._let_in(f"{self.server.pages.path}do"):
            return
        try:
            if len(body) > _MOST:
                raise BadSpec(f"a command has at most {_MOST} bytes")
            answer = self.server.pages.do(json.loads(body))
        except (BadSpec, ValueError, AttributeError) as error:
            self._answer(400, "text/plain; charset=utf-8", str(error).encode())
            return
        self._answer(200, "application/json", json.dumps(answer).encode())

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))),
                            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")):  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the base has it
        """Say nothing: the terminal is the session's."""
