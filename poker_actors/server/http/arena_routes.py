"""The arena over HTTP: its pages and its board for everybody, uploads and logs for those whose entrants they are."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from poker_actors.errors import TableRefusal
from poker_actors.server.hspe import Lobby, Setting
from poker_actors.server.http.answers import (
    HANDS_POLICY,
    TEXT,
    list_answer,
    plain_answer,
    text_answer,
    unchanged,
)
from poker_actors.server.http.exchange import Entry, Settle, body_of, is_current, is_person
from poker_actors.server.page import HEADERS
from poker_actors.server.users import ENTRANT, User

if TYPE_CHECKING:
    from poker_actors.server.live.arena import LiveArena

__all__ = ["UPLOADS", "ArenaRoutes", "add_arena_pages"]

UPLOADS: Final = "/arena/entrants/{entrant}"
_OWNED: Final = "entrant/"
"""Notes say whose an entrant is: name -> user id."""
_TYPES: Final = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".phhs": TEXT}
_BOARD_POLICY: Final = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""A board's pages have no script."""
_LONGEST_WAIT: Final = 30.0


class ArenaRoutes:
    """The arena's routes. They raise refusals, which the caller answers."""

    def __init__(self, lobby: Lobby, entry: Entry, settle: Settle, arena: LiveArena) -> None:
        self._lobby = lobby
        self._entry = entry
        self._settle = settle
        self._arena = arena
        lobby.entrants = arena.seats
        lobby.on_clear_up.append(arena.seats.clear_up)
        lobby.on_delete.append(self._forget)

    async def state(self, request: Request) -> Response:
        """Return who plays, where they stand, and how far the run is."""
        return plain_answer(200, self._arena.state())

    async def board(self, request: Request) -> Response:
        """Return the board."""
        body = json.dumps(self._arena.board, separators=(",", ":")).encode() + b"\n"
        tag = f'"a{len(body)}-{hash(body) & 0xFFFFFFFF:x}"'
        return unchanged(tag) if is_current(request, tag) else list_answer(request, body, tag)

    # -- of an entrant's owner ---------------------------------------------------------------

    async def own(self, request: Request) -> Response:
        """List the user's entrants."""
        user = await self._entry.user(request)
        return plain_answer(200, {"entrants": [self._told(name) for name in self._names_of(user)]})

    async def show(self, request: Request) -> Response:
        """Return one of the user's entrants; ``?wait=20`` waits for the end of its check."""
        name = await self._owned(request)
        upload = self._arena.upload_of(name)
        if upload is not None and "wait" in request.query_params:
            seconds = min(_seconds(request.query_params["wait"]), _LONGEST_WAIT)
            with suppress(TimeoutError):
                await asyncio.wait_for(upload.over.wait(), seconds)
        return plain_answer(200, self._told(name))

    async def hand_in(self, request: Request) -> Response:
        """Take an upload: whose it is and what is allowed first, then its bytes, then what is in them."""
        user = await self._entry.user(request)
        name = str(request.path_params["entrant"])
        self._check_upload(user, name)
        self._arena.quota.take(user.id)
        body = await body_of(request, self._arena.limits.upload_bytes)
        owned = self._check_upload(user, name)  # again: others may have come meanwhile
        if not owned:
            self._settle(lambda: self._give(name, user))
        try:
            upload = await self._arena.hand_in(name, body)
        except BaseException:
            if not owned:
                self._settle(lambda: self._lobby.notes.put(f"{_OWNED}{name}", None))
            raise
        return plain_answer(202, {"name": name, **upload.plain()})

    def _check_upload(self, user: User, name: str) -> bool:
        """Return whether the user has this entrant already; raise unless an upload of it can be taken now."""
        names = self._names_of(user)
        self._arena.check_name(name, owned=name in names, others=list(self._owners()))
        most = self._arena.limits.entrants_per_user
        if name not in names and len(names) >= most:
            raise TableRefusal(f"you have {len(names)} entrants: the most is {most}", code="too_many")
        self._arena.check_room(name)
        return name in names

    async def withdraw(self, request: Request) -> Response:
        """Remove one of the user's entrants."""
        name = await self._owned(request)
        self._settle(lambda: self._take_out(name))
        return text_answer(204, "")

    async def build(self, request: Request) -> Response:
        """Return what the build of one of the user's entrants printed."""
        name = await self._owned(request)
        return _log(await asyncio.to_thread(self._arena.build_of, name))

    async def log(self, request: Request) -> Response:
        """Return the log and the errors of one of the user's entrants in a match."""
        name = await self._owned(request)
        return _log(await asyncio.to_thread(self._arena.log_of, name, str(request.path_params["match"])))

    async def _owned(self, request: Request) -> str:
        """Return the entrant of the path; raises `TableRefusal` (`no_entrant`) unless it is the user's.

        One of somebody else's and one that is not there are answered alike.
        """
        user = await self._entry.user(request)
        name = str(request.path_params["entrant"])
        if self._owners().get(name) != user.id:
            raise TableRefusal(f"you have no entrant {name[:40]!r}", code="no_entrant")
        return name

    def _owners(self) -> dict[str, str]:
        return self._lobby.notes.under(_OWNED)

    def _names_of(self, user: User) -> list[str]:
        return [name for name, owner in self._owners().items() if owner == user.id]

    def _give(self, name: str, user: User) -> None:
        self._lobby.users.use(user)  # who has an entrant is not forgotten
        self._lobby.notes.put(f"{_OWNED}{name}", user.id)

    def _take_out(self, name: str) -> None:
        self._arena.withdraw(name)
        self._lobby.notes.put(f"{_OWNED}{name}", None)

    def _forget(self, user: User) -> None:
        """Remove the entrants of a user whose account is deleted."""
        for name in self._names_of(user):
            self._take_out(name)

    def _told(self, name: str) -> dict[str, Any]:
        upload, board = self._arena.upload_of(name), self._arena.board
        row = next((one for one in board.get("standings", ()) if one["name"] == name), None)
        refused = next((one["reason"] for one in board.get("refused", ()) if one["name"] == name), None)
        matches = [
            {"match": one["key"], "players": one["players"], "hands": one["hands"]}
            for one in self._arena.matches_of(name)
        ]
        standing = (
            None
            if row is None
            else {key: row[key] for key in ("version", "best_place", "worst_place", "bb_per_100", "remark")}
        )
        return {
            "name": name,
            "upload": None if upload is None else upload.plain(),
            "standing": standing,
            "refused": refused,
            "matches": matches,
        }

    # -- at a table --------------------------------------------------------------------------

    async def sit_down(self, request: Request) -> Response:
        """Make a table of the arena's game, at which the user and the entrant sit."""
        user = await self._entry.user(request)
        name = str(request.path_params["entrant"])
        setting = self._setting(user, name)
        keeps = is_person(request)
        self._arena.seats.check(name, setting.game, 0)  # before there is a table

        def made() -> tuple[str, list[str]]:
            game, _ = self._lobby.make(user, setting, keeps_seat=keeps)
            return game.id, self._lobby.seat_house(user, game.id, [f"{ENTRANT}{name}"])

        game_id, seated = self._settle(made)
        return plain_answer(201, {"game": game_id, "seated": seated})

    def _setting(self, user: User, name: str) -> Setting:
        settings = self._arena.arena.settings
        match = settings.match(["caller", "caller"], hands=2, seed=0)
        blinds = match.stakes
        return Setting(
            small_blind=blinds.small_blind or blinds.ante,
            big_blind=blinds.big_blind or blinds.min_bet or blinds.ante,
            buy_in=match.stacks[0],
            seats=min(6, settings.rules.max_seats),
            name=f"Arena: {name}"[:32],
            maker=user.id,
            pause=4,
            think=0.8,
            turn_seconds=30,
            time_bank=60,
            time_bank_refill=2,
            game=settings.rules.name,
        )


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def _log(text: str) -> Response:
    headers = {
        "content-type": TEXT,
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(text, 200, headers)


# -- pages -----------------------------------------------------------------------------------


def add_arena_pages(app: Starlette, arena: LiveArena) -> None:
    """Add `GET /arena/`, the board and its pages as `write_site` has them."""

    async def page(request: Request) -> Response:
        name = request.path_params.get("page", "index.html")
        path = arena.page(name)
        if path is None and name == "index.html":
            return RedirectResponse("/#/arena", 302)  # there is no board yet: that page says how far it is
        if path is None:
            return text_answer(404, "404 page not found")
        return await asyncio.to_thread(_page, request, path, name == "index.html")

    async def whole(request: Request) -> Response:
        return RedirectResponse("/arena/", 308)  # the pages lead to each other by relative links

    app.add_route("/arena", whole, methods=["GET"], include_in_schema=False)
    app.add_route("/arena/", page, methods=["GET"], include_in_schema=False)
    app.add_route("/arena/{page}", page, methods=["GET"], include_in_schema=False)


_LIVE: Final = (
    "<nav><a href='/#/arena'>Hand in, logs, sit down with an entrant</a> · <a href='/'>Poker room</a></nav>"
)


def _page(request: Request, path: Path, index: bool) -> Response:
    found = path.stat()
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    policy = HANDS_POLICY if path.name.startswith("hands-") else _BOARD_POLICY
    headers = {
        **HEADERS,
        "content-security-policy": policy,
        "etag": tag,
        "content-type": _TYPES[path.suffix],
    }
    if is_current(request, tag):
        return Response(None, 304, headers)
    body = path.read_text(encoding="utf-8")
    if index:
        body = body.replace("<main>", f"{_LIVE}<main>", 1)
    return Response(body, 200, headers)
