"""The room and everything built on it, opened together, and reopened after a failed write.

A write-behind room is ahead of its journal, and cannot undo a failed write. So it is discarded as if the process had
been killed, and the durable state is reopened. Its lobby also cleans up: it limits what a user makes, and
removes what nobody uses.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.guard import Guard, Quota
from poker_actors.server.hspe import SLOW_SECONDS, Due, Game, Lobby, LoopClock, Profile, Rules, Setting
from poker_actors.server.http.answers import Polls, text_answer
from poker_actors.server.http.app import build_app
from poker_actors.server.http.connections import Limits
from poker_actors.server.http.exchange import Door, Held, OutputCommit, at_once
from poker_actors.server.http.push import GOING
from poker_actors.server.live import HookPlan, Hooks, Metrics, Sessions
from poker_actors.server.notes import Notes
from poker_actors.server.users import User, Users

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

        By the room's own time, which lags behind, the next player would lose the seconds that the last one thought.
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
        self._take_up(room, notes, users)

    def _take_up(
        self, room: AsyncRoom, notes: Notes, users: Users, turns: Mapping[str, Due] | None = None
    ) -> None:
        """Build everything served from a room, and serve it."""
        runtime = room.room.runtime
        if not isinstance(runtime, StepRuntime):
            raise BadSpec("the server's room must run in its event loop: open it with Room(StepRuntime())")
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
        self._app, self._now = app, now
        self._calls: Hooks = app.hooks
        self.sessions: Sessions = app.entry.sessions
        self.metrics: Metrics = app.metrics

    @property
    def room(self) -> AsyncRoom:
        """The current room."""
        return self._now.room

    @property
    def lobby(self) -> GuardedLobby:
        """The current lobby."""
        return self._now.lobby

    @property
    def polls(self) -> Polls | None:
        """What answers polls for unchanged views; None while the room is being reopened."""
        return self._app if isinstance(self._app, Polls) else None

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
            self._app = _unavailable
            self._opening = asyncio.get_running_loop().create_task(self._open_again(old, turns))

    async def _open_again(self, old: _Open, turns: Mapping[str, Due]) -> None:
        """Reopen the durable state; retry every `_RETRY_SECONDS` while that fails to write, too."""
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


# -- housekeeping -----------------------------------------------------------------------------

_GONE_AT_ONCE: Final = 20
"""Games closed and players removed at a time: a few milliseconds of work, in which the loop does nothing else."""


class GuardedLobby(Lobby):
    """A lobby that limits the games each user makes, and cleans up after users who have gone."""

    def __init__(self, limits: Limits, *given: Any, **named: Any) -> None:
        self._limits: Final = limits
        self._made: Final = Quota("games made by one user", limits.games_per_hour)
        self._empty: Mapping[str, float] = {}
        """id of an empty game -> since when it has been empty"""
        super().__init__(*given, most_games=limits.games, **named)

    def make(
        self, user: User, setting: Setting | None = None, *, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Make a game that its maker joins; raises `TooOften`."""
        self._check_long(user, setting)
        self._made.take(user.id)
        self.users.use(user)
        return super().make(user, setting, keeps_seat=keeps_seat)

    def _check_long(self, user: User, setting: Setting | None) -> None:
        """Raise `TableRefusal`: `too_many_ledgers`, `too_many_slow`: such games last long."""
        made = [game for game in self.games.values() if game.setting.maker == user.id]
        ledgers = sum(game.setting.ledger for game in made)
        if setting is not None and setting.ledger and ledgers >= self._limits.ledgers:
            text = f"you have {ledgers} tables with a ledger, the most at a time"
            raise TableRefusal(text, code="too_many_ledgers")
        slow = sum(_asked_slow(game.setting) for game in made)
        if setting is not None and _asked_slow(setting) and slow >= self._limits.slow_games:
            text = (
                f"you have {slow} tables with turns of {SLOW_SECONDS:.0f} seconds or more, the most at a time"
            )
            raise TableRefusal(text, code="too_many_slow")

    def join(
        self, user: User, game_id: str, *, seat: int | None = None, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Join a game; return it, and whether there was a seat."""
        self.game(game_id)
        self.users.use(user)
        return super().join(user, game_id, seat=seat, keeps_seat=keeps_seat)

    def clear_up(self) -> bool:
        """Close games that have long been empty, forget users who never played, and remove players in no game.

        Return whether there is more to do soon: it does little at a time, since everybody waits meanwhile.
        """
        now = self.now()
        left = [game for game in self.games.values() if _empty(game)]
        self._empty = {game.id: self._empty.get(game.id, now) for game in left}
        try:
            old = [game for game in left if now - self._empty[game.id] >= self._seconds_kept(game)]
            for game in list(self.games.values()):
                self._send_away(game, now)
            for game in old[:_GONE_AT_ONCE]:
                self._close(game)
            self.users.forget_unused(now - self._limits.unused_hours * 3600)
            for forget in self.on_clear_up:
                forget()
            return self.dismiss_idle(_GONE_AT_ONCE) or len(old) > _GONE_AT_ONCE
        except StorageFailed as error:
            _log.warning("clearing up has failed: %s", error)
            return False

    def _seconds_kept(self, game: Game) -> float:
        """Return for how long a game may be empty; one with house bots is not kept longer for its ledger."""
        if game.setting.ledger and not game.roster.house:
            return self._limits.ledger_hours * 3600
        return self._limits.empty_seconds

    def _send_away(self, game: Game, now: float) -> None:
        """Free the seats of players who have sat out too long: at a slow table, for longer than a turn takes."""
        most = max(self._limits.away_seconds, game.turn_seconds)
        for user_id, member in game.roster.playing.items():
            if member.away is not None and now - member.away >= most:
                game.leave(user_id)

    def _close(self, game: Game) -> None:
        for user_id in list(game.roster.house):
            game.leave(user_id)
        if game.setting.ledger and self.now() - self._empty[game.id] < self._limits.ledger_hours * 3600:
            return  # only its bots were to go
        if game.roster.members or game.table.state().hand_id is not None:
            return  # the house leaves after the hand; a later call closes the game
        self.drop(game)


def _empty(game: Game) -> bool:
    """Return whether a game has only house players, and nobody waiting."""
    return not game.roster.queue and all(one.house is not None for one in game.roster.members.values())


def _asked_slow(setting: Setting) -> bool:
    """Return whether a game's maker asked for slow turns; where the server itself is slow, its operator chose them."""
    return (setting.turn_seconds or 0.0) >= SLOW_SECONDS
