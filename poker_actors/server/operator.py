"""The operator's tools: managing accounts, whether or not the server runs, repairing the data, and a private port.

Needs the extra [server]. Every request to the port needs the secret and is answered in the room's loop.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import os
import re
import secrets
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import BadJournal, BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.guard import Passwords
from poker_actors.jsontext import parse_json
from poker_actors.server.hspe import README, Lobby, is_house
from poker_actors.server.http import HspeServer
from poker_actors.server.http.account_routes import games_of
from poker_actors.server.http.answers import plain_answer, refusal, text_answer
from poker_actors.server.http.running import SilentServer, listening
from poker_actors.server.live import Sessions
from poker_actors.server.live.metrics import CONTENT_TYPE
from poker_actors.server.notes import Notes
from poker_actors.server.users import User, Users
from poker_actors.store import Journal, MemoryStorage, RoomImage

_USER: Final = "user/"
_HAND: Final = "hands/"
_GAME: Final = "game/"
_TOURNAMENT: Final = "tournaments/"
_GAME_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The names of a server's tables: programs that embed a room name theirs as they like."""


def games_noted(notes: Notes) -> Callable[[User], list[str]]:
    """Return a function that finds a user's games in the notes of a stopped server."""

    def games_of(user: User) -> list[str]:
        found = []
        for game_id, text in notes.under(_GAME).items():
            plain = parse_json(text)
            if user.id in plain["members"] or user.id in plain["queue"]:
                found.append(game_id)
        for event_id, text in notes.under(_TOURNAMENT).items():
            plain = parse_json(text)
            if plain["state"] != "over" and user.id in plain["people"]:
                found.append(event_id)
        return found

    return games_of


class Accounts:
    """All accounts; `games_of` returns a user's games. Raises `TableRefusal`: `no_user`, `seat_taken`."""

    def __init__(self, users: Users, sessions: Sessions, games_of: Callable[[User], list[str]]) -> None:
        self._users = users
        self._sessions = sessions
        self._games_of = games_of

    def listed(self) -> list[dict[str, Any]]:
        """Return all accounts: name, id, log-ins."""
        return [self.shown(name) for name in self._users.names()]

    def shown(self, name: str) -> dict[str, Any]:
        """Return one account."""
        user = self._users.find(name)
        sessions = self._sessions.of(user)
        return {"name": user.name, "player_id": user.id, "games": self._games_of(user), "sessions": sessions}

    def collisions(self) -> list[list[str]]:
        """Return groups of names that look alike."""
        return [list(names) for names in self._users.collisions()]

    def reset(self, name: str) -> dict[str, Any]:
        """Draw a new password for a user and end all log-ins. Takes as long as a digest."""
        password, digest = self.drawn()
        return self.take_up(name, password, digest)

    def drawn(self) -> tuple[str, str]:
        """Return a random password and its digest. Slow: call it off the loop."""
        password = secrets.token_urlsafe(12)
        return password, self._users.next_digest(password)

    def take_up(self, name: str, password: str, digest: str) -> dict[str, Any]:
        """Set a user's password to a drawn one, and end all log-ins."""
        self._users.set_digest(self._users.find(name), digest)
        return {"name": name, "password": password} | self.revoke(name)

    def revoke(self, name: str) -> dict[str, Any]:
        """End all log-ins of a user."""
        return {"name": name, "ended": self._sessions.revoke(self._users.find(name))}

    def delete(self, name: str) -> dict[str, Any]:
        """Delete a user who is in no game."""
        user = self._users.find(name)
        games = self._games_of(user)
        if games:
            raise TableRefusal(
                f"{name} is in {len(games)} game{'s' * (len(games) > 1)} and must leave first",
                code="seat_taken",
            )
        ended = self._sessions.revoke(user)
        self._users.delete(user)
        return {"name": name, "deleted": True, "ended": ended}


# -- repair -----------------------------------------------------------------------------------


@attrs.frozen
class Repaired:
    """The report on a repaired journal: its contents and its damage."""

    place: str
    wrong: tuple[str, ...]
    """the damage, one line each"""
    users: int
    tables: int
    chips: int
    """chips in the room, minted and lent"""
    copy: str = ""
    """the place of a copy of the damaged journal; empty if nothing was written"""
    unfinished: str = ""
    """what a start cuts off by itself, as after a killed process; empty for nothing"""

    def plain(self) -> dict[str, Any]:
        """Return a JSON object."""
        return attrs.asdict(self)


def repair(data: str, *, write: bool = False) -> Repaired:
    """Check a journal that no process has open; with `write`, replace it if it is damaged.

    Raises `BadSpec` for a missing file, `BadJournal` for one that is not a journal or beyond repair, and
    `StorageFailed`.
    """
    if "://" not in data and not Path(data).exists():
        raise BadSpec(f"{data} does not exist")  # as a journal that is opened is made
    found = Journal.salvage(data)
    try:
        place = MemoryStorage()
        place.begin_anew(found.snapshot(found.image))
        with _silent():
            image, asides = _set_aside(Journal(place), damaged=bool(found.wrong))
        wrong = (*found.wrong, *(lost_accounts(image, found.broken) if found.wrong else ()), *asides)
        copy = found.begin_anew(image) if write and wrong else ""
    finally:
        found.storage.close()
    users = sum(key.startswith(_USER) for key in image.notes)
    name, chips = found.storage.name, image.ledger.minted
    return Repaired(name, wrong, users, len(image.tables), chips, copy, found.unfinished)


def lost_accounts(image: RoomImage, broken: str) -> list[str]:
    """Name each lost account: one whose player is in the room, or whose record was cut off, and that has no whole record.

    Names may be left in the records of hands or in the cut-off part.
    """
    told = "".join(text for key, text in image.notes.items() if key.startswith(_USER))
    names: dict[str, str] = {}
    for text in [text for key, text in image.notes.items() if key.startswith(_HAND)]:
        with suppress(ValueError, LookupError, TypeError):
            hand = parse_json(text)
            names |= dict(zip(hand["ids"], hand["told"]["players"], strict=True))
    lost = [one for one in image.players if _GAME_ID.fullmatch(one) and not is_house(one) and one not in told]
    begun = re.search(r'"user/((?:[^"\\]|\\.)+)":"\{?(?:\\"id\\": \\"([0-9a-f-]{36}))?', broken)
    begun_by = ""
    with suppress(ValueError):  # it may be damaged itself
        begun_by = "" if begun is None else parse_json(f'"{begun[1]}"')
    if begun is not None and begun[2] and begun_by:
        names[begun[2]] = begun_by
        lost += [begun[2]] if begun[2] not in lost else []
    nameless = [one for one in lost if one not in names]
    if begun_by and begun_by not in names.values() and len(nameless) == 1:
        names[nameless[0]] = begun_by
    lines = []
    for one in lost:
        chips = sum(count for place, count in image.ledger.balances().items() if place.endswith(f"/{one}"))
        whose = f"of {names[one]}" if one in names else "whose name is in no record"
        lines.append(
            f"the account {whose} is lost, with its password; {chips:,} chips stay with its id {one}"
        )
    if begun_by and begun_by not in names.values():
        lines.append(f"one of the lost accounts is {begun_by}'s")
    return lines


def _set_aside(journal: Journal, *, damaged: bool) -> tuple[RoomImage, list[str]]:
    """Start a trial room in memory; return it without what cannot be restored, and a list of that."""
    before = journal.look(lambda image: image.copy())
    notes = Notes(journal)
    if damaged:  # else a game without its table is one whose process died before it was opened
        tables = journal.look(lambda image: {name for name in image.tables if _GAME_ID.fullmatch(name)})
        games = notes.under(_GAME).keys()
        for game_id in tables - games:  # a game is noted before its table is opened
            why = f"the record of game {game_id} is lost"
            journal.append(*journal.look(partial(RoomImage.set_aside, name=game_id, why=why)))
        for game_id in games - tables:
            notes.set_aside(f"{_GAME}{game_id}", BadJournal("its table is lost"))
    Lobby.set_bad_games_aside(Users(notes, Passwords()))
    with Room(StepRuntime(), store=journal):
        after = journal.look(lambda image: image.copy())
    start = RoomImage.SET_ASIDE
    lines = []
    for key in [key for key in after.notes if key.startswith(start) and key not in before.notes]:
        name, why = key.removeprefix(start), parse_json(after.notes[key])["why"]
        chips = sum(before.ledger.at(name).values())
        what = f"table {name} is set aside, its {chips:,} chips go back to their owners"
        lines.append(f"{what if name in before.tables else f'{name} is set aside'}: {why}")
    return after, lines


@contextmanager
def _silent() -> Iterator[None]:
    """Silence the trial room of this thread: it would report as done what is only being checked."""
    here = threading.get_ident()
    loggers = [logging.getLogger(f"poker_actors.{one}") for one in ("player", "room", "server", "table")]

    def is_elsewhere(_: logging.LogRecord) -> bool:
        return threading.get_ident() != here

    for logger in loggers:
        logger.addFilter(is_elsewhere)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_elsewhere)


# -- the port ---------------------------------------------------------------------------------

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
        """Where the port listens: host and port."""
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
            answer = text_answer(401, "This port needs the operator's secret.", www_authenticate="Bearer")
            await answer(scope, receive, send)


def _accounts(server: HspeServer) -> Accounts:
    """Return the current accounts, built again because a failed write replaces users and sessions."""
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

        Its digest is slow by design and is computed off the loop; the rest is done on it.
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


# -- the secret -------------------------------------------------------------------------------

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
            f"{path} holds no secret: start the server with --operator, or set {SECRET_VARIABLE}"
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
