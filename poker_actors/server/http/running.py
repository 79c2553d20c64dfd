"""Run the server: a lobby over a room in this event loop, served by uvicorn until stopped."""

from __future__ import annotations

import asyncio
import errno
import math
import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import attrs
import uvicorn
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from poker_actors.actors.aio import AsyncRoom
from poker_actors.cards import parse_cards
from poker_actors.errors import StorageFailed
from poker_actors.evaluator import evaluate
from poker_actors.guard import Backoff, Guard, naming
from poker_actors.server.hspe import Lobby, Profile, Rules
from poker_actors.server.http.app_state import AppState
from poker_actors.server.http.connections import Connections, Limits, read_proxies
from poker_actors.server.http.guard import Answers, Guards
from poker_actors.server.live import HookPlan, Sessions
from poker_actors.server.notes import Notes
from poker_actors.server.users import Users

if TYPE_CHECKING:
    from poker_actors.server.live.arena import LiveArena
    from poker_actors.wire.mcp import AgentDoor

R = TypeVar("R")

_BACKLOG: Final = 1024
"""Connections the kernel queues until they are accepted."""
_SWEEP_SECONDS: Final = 1.0
"""The most seconds between two sweeps for slow clients."""
_SOON_SECONDS: Final = 0.02
"""Seconds between two sweeps if the first has left some."""
_CLEARING_SECONDS: Final = 60.0
"""The most seconds between two searches for unused games and users."""
_WARM: Final = parse_cards("As Kd Jc 9h 7s 4d 2c")
_OTHER_FILES: Final = 64
"""Open files reserved for other uses than connections: the journal, the loop, the standard streams."""


class HspeServer:
    """Serve HSPE's REST API on `host` and `port` for a room that runs in this loop.

    `room` must be on a `StepRuntime`; `notes` and `users` belong to it (see `Users`). `await start()`, which raises
    `OSError` for a taken port, and `await close()`; then the caller closes `room`. X-Forwarded-For and -Proto are
    believed only from `proxies` (addresses or networks). With `agents`, ``/mcp`` speaks the Model Context Protocol;
    needs the extra [mcp]. With `arena`, the folder of one, `arena_workers` processes play it, and the server shows it
    and takes uploads; raises `BadSpec` as `Arena` does. With `hooks`, users' webhooks are called. `guard` is shared by
    all servers of a process; the caller closes it.
    """

    def __init__(  # noqa: PLR0913  every setting of a server is one
        self,
        room: AsyncRoom,
        notes: Notes,
        users: Users,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        profile: Profile,
        rules: Rules | None = None,
        limits: Limits | None = None,
        proxies: Sequence[str] = (),
        public_metrics: bool = True,
        agents: bool = False,
        guard: Guard | None = None,
        arena: Path | None = None,
        arena_workers: int = 1,
        hooks: HookPlan | None = None,
    ) -> None:
        self._host, self._port = host, port
        limits = _within_files(limits or Limits())
        self.guard: Final = guard or Guard(limits)
        self._closes_guard: Final = guard is None
        self.connections: Final = Connections(limits, self.guard, read_proxies(proxies))
        self._proxies = list(proxies)
        self.arena: Final = self._arena(arena, arena_workers, limits)
        self.connections.takes_uploads = arena is not None
        rules = rules or Rules(turn_seconds=profile.turn_seconds)
        self._app_state = AppState(
            room, notes, users, profile=profile, rules=rules, limits=limits, guard=self.guard,
            public_metrics=public_metrics, arena=self.arena, hooks=hooks,
        )  # fmt: skip
        self._agents: Final = self._agent_door() if agents else None
        self._server: SilentServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._socket: socket.socket | None = None

    def _agent_door(self) -> AgentDoor:
        from poker_actors.wire.mcp import AgentDoor

        return AgentDoor(self._app_state)

    @staticmethod
    def _arena(folder: Path | None, workers: int, limits: Limits) -> LiveArena | None:
        if folder is None:
            return None
        from poker_actors.server.live.arena import LiveArena  # only here: it knows simulations

        return LiveArena(folder, workers, limits)

    async def start(self) -> None:
        """Start listening: from now on connections wait in the socket until the loop answers them."""
        evaluate(_WARM)  # read its tables now: at the first showdown they would block the loop
        self._socket = listening(self._host, self._port)
        if self._agents is not None:
            await self._agents.start()
        if self.arena is not None:
            await self.arena.start()
        server = self._server = SilentServer(self._config())
        self._serving = asyncio.create_task(server.serve(sockets=[self._socket]))
        self._sweeping = asyncio.create_task(self._sweep())
        self.room.bridge.wake()

    def _config(self) -> uvicorn.Config:
        limits = self.connections.limits
        guards = Guards(self.connections, lambda: self._app_state.polls)
        app: ASGIApp = self._agents or self._app_state
        if self._proxies:
            # inside `Answers`, which finds a guard by the socket's address, not the forwarded one
            app = ProxyHeadersMiddleware(app, self._proxies)  # type: ignore[arg-type,assignment]  # ASGI by other names
        config = uvicorn.Config(
            Answers(guards, app),
            interface="asgi3",
            http="httptools",
            ws="websockets-sansio",
            ws_max_size=limits.message_bytes,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=math.ceil(limits.idle_seconds),
            timeout_graceful_shutdown=math.ceil(limits.close_seconds) + 1,
        )
        config.load()
        config.http_protocol_class = guards.before(config.http_protocol_class)  # type: ignore[assignment]  # called as a class would be
        return config

    async def _sweep(self) -> None:
        """Hang up on slow clients and clean up after gone users, periodically."""
        limits = self.connections.limits
        shortest = min(
            limits.header_seconds, limits.body_seconds, limits.unread_seconds, limits.empty_seconds
        )
        cleared, more, rest = 0.0, False, False
        while True:
            await asyncio.sleep(_SOON_SECONDS if more else min(_SWEEP_SECONDS, shortest / 4))
            more = self.connections.sweep()
            now, often = self.connections.now(), min(_CLEARING_SECONDS, limits.empty_seconds / 4)
            if now - cleared >= (min(_SWEEP_SECONDS, often) if rest else often):
                cleared = now
                rest = self._app_state.settle(self._app_state.lobby.clear_up)

    @property
    def address(self) -> tuple[str, int]:
        """Where the server listens: host and port."""
        assert self._socket is not None, "the server has not been started"
        host, port = self._socket.getsockname()[:2]
        return host, port

    @property
    def room(self) -> AsyncRoom:
        """The served room: the given one, or one reopened after a failed write."""
        return self._app_state.room

    @property
    def lobby(self) -> Lobby:
        """The games of that room."""
        return self._app_state.lobby

    @property
    def backoff(self) -> Backoff:
        """The count of wrong passwords, shared by all protocols of the same users, so that guesses add up."""
        return self.guard.waits

    @property
    def sessions(self) -> Sessions:
        """The log-ins of browsers."""
        return self._app_state.sessions

    def metrics_text(self) -> str:
        """Return the counts in the text format of Prometheus."""
        state = self._app_state
        return state.metrics.text(sessions=len(state.sessions), users=len(state.lobby.users))

    def settle(self, command: Callable[[], R]) -> R:
        """Call `command` in the room, then let the room handle its effects."""
        return self._app_state.settle(command)

    async def held(self) -> None:
        """Wait until everything that has happened so far is durable; raises `StorageFailed`."""
        await self._app_state.held()

    async def close(self) -> None:
        """Stop dealing, stop accepting requests, and answer those under way."""
        await self._app_state.close()
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            loop = asyncio.get_running_loop()
            cutting = loop.call_later(self.connections.limits.close_seconds, self.connections.cut_all)
            with suppress(asyncio.CancelledError):
                await self._serving
            cutting.cancel()
        if self._agents is not None:
            await self._agents.close()
        if self.arena is not None:
            await self.arena.close()
        if self._sweeping is not None:
            self._sweeping.cancel()
        if self._socket is not None:
            self._socket.close()
        # last: the effects of the answers under way must be durable before the room ends
        with suppress(StorageFailed):
            await self._app_state.held()
        if self._closes_guard:
            self.guard.close()


def _within_files(limits: Limits) -> Limits:
    """Lower the limit of connections to what the process's limit of open files allows: the journal needs some too."""
    try:
        import resource
    except ImportError:
        return limits  # not a Unix: no such limit
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits
    return attrs.evolve(limits, connections=max(1, min(limits.connections, soft - _OTHER_FILES)))


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket; raises `OSError`.

    IPPROTO_TCP is explicit because asyncio turns off Nagle's algorithm only then; with Nagle an answer
    of two packets takes 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with naming(host):
            listening.bind((host, port))
        listening.listen(_BACKLOG)
    except BaseException as error:
        listening.close()
        if isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL):
            error.filename = f"{host}:{port}"
        raise
    return listening


class SilentServer(uvicorn.Server):
    """A uvicorn server that leaves signals to its process."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]  # uvicorn's is a generator
        """Capture no signals."""
        return nullcontext()
