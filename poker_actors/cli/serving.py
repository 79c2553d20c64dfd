"""Run `poker-actors serve`: one room in one event loop, with its servers."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.cli.output import console, many, note
from poker_actors.cli.postmortem import watched

if TYPE_CHECKING:
    from poker_actors.actors import Room
    from poker_actors.actors.aio import AsyncRoom
    from poker_actors.guard import Guard
    from poker_actors.server import Profile, Rules, Users
    from poker_actors.server.http import HspeServer, Limits
    from poker_actors.server.live import HookPlan
    from poker_actors.store import Journal, RoomImage
    from poker_actors.wire.opp import Admission, ConnectionLimits, OppServer, TableOptions

RECENT = 200
"""Messages of each table kept for an operator's debugger, besides those of the hand being played."""

_SWITCH_SECONDS = 0.001
"""Seconds that the loop may hold the interpreter before the writing thread gets a turn: a fifth of Python's default."""


_ENDED_CONNECTIONS: Final = 1_000
"""Ended connections after which all garbage is collected: sixty megabytes at worst, and rarely so many within an
hour."""
_MIDDLE_COLLECTIONS: Final = 50_000
"""Collections of the middle generation before a full one: most of an hour at a thousand tables."""


@attrs.frozen
class OppPlan:
    """An OPP server to run, read and checked."""

    place: tuple[str, int]
    tables: int
    options: TableOptions
    welcome: int
    bots: tuple[str, ...]
    limits: ConnectionLimits


@attrs.frozen
class HttpPlan:
    """A REST server to run, read and checked."""

    place: tuple[str, int]
    profile: Profile
    rules: Rules
    limits: Limits
    proxies: tuple[str, ...]
    operator: tuple[str, int] | None = None
    """where the operator's port is"""
    public_metrics: bool = True
    agents: bool = False
    """whether /mcp speaks the Model Context Protocol"""
    hooks: HookPlan | None = None
    """which webhooks of users are called"""
    arena: tuple[Path, int] | None = None
    """the folder of an arena, and how many processes play it"""


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop if it is installed, None for Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def serve_until_stopped(opp: OppPlan | None, http: HttpPlan | None, data: str | None) -> None:
    """Open a room in this loop, serve it until told to stop, and close it."""
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.actors.aio import AsyncRoom
    from poker_actors.errors import BadJournal
    from poker_actors.guard import Guard
    from poker_actors.store import open_journal

    stop = asyncio.Event()
    # like an interrupt, but with the exit status of a service that ended as asked
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    # OPP answers do not wait for durability, so with OPP every command must wait for the disk
    try:
        journal = None if data is None else open_journal(data, behind=opp is None)
    except BadJournal as error:
        raise BadJournal(f"{error}; poker-actors repair shows what can be kept") from error
    # keep messages only if there is an operator to look at them
    recent = 0 if http is None or http.operator is None else RECENT
    # before the room: a game whose record cannot be read is set aside with its table
    users = None if http is None and journal is None else _register(journal, http)
    opened = watched(Room(StepRuntime(), store=journal, recent=recent))
    _note_found(opened, users)
    async with AsyncRoom(opened) as room, AsyncExitStack() as servers:
        servers.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(_SWITCH_SECONDS)
        servers.enter_context(collecting_in_pieces(room))
        plan = http or opp
        guard = Guard(
            None if plan is None else plan.limits
        )  # one for all doors: what is counted at one counts at the others
        servers.callback(guard.close)
        if http is not None:
            assert users is not None
            server = await servers.enter_async_context(_http(room, http, users, guard))
            users = server.lobby.users
            if http.operator is not None:
                await servers.enter_async_context(_operator(server, http.operator, data))
        if opp is not None:
            await servers.enter_async_context(_opp(room, opp, users, guard))
        await stop.wait()


@contextmanager
def collecting_in_pieces(room: AsyncRoom) -> Iterator[None]:
    """Collect young garbage often and all garbage seldom: at a thousand tables a full collection stops everything.

    Python itself counts objects made less those freed: with tables that free as much as they make, a young generation
    grows to a hundred thousand objects before a collection. Hands and closed games leave no cycles, so there is little
    to find. Afterwards the process collects as before: a program that called this command goes on, and may have frozen
    objects of its own, of which nobody can thaw only some.
    """
    gc.collect()
    freezes = not gc.get_freeze_count()
    if freezes:
        gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(*before[:2], _MIDDLE_COLLECTIONS)
    generations = cycle((0, 1))
    room.bridge.rest = lambda: gc.collect(next(generations))
    try:
        yield
    finally:
        room.bridge.rest = None
        gc.set_threshold(*before)
        if freezes:
            gc.unfreeze()


def collecting_after_connections(server: HspeServer) -> Callable[[], None]:
    """Return a function that collects all garbage once many connections have ended since its last time.

    uvicorn leaves a cycle behind in a connection that is cut while requests wait in it, and asyncio's own loop one in
    each connection; by then they have outlived the young generations.
    """
    collected = 0

    def collect() -> None:
        nonlocal collected
        if server.connections.over - collected >= _ENDED_CONNECTIONS:
            collected = server.connections.over
            gc.collect()

    return collect


def _register(journal: Journal | None, http: HttpPlan | None) -> Users:
    """Return the users of a journal that no room is opened on yet."""
    from poker_actors.server import Lobby, Notes, Passwords, Users

    notes = Notes(journal)
    passwords = Passwords()
    users = Users(notes, passwords) if http is None else Users(notes, passwords, most=http.limits.users)
    Lobby.set_bad_games_aside(users)
    return users


def _seated(image: RoomImage) -> list[str]:
    return [seat[0] for table in image.tables.values() for seat in table.seats if seat is not None]


def _note_found(room: Room, users: Users | None) -> None:
    """Note in one line what a room found in its journal."""
    found = room.recovery
    if found is None or users is None or not found.journal.last:
        return
    # from the image: asking the tables would deliver news before the lobby listens
    seated = users.notes.journal.look(_seated) if users.notes.journal else []
    people = sum(users.get(player) is not None or users.has(player) for player in seated)
    counts = (
        (len(users), "user", "users", ""),
        (people, "person", "people", " at tables"),
        (len(seated) - people, "bot", "bots", " at tables"),
        (len(found.resumed), "hand", "hands", " resumed"),
        (len(found.voided), "hand", "hands", " void"),
        (len(found.set_aside), "table", "tables", " set aside"),
    )
    said = [f"{many(count, one, more)}{what}" for count, one, more, what in counts if count]
    note(f"{found.journal.name}, {many(found.journal.last, 'record')}: {', '.join(said) or 'nobody'}")


@asynccontextmanager
async def _http(room: AsyncRoom, plan: HttpPlan, users: Users, guard: Guard) -> AsyncIterator[HspeServer]:
    """Serve REST while the block lasts; returns the server, whose users the other servers share."""
    from poker_actors.server.http import HspeServer

    _open_files(plan.limits.connections)
    arena, workers = plan.arena or (None, 1)
    server = HspeServer(
        room,
        users.notes,
        users,
        host=plan.place[0],
        port=plan.place[1],
        profile=plan.profile,
        rules=plan.rules,
        limits=plan.limits,
        proxies=plan.proxies,
        public_metrics=plan.public_metrics,
        agents=plan.agents,
        guard=guard,
        arena=arena,
        arena_workers=workers,
        hooks=plan.hooks,
    )
    try:
        await server.start()
    except BaseException:
        await server.close()  # otherwise its games would go on while the room closes
        raise
    try:
        server.lobby.on_clear_up.append(collecting_after_connections(server))
        note(f"HTTP on {_url(*server.address)}")
        if plan.agents:
            note(f"MCP on {_url(*server.address)}/mcp")
        if arena is not None:
            note(f"arena on {_url(*server.address)}/arena/")
        yield server
    finally:
        await server.close()
        _summarise_games(server)
        if server.room is not room:
            await server.room.close()


@asynccontextmanager
async def _operator(server: HspeServer, place: tuple[str, int], data: str | None) -> AsyncIterator[None]:
    """Serve the operator's port while the block lasts."""
    from poker_actors.server.operator import SECRET_VARIABLE, OperatorServer, operator_secret

    secret, file = operator_secret(data, make=True)
    port = OperatorServer(server, secret, *place)
    await port.start()
    try:
        note(f"operator on {_url(*port.address)}, its secret in {file or SECRET_VARIABLE}")
        yield
    finally:
        await port.close()


def _open_files(connections: int) -> None:
    """Raise the process's file limit to one file per connection, as far as permitted."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 256
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@asynccontextmanager
async def _opp(room: AsyncRoom, plan: OppPlan, users: Users | None, guard: Guard) -> AsyncIterator[None]:
    """Serve OPP while the block lasts, to the same users where there are any."""
    from poker_actors.wire.opp import OppServer

    host, port = plan.place
    _open_files(guard.limits.connections)
    server = OppServer(
        room,
        host,
        port,
        tables=plan.tables,
        options=plan.options,
        welcome=plan.welcome,
        accounts=None if users is None else _SharedAccounts(users),
        limits=plan.limits,
        guard=guard,
    )
    await server.start()
    try:
        for number, bot in enumerate(plan.bots, 1):
            server.seat_bot(f"house-{number}", bot)
        note(f"OPP on {server.address[0]}:{server.address[1]}")
        yield
    finally:
        await server.close()
        _summarise_tables(server)


class _SharedAccounts:
    """The REST server's users, as the OPP server asks for them: the same name and password on both protocols."""

    def __init__(self, users: Users) -> None:
        self._users = users

    def has(self, user: str) -> bool:
        """Whether a user is known."""
        return self._users.has(user)

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; a user not known before gets an account with it.

        Raises `StorageFailed`, and `TableRefusal` (`too_many`) when no more users are registered.
        """
        from poker_actors.errors import BadSpec, TableRefusal
        from poker_actors.wire.opp import Admission

        if not self._users.has(user):
            try:
                self._users.use(self._users.add(user, password))
            except BadSpec:
                return Admission.WRONG
            except TableRefusal as refused:
                if not self._users.has(user):  # otherwise somebody has just registered under the name
                    if refused.code != "name_taken":
                        raise
                    return Admission.BAD_NICK
            else:
                return Admission.NEW
        known = self._users.recall(user, password) or self._users.check(user, password)
        return Admission.WRONG if known is None else Admission.KNOWN


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _summarise_games(server: HspeServer) -> None:
    """Print how many hands, games, users and chips were resumed."""
    lobby = server.lobby
    games = lobby.games.values()
    hands = sum(game.hands for game in games)
    # during a hand a seat's stack is what it began with, so no chips are missing
    chips = sum(seat.stack for game in games for seat in game.table.state().seats if seat is not None)
    console().print(
        f"{many(hands, 'hand')} in {many(len(games), 'game')} of {many(len(lobby.users), 'user')}; "
        f"{many(chips, 'chip')} on the tables"
    )


def _summarise_tables(server: OppServer) -> None:
    """Say what has been played and where the chips are."""
    audit = server.room.audit()
    hands = sum(table.hands for table in server.tables)
    held = f"{audit.bank:,} in the bank, {audit.tables + audit.hands:,} on the tables"
    console().print(f"{many(hands, 'hand')}; of {many(audit.minted, 'chip')} {held}")
