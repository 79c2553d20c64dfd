"""The room and everything built on it, opened together, and reopened after a failed write.

A write-behind room is ahead of its journal, and cannot undo a failed write. So it is discarded as if the process had
been killed, and the durable state is reopened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, TypeVar

import attrs
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import BadSpec, PokerError
from poker_actors.guard import Guard
from poker_actors.server.hspe import Due, LoopClock, Profile, Rules
from poker_actors.server.http.answers import text_answer
from poker_actors.server.http.app import build_app
from poker_actors.server.http.commit import Held, OutputCommit, at_once
from poker_actors.server.http.credentials import Door
from poker_actors.server.http.housekeeping import GuardedLobby
from poker_actors.server.http.limits import Limits
from poker_actors.server.http.polls import Polls
from poker_actors.server.http.push import GOING
from poker_actors.server.live import HookPlan, Hooks, Metrics, Sessions
from poker_actors.server.notes import Notes
from poker_actors.server.users import Users

if TYPE_CHECKING:
    from poker_actors.server.live.arena import LiveArena

R = TypeVar("R")

_log: Final = logging.getLogger("poker_actors.server")

_RETRY_SECONDS: Final = 1.0
"""Seconds between attempts to reopen the room: a full disk or a restarting database takes seconds."""
_SOON: Final = "the room is being reopened: try again"
_AT_ONCE: Final = 256
"""Messages delivered before an answer is sent: enough for all effects of one act, so that its sender sees them."""


@attrs.frozen(eq=False)
class _Open:
    """Everything that is opened and discarded together."""

    room: AsyncRoom
    runtime: StepRuntime
    notes: Notes
    users: Users
    lobby: GuardedLobby
    held: Held

    def settle(self, command: Callable[[], R]) -> R:
        """Call `command` at the loop's time, then deliver its effects to the room's actors, as far as an answer needs.

        At the room's own, the next player would be given what is left of the time that the last one took to think.
        The loop is woken even after an error: messages beyond the limit would wait for the next request.
        """
        journal = self.notes.journal

        def carried_out() -> R:
            with nullcontext() if journal is None else journal.together():
                given = command()
                self.runtime.run(limit=_AT_ONCE)
            return given

        return self.room.bridge.do(carried_out)


class AppState:
    """A room, its lobby and their application; as an ASGI application it forwards to the current one.

    `room` must be on a `StepRuntime`, else raises `BadSpec`. After a failed write it is replaced by a room
    opened here, by ``Room(StepRuntime(), store=...)``.
    """

    def __init__(  # noqa: PLR0913  every setting of a server is one
        self,
        room: AsyncRoom,
        notes: Notes,
        users: Users,
        *,
        profile: Profile,
        rules: Rules,
        limits: Limits,
        guard: Guard,
        public_metrics: bool = True,
        arena: LiveArena | None = None,
        hooks: HookPlan | None = None,
    ) -> None:
        self._arena, self._hooks = arena, hooks
        self._profile = profile
        self._public_metrics = public_metrics
        self._rules = rules
        self._limits = limits
        self._guard = guard
        self._closed = False
        self._opening: asyncio.Task[None] | None = None
        self._app: ASGIApp
        self._now: _Open
        self.polls: Polls | None = None
        """what answers polls for unchanged views; None while the room is being reopened"""
        self._take_up(room, notes, users)

    def _take_up(
        self, room: AsyncRoom, notes: Notes, users: Users, turns: Mapping[str, Due] | None = None
    ) -> None:
        """Build everything that is served from a room, and serve it."""
        runtime = room.room.runtime
        if not isinstance(runtime, StepRuntime):
            raise BadSpec("the server's room runs in its event loop: open it with Room(StepRuntime())")
        journal, held = notes.journal, at_once
        if journal is not None and journal.behind:
            held = OutputCommit(journal, room.bridge.loop, self._failed).held
        door = Door(users, self._guard)
        lobby = GuardedLobby(self._limits, room.room, users, notes, self._rules, LoopClock(room), turns=turns)
        now = _Open(room, runtime, notes, users, lobby, held)
        app = build_app(
            lobby,
            door,
            self._profile,
            now.settle,
            held,
            public_metrics=self._public_metrics,
            arena=self._arena,
            hooks=self._hooks,
        )
        lobby.go_on()  # after `build_app`: a hand may end at once, and everything built on the lobby must hear of it
        self._app, self._now, self.polls = app, now, app
        self._calls: Hooks = app.behind.state.hooks
        self.sessions: Sessions = app.behind.state.sessions
        self.metrics: Metrics = app.behind.state.metrics

    @property
    def room(self) -> AsyncRoom:
        """The current room."""
        return self._now.room

    @property
    def lobby(self) -> GuardedLobby:
        """The current lobby."""
        return self._now.lobby

    async def held(self) -> None:
        """Wait until everything that has happened so far is durable; raises `StorageFailed`."""
        await self._now.held()

    def settle(self, command: Callable[[], R]) -> R:
        """Call `command` in the current room, then let the room handle its effects."""
        return self._now.settle(command)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        await self._app(scope, receive, send)

    # -- after a write that failed -----------------------------------------------------------

    def _failed(self) -> None:
        if not self._closed:
            old = self._now
            turns = old.lobby.turns
            self._calls.close()
            old.lobby.close()  # tells the push listeners
            old.room.abandon()
            self._app, self.polls = _unavailable, None
            self._opening = asyncio.get_running_loop().create_task(self._open_again(old, turns))

    async def _open_again(self, old: _Open, turns: Mapping[str, Due]) -> None:
        """Reopen the durable state; retry every `_RETRY_SECONDS` while even that fails to write."""
        journal = old.notes.journal
        assert journal is not None
        while True:
            journal = journal.again()
            room = AsyncRoom(Room(StepRuntime(), store=journal, recent=old.room.room.recents.most))
            room.room.supervisor.on_crash = old.room.room.supervisor.on_crash
            await room.__aenter__()
            room.bridge.rest = old.room.bridge.rest
            notes = Notes(journal)
            try:
                self._take_up(room, notes, old.users.again(notes), turns)
            except PokerError as error:
                _log.warning("the room is not open yet: %s", error)
                room.abandon()
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                break
        room.bridge.wake()
        _log.warning("the room is reopened as of record %d", journal.durable)

    async def close(self) -> None:
        """Stop dealing, and tell the listeners."""
        self._closed = True
        self._calls.close()
        self.lobby.close()
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)


async def _unavailable(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that the room is being reopened."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": GOING, "reason": _SOON})
        return
    await text_answer(503, _SOON, retry_after="1")(scope, receive, send)
