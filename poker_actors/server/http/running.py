"""The server's life: a lobby over a room in this event loop, served by uvicorn until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, TypeVar

import uvicorn

from poker_actors.actors import StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import BadSpec
from poker_actors.server.hspe import Lobby, LoopClock, Profile, Rules
from poker_actors.server.http.app import build_app
from poker_actors.server.http.credentials import Door
from poker_actors.server.users import Notes, Users

__all__ = ["HspeServer"]

R = TypeVar("R")

_AT_ONCE: Final = 256
"""Messages delivered before an answer goes out: all that follow from one act, so that its sender reads them."""
_BACKLOG: Final = 1024
"""Connections the kernel holds until we look."""
_CLOSE_SECONDS: Final = 3
"""How long requests under way may take when the server closes."""


class HspeServer:
    """Serves HSPE's REST API on `host` and `port` for a room that runs in this loop.

    `room` must be on a `StepRuntime`; `notes` and `users` are its own (see `Users`). `await start()`
    and `await close()`; the room is closed by who made it. Raises `OSError` for a port that is taken.
    """

    def __init__(
        self,
        room: AsyncRoom,
        notes: Notes,
        users: Users,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        profile: Profile,
        rules: Rules | None = None,
    ) -> None:
        runtime = room.room.runtime
        if not isinstance(runtime, StepRuntime):
            raise BadSpec("the server's room runs in its event loop: open it with Room(StepRuntime())")
        self._runtime = runtime
        self._room = room
        self._host, self._port = host, port
        self._door = Door(users)
        rules = rules or Rules(turn_seconds=profile.turn_seconds)
        self.lobby: Final = Lobby(room.room, users, notes, rules, LoopClock(room))
        self._app = build_app(self.lobby, self._door, profile, self.settle)
        self._server: _Uvicorn | None = None
        self._serving: asyncio.Task[None] | None = None
        self._socket: socket.socket | None = None

    async def start(self) -> None:
        """Listen: connections wait in the socket from now on until the loop answers them."""
        self._socket = _listening(self._host, self._port)
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_CLOSE_SECONDS,
        )
        server = self._server = _Uvicorn(config)
        self._serving = asyncio.create_task(server.serve(sockets=[self._socket]))
        self._room.bridge.wake()

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens: host and port."""
        assert self._socket is not None, "the server has not been started"
        host, port = self._socket.getsockname()[:2]
        return host, port

    def settle(self, command: Callable[[], R]) -> R:
        """Call `command`, then let the room's actors hear what came of it, as far as an answer needs."""
        try:
            given = command()
            self._runtime.run(limit=_AT_ONCE)
            return given
        finally:
            self._room.bridge.wake()

    async def close(self) -> None:
        """Take no more requests, answer those under way, deal no more."""
        self.lobby.close()
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            with suppress(asyncio.CancelledError):
                await self._serving
        if self._socket is not None:
            self._socket.close()
        self._door.close()


def _listening(host: str, port: int) -> socket.socket:
    """Bind and listen.

    The protocol is named because asyncio turns off Nagle's algorithm only where it is; with it,
    an answer of two packets takes 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


class _Uvicorn(uvicorn.Server):
    """A server that leaves the process's signals to who runs it."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Capture none."""
        return nullcontext()
