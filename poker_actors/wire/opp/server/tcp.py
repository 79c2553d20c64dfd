"""The OPP server: accounts, connections, log-ins and tables, in one event loop."""

from __future__ import annotations

import asyncio
import enum
import logging
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol, TypeVar

from poker_actors.actors import Player, Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import BadSpec, RoomBusy, RoomError
from poker_actors.guard import Attempt, Guard, Passwords, TooOften, naming
from poker_actors.wire.opp.protocol.messages import Op
from poker_actors.wire.opp.server.table import OppTable, TableOptions
from poker_actors.wire.opp.server.visitor import ConnectionLimits, Visitor

_log: Final = logging.getLogger("poker_actors.opp")

R = TypeVar("R")

_SWEEP_SECONDS: Final = 1.0
"""Seconds between checks for pings, silences and seats to free."""
_BACKLOG: Final = 1024
"""Connections the kernel queues until we accept: with the usual 100, a rush of clients waits for seconds."""

_NICK: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,19}")
"""Up to 20 characters, the name column of the article's status table; ASCII only, for clients of 2003."""
_PASSWORD_LENGTH: Final = 128
"""Longest password that is hashed: a client must not buy server time with a longer one."""


class Admission(enum.Enum):
    """The outcome of a log-in."""

    NEW = "new"
    """an account was created"""
    KNOWN = "known"
    WRONG = "wrong"
    """the password is wrong or too long"""
    BAD_NICK = "bad nick"
    """nobody may register the name: it is the house's, or looks like another user's"""


class Accounts(Protocol):
    """Users and their passwords. Calls may be slow and come from any thread."""

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; an unknown user gets an account with it. If it raises `PokerError`, no answer is sent."""

    def has(self, user: str) -> bool:
        """Whether a user is known; fast, called in the event loop. New users are limited per hour."""


class MemoryAccounts:
    """Accounts that live as long as the process. Passwords are kept as scrypt digests.

    `cost` is scrypt's N, a power of two; the default takes about 16 MiB and 50 ms per log-in.
    """

    def __init__(self, cost: int = 2**14) -> None:
        self._passwords = Passwords(argon2=False, scrypt_cost=cost)
        self._kept: dict[str, str] = {}
        self._lock = threading.Lock()

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; an unknown user gets an account with it."""
        if len(password) > _PASSWORD_LENGTH:
            return Admission.WRONG
        kept = self._kept.get(user)
        if kept is None:
            made = self._passwords.digest(password)
            # Digests are made outside the lock, so two log-ins of one new user can meet here: the second is checked
            # against the password of the first.
            with self._lock:
                kept = self._kept.setdefault(user, made)
            if kept is made:
                return Admission.NEW
        return Admission.KNOWN if self._passwords.matches(kept, password) else Admission.WRONG

    def has(self, user: str) -> bool:
        """Whether a user is known."""
        return user in self._kept

    def __repr__(self) -> str:
        return f"<MemoryAccounts: {len(self._kept)}>"


class OppServer:
    """Speaks OPP for `room`, at `tables` tables of its own.

    The Room must be on a `StepRuntime`, else raises `BadSpec`: its actors run in the server's loop, on the same thread
    as the sockets, and no other thread may touch it meanwhile (see `call`). An `AsyncRoom` brings its own connection to
    the loop, for example when other servers use the same Room. `accounts` checks passwords; a new user gets `welcome`
    chips. `guard` is shared by all doors of a process; the caller closes it. `await start()` and `await close()`, or
    use `running`. The server does not close the Room. In a Room recovered from its store, tables, seats and hands in
    progress come back too; `accounts` must then be the same as before.
    """

    def __init__(  # noqa: PLR0913  every setting of a server is one
        self,
        room: Room | AsyncRoom,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        tables: int = 1,
        options: TableOptions | None = None,
        accounts: Accounts | None = None,
        welcome: int = 10_000,
        limits: ConnectionLimits | None = None,
        guard: Guard | None = None,
    ) -> None:
        self._given: Final = room
        self.room: Final = room.room if isinstance(room, AsyncRoom) else room
        if not isinstance(self.room.runtime, StepRuntime):
            raise BadSpec("an OPP server's room runs in its event loop: open it with Room(StepRuntime())")
        self.limits: ConnectionLimits = limits or ConnectionLimits()
        self.options: Final = options or TableOptions()
        self._host = host
        self._port = port
        self._table_count = tables
        self._accounts: Accounts = accounts or MemoryAccounts()
        self._welcome = welcome
        self._players: dict[str, Player] = {}
        self._house: set[str] = set()
        self._visitors: dict[Visitor, None] = {}
        self._guard: Final = guard or Guard(self.limits)
        self._closes_guard: Final = guard is None
        self._server: asyncio.Server | None = None
        self._sweeper: asyncio.Task[None] | None = None
        self.tables: tuple[OppTable, ...] = ()

    # -- life --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the tables and start listening; raises `OSError` when the port is taken."""
        self._loop = asyncio.get_running_loop()
        given = self._given
        self._room = given if isinstance(given, AsyncRoom) else await AsyncRoom(given).__aenter__()
        self._bridge = self._room.bridge
        with naming(self._host):
            self._server = await self._loop.create_server(
                self._connected, self._host, self._port, backlog=_BACKLOG
            )
        count = self._table_count
        names = ["opp"] if count == 1 else [f"opp {number}" for number in range(1, count + 1)]
        self.tables = self._bridge.do(
            lambda: tuple(OppTable(self._room, name, self.options, self._players) for name in names)
        )
        self._sweeper = asyncio.create_task(self._sweep())

    @property
    def turns(self) -> int:
        """Turns asked for at all tables."""
        return sum(table.turns for table in self.tables)

    @property
    def late_turns(self) -> int:
        """Turns that took too long and were taken for the player."""
        return sum(table.late_turns for table in self.tables)

    @property
    def address(self) -> tuple[str, int]:
        """The host and port it listens on."""
        assert self._server is not None, "the server has not been started"
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Stop dealing and hang up on everybody; a hand in progress is left to the Room."""
        for table in self.tables:
            table.close()
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
        if self._server is not None:
            self._server.close()
        for visitor in list(self._visitors):
            visitor.inform("the server closes")
            visitor.close()
        await asyncio.sleep(0)  # the transports report their ends
        if self._room is not self._given:
            self._bridge.abandon()
        if self._closes_guard:
            self._guard.close()

    def call(self, function: Callable[[], R], timeout: float = 10.0) -> R:
        """Call `function` in the loop's thread and return its result; for other threads, since the loop would deadlock.

        Raises `TimeoutError` after `timeout` seconds.
        """

        async def run() -> R:
            return self._bridge.do(function)

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(timeout)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            now = self._loop.time()
            for visitor in list(self._visitors):
                visitor.ping(now)
            for table in self.tables:
                table.sweep()

    # -- people ------------------------------------------------------------------------------

    def _connected(self) -> Visitor:
        return Visitor(
            self._loop, self.limits, self._guard,
            came=self._came, join=self._join, went=self._went, perl=self.options.perl,
        )  # fmt: skip

    def _came(self, visitor: Visitor) -> bool:
        """Count a new connection; return False if there are too many, in all or from its address."""
        full = self._guard.crowd.enter(visitor.place)
        if full is not None:
            _log.warning("a connection is refused: %s", full.value)
            return False
        self._visitors[visitor] = None
        return True

    def _went(self, visitor: Visitor) -> None:
        if visitor in self._visitors:
            del self._visitors[visitor]
            self._guard.crowd.leave(visitor.place)

    def _join(self, visitor: Visitor, user: str, password: str) -> None:
        """Check a name, then the password in a thread; scrypt in the loop would stall all tables.

        A log-in that has to wait is closed without a verdict: BADPASS would make a client give up for good,
        and tell its owner that the password had been changed.
        """
        if _NICK.fullmatch(user) is None or user in self._house:
            visitor.answer_join(Op.BADNICK)
            return
        attempt: Attempt | None = None
        try:
            attempt = self._guard.waits.attempt(user, visitor.place)
            # accounts written for version 0.1 have no `has`: then new users are not limited
            known = getattr(self._accounts, "has", None)
            if known is not None and not known(user):
                self._guard.registrations.take(visitor.place)
            checked = self._guard.digests.submit(self._accounts.admit, user, password)
        except (TooOften, RoomBusy) as error:
            if attempt is not None:
                attempt.end(right=None)
            _log.info("%s is closed before it is logged in: %s", visitor, error)
            visitor.close()
            return
        checked.add_done_callback(partial(self._joined, visitor, user, attempt))

    def _joined(self, visitor: Visitor, user: str, attempt: Attempt, done: asyncio.Future[Admission]) -> None:
        failure = None if done.cancelled() else done.exception()
        admission = None if done.cancelled() or failure is not None else done.result()
        # even if the client has gone: otherwise hanging up would keep a wrong guess from being counted
        guessed = admission not in (None, Admission.BAD_NICK)
        attempt.end(right=admission is not Admission.WRONG if guessed else None)
        if failure is not None:
            _log.warning("%s: the password of %s was not checked: %s", visitor, user, failure)
            visitor.close()
        if admission is None or not visitor.waiting_for_join:
            return
        if admission in (Admission.WRONG, Admission.BAD_NICK):
            visitor.answer_join(Op.BADPASS if admission is Admission.WRONG else Op.BADNICK)
            return
        visitor.user = user
        try:
            player = self._players.get(user) or self._bridge.do(
                partial(self._enter, user, known=admission is Admission.KNOWN)
            )
            visitor.answer_join(Op.GOODPASS)
            self._bridge.do(partial(self._table_for(user).welcome, visitor, player))
        except BadSpec as error:  # a player of the Room that has no account has this name
            _log.warning("%s cannot come in: %s", user, error)
            visitor.answer_join(Op.BADNICK)
        except RoomError as error:  # nothing can be written now: who comes again may find a seat
            _log.warning("%s cannot come in now: %s", user, error)
            visitor.close()

    def _table_for(self, user: str) -> OppTable:
        """Return the table where a user has a seat, else one with a free seat, else the first, to watch."""
        for table in self.tables:
            if user in table.seated:
                return table
        return next((table for table in self.tables if table.free), self.tables[0])

    def seat_bot(self, name: str, bot: str) -> None:
        """Seat a house bot called `name` where a seat is free; raises `TableRefusal` if none is."""
        self._house.add(name)
        self._bridge.do(lambda: self._table_for(name).seat_bot(self._enter(name, bot, known=True)))

    def _enter(self, name: str, bot: str | None = None, *, known: bool) -> Player:
        """Return the player of a name: the one recovered with the Room for a known name, else a new one."""
        player = self.room.players.get(name) if known and self.room.recovery is not None else None
        if player is None:
            player = self.room.player(name, bot, chips=0 if self.options.credit else self._welcome)
        elif bot is not None:
            player.play_by(bot)
        self._players[name] = player
        return player

    def __repr__(self) -> str:
        return f"<OppServer: {len(self.tables)} tables, {len(self._visitors)} connections>"


@contextmanager
def running(
    server: OppServer, *, loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> Iterator[OppServer]:
    """Run a server in its own thread while the block lasts; `loop_factory` may make another loop, such as uvloop's.

    Raises the error that kept the server from starting, such as `OSError` or `PokerError`.
    """
    started: Future[Callable[[], object]] = Future()

    async def serve() -> None:
        wanted, loop = asyncio.Event(), asyncio.get_running_loop()
        try:
            await server.start()
            started.set_result(lambda: loop.call_soon_threadsafe(wanted.set))
            await wanted.wait()
        finally:
            await server.close()

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=loop_factory) as runner:
                runner.run(serve())
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)  # else the waiting thread would hang

    thread = threading.Thread(target=run, name="opp server")
    thread.start()
    try:
        stop = started.result()
        try:
            yield server
        finally:
            stop()
    finally:
        thread.join()
