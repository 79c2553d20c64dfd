"""A second port for the operator: every request needs the secret and is answered in the room's loop."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.errors import BadSpec, PokerError, StorageFailed
from poker_actors.server.hspe import README
from poker_actors.server.http import HspeServer
from poker_actors.server.http.account_routes import games_of
from poker_actors.server.http.answers import plain_answer, refusal, text_answer
from poker_actors.server.http.running import SilentServer, listening
from poker_actors.server.live.metrics import CONTENT_TYPE
from poker_actors.server.operator.accounts import Accounts

_MOST: Final = 64
"""Connections and requests at a time: enough for an operator and a scraper."""


class OperatorServer:
    """Serve `server`'s metrics and accounts on `host` and `port`; `more` are other routes behind the same secret.

    `await start()` and `await close()`. Raises `OSError` for a port that is taken.
    """

    def __init__(
        self, server: HspeServer, secret: str, host: str, port: int, more: Sequence[BaseRoute] = ()
    ) -> None:
        self._server = server
        self._place = (host, port)
        app = Starlette(routes=[*_Routes(server).all(), *more])
        self._app: Final[ASGIApp] = _Locked(app, secret)
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen."""
        self._socket = listening(*self._place)
        config = uvicorn.Config(
            self._app, interface="asgi3", http="httptools", ws="websockets-sansio", log_config=None,
            access_log=False, lifespan="off", server_header=False, proxy_headers=False, limit_concurrency=_MOST,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._uvicorn = SilentServer(config)
        self._serving = asyncio.create_task(self._uvicorn.serve(sockets=[self._socket]))

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens: host and port."""
        host, port = self._socket.getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Finish the requests under way, and stop."""
        if self._serving is not None:
            self._uvicorn.should_exit = True
            await asyncio.gather(self._serving, return_exceptions=True)
            self._socket.close()


class _Locked:
    """Admit only requests with ``Authorization: Bearer SECRET``; compare in constant time."""

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app = app
        self._wanted = f"Bearer {secret}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or 401."""
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if len(given) == 1 and hmac.compare_digest(given[0], self._wanted):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4401})
        else:
            answer = text_answer(401, "This port asks for the operator's secret.", www_authenticate="Bearer")
            await answer(scope, receive, send)


def _accounts(server: HspeServer) -> Accounts:
    """Return the current accounts, built anew as a failed write replaces users and sessions."""
    lobby = server.lobby
    return Accounts(lobby.users, server.sessions, partial(games_of, lobby))


class _Routes:
    """The port's own routes."""

    def __init__(self, server: HspeServer) -> None:
        self._server = server

    def all(self) -> list[Route]:
        """Return the routes."""
        one = "/accounts/{name:path}"
        return [
            Route("/metrics", self.metrics),
            Route("/collisions", self._answered(lambda accounts, _: accounts.collisions())),
            Route("/accounts", self._answered(lambda accounts, _: accounts.listed())),
            Route("/reset/{name:path}", self.reset, methods=["POST"]),
            Route("/revoke/{name:path}", self._answered(Accounts.revoke), methods=["POST"]),
            Route(one, self._answered(Accounts.shown)),
            Route(one, self._answered(Accounts.delete), methods=["DELETE"]),
            Route("/tables", self.tables),
            Route("/recent/{name:path}", self.recent),
        ]

    async def metrics(self, request: Request) -> Response:
        """Return the counts, for Prometheus."""
        text = self._server.metrics_text()
        return Response(text, 200, {"content-type": CONTENT_TYPE, "cache-control": "no-store"})

    async def tables(self, request: Request) -> Response:
        """Return the tables by name."""
        return plain_answer(200, list(self._server.room.room.tables))

    async def recent(self, request: Request) -> Response:
        """Return a table's recent messages, for the debugger; they are formatted off the loop."""
        room, name = self._server.room.room, request.path_params["name"]
        try:
            given = await asyncio.to_thread(lambda: json.dumps(room.recording(name)))
        except PokerError as error:
            return refusal(README, error, in_json=True)
        headers = {"content-type": "application/json", "cache-control": "no-store"}
        return Response(given, 200, headers)

    async def reset(self, request: Request) -> Response:
        """Set a new random password for a user.

        Its digest takes long, by design, and is made away from the loop; the rest is done in it.
        """
        server, name = self._server, request.path_params["name"]
        try:
            _accounts(server).shown(name)  # refused before a digest is made
            password, digest = await asyncio.to_thread(_accounts(server).drawn)
            server.backoff.forget(name)
            given = server.settle(lambda: _accounts(server).take_up(name, password, digest))
            await server.held()
        except PokerError as error:
            return refusal(README, error, in_json=True)
        return plain_answer(200, given)

    def _answered(self, make: Callable[[Accounts, str], Any]) -> Callable[[Request], Awaitable[Response]]:
        server = self._server

        async def answer(request: Request) -> Response:
            name = request.path_params.get("name", "")
            try:
                given = server.settle(lambda: make(_accounts(server), name))
                await server.held()
            except PokerError as error:
                return refusal(README, error, in_json=True)
            return plain_answer(200, given)

        return answer


SECRET_VARIABLE: Final = "POKER_ACTORS_OPERATOR_SECRET"
_LEAST: Final = 16
"""The least length, in characters: a shorter secret can be guessed."""


def operator_secret(data: str | None, *, make: bool) -> tuple[str, Path | None]:
    """Return the secret, and its file; None for one from the environment.

    The file is `data` with the suffix `.operator`; with `make`, it is made if missing. Raises `BadSpec` if there can be
    none or others can read it, `StorageFailed` if it cannot be written.
    """
    given = os.environ.get(SECRET_VARIABLE)
    if given is not None:
        return _long_enough(given, SECRET_VARIABLE), None
    if data is None or "://" in data:
        raise BadSpec(f"the operator's port needs a secret: set {SECRET_VARIABLE}, or keep data in a file")
    path = Path(f"{data}.operator")
    try:
        if make and not path.exists():
            _write(path, secrets.token_urlsafe(32))
        if path.stat().st_mode & 0o077:
            raise BadSpec(f"others can read {path}: set its mode to 0600")
        return _long_enough(path.read_text(encoding="ascii").strip(), str(path)), path
    except FileNotFoundError:
        raise BadSpec(
            f"there is no secret in {path}: start the server with --operator, or set {SECRET_VARIABLE}"
        ) from None
    except OSError as error:
        raise StorageFailed(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _write(path: Path, secret: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{secret}\n")


def _long_enough(secret: str, place: str) -> str:
    if len(secret) < _LEAST:
        raise BadSpec(f"the secret in {place} has {len(secret)} characters: fewer than {_LEAST}")
    return secret
