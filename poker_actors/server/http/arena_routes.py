"""The arena over HTTP: pages and board for everybody, uploads and logs for the owners of entrants."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Router

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server.contract import answers
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
    from poker_actors.server.live.arena import LiveArena, Upload

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
_MOST_ARRIVING: Final = 16
"""Uploads read at a time, one of each user: each is held in memory."""


class ArenaRoutes:
    """The arena's routes. They raise refusals, which the caller answers."""

    def __init__(self, lobby: Lobby, entry: Entry, settle: Settle, arena: LiveArena) -> None:
        self._lobby = lobby
        self._entry = entry
        self._settle = settle
        self._arena = arena
        self._arriving: set[str] = set()
        """ids of users of whom an upload is under way here"""
        lobby.entrants = arena.seats
        lobby.on_clear_up.append(arena.seats.clear_up)
        lobby.on_delete.append(self._forget)

    async def state(self, request: Request) -> Response:
        """Return the entrants, their places, and the progress of the run."""
        return plain_answer(200, self._arena.state())

    async def board(self, request: Request) -> Response:
        """Return the board."""
        tag = self._arena.board_tag
        if is_current(request, tag):
            return unchanged(tag)
        # as the run has written it, without parsing it and writing it again
        body = await asyncio.to_thread(self._arena.board_text)
        return list_answer(request, body, tag)

    # -- of an entrant's owner ---------------------------------------------------------------

    async def own(self, request: Request) -> Response:
        """List the user's entrants."""
        user = await self._entry.user(request)
        return plain_answer(
            200, answers.Entrants(entrants=[self._told(name) for name in self._names_of(user)])
        )

    async def show(self, request: Request) -> Response:
        """Return one of the user's entrants; ``?wait=20`` waits for the end of its check."""
        name = await self._owned(request)
        upload = self._arena.upload_of(name)
        if upload is not None and "wait" in request.query_params:
            seconds = _seconds(request.query_params["wait"])
            with suppress(TimeoutError):
                await asyncio.wait_for(upload.over.wait(), seconds)
        return plain_answer(200, self._told(name))

    async def hand_in(self, request: Request) -> Response:
        """Take an upload: check the user and the limits, read its bytes, then check its contents."""
        user = await self._entry.user(request)
        name = str(request.path_params["entrant"])
        if user.id in self._arriving:
            raise TableRefusal(
                "an upload of yours is still arriving: wait for it to end", code="upload_running"
            )
        self._check_upload(user, name)
        if len(self._arriving) >= _MOST_ARRIVING:
            text = f"{len(self._arriving)} uploads are still arriving, the most at a time: try again"
            raise TableRefusal(text, code="too_many")
        self._arena.quota.take(user.id)
        self._arriving.add(user.id)
        try:
            body = await body_of(request, self._arena.limits.upload_bytes)
            upload = await self._unpacked(user, name, body)
        finally:
            self._arriving.discard(user.id)
        return plain_answer(202, answers.HandedIn(name=name, **upload.plain()))

    async def _unpacked(self, user: User, name: str, body: bytes) -> Upload:
        """Give the name to the user if it is not theirs yet, and begin the check of the upload."""
        owned = self._check_upload(user, name)  # again: others may have come meanwhile
        if not owned:
            self._settle(lambda: self._give(name, user))
        try:
            return await self._arena.hand_in(name, body)
        except BaseException:
            if not owned:
                self._settle(lambda: self._lobby.notes.put(f"{_OWNED}{name}", None))
            raise

    def _check_upload(self, user: User, name: str) -> bool:
        """Return whether the user has this entrant already; raise unless an upload of it can be taken now."""
        if self._lobby.users.get(user.id) is None:
            raise TableRefusal(f"the account {user.name!r} is deleted", code="bad_credentials")
        names = self._names_of(user)
        self._arena.check_name(name, owned=name in names, others=list(self._owners()))
        most = self._arena.limits.entrants_per_user
        if name not in names and len(names) >= most:
            raise TableRefusal(f"you have {len(names)} entrants: the maximum is {most}", code="too_many")
        self._arena.check_room(names)
        return name in names

    async def withdraw(self, request: Request) -> Response:
        """Remove one of the user's entrants."""
        name = await self._owned(request)
        self._settle(lambda: self._take_out(name))
        return text_answer(204, "")

    async def build(self, request: Request) -> Response:
        """Return the build output of one of the user's entrants."""
        name = await self._owned(request)
        return _log(await asyncio.to_thread(self._arena.build_of, name))

    async def log(self, request: Request) -> Response:
        """Return the log and the errors of one of the user's entrants in a match."""
        name = await self._owned(request)
        return _log(await asyncio.to_thread(self._arena.log_of, name, str(request.path_params["match"])))

    async def _owned(self, request: Request) -> str:
        """Return the entrant of the path; raises `TableRefusal` (`no_entrant`) unless it is the user's.

        The answer is the same for somebody else's entrant and for one that does not exist.
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

    def _take_out(self, *names: str) -> None:
        """Remove entrants with their files, seats and names; the next run removes their rows of the board."""
        self._arena.check_idle(names)  # all or none
        for name in names:
            # the name last: an end in between leaves one without files to its owner, and none to nobody
            self._arena.withdraw(name)
            self._lobby.dismiss_entrant(name)
            self._lobby.notes.put(f"{_OWNED}{name}", None)

    def _forget(self, user: User) -> None:
        """Remove the entrants of a user whose account is deleted."""
        self._take_out(*self._names_of(user))

    def _told(self, name: str) -> answers.Entrant:
        upload, board = self._arena.upload_of(name), self._arena.board
        row = next((one for one in board.get("standings", ()) if one["name"] == name), None)
        refused = next((one["reason"] for one in board.get("refused", ()) if one["name"] == name), None)
        matches: list[answers.Match] = [
            {"match": one["key"], "players": one["players"], "hands": one["hands"]}
            for one in self._arena.matches_of(name)
        ]
        standing: answers.Ranked | None = (
            None
            if row is None
            else {
                "version": row["version"],
                "best_place": row["best_place"],
                "worst_place": row["worst_place"],
                "remark": row["remark"],
                **self._arena.result_of(row),
            }
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
        """Make a table of the arena's game for the user and the entrant."""
        user = await self._entry.user(request)
        name = str(request.path_params["entrant"])
        keeps = is_person(request)
        # before there is a table
        self._lobby.check_entrants(user, [name], self._arena.arena.settings.game)
        setting = self._setting(user, name)

        def made() -> tuple[str, list[str]]:
            game, _ = self._lobby.make(user, setting, keeps_seat=keeps)
            return game.id, self._lobby.seat_house(user, game.id, [f"{ENTRANT}{name}"])

        game_id, seated = self._settle(made)
        return plain_answer(201, answers.SatDown(game=game_id, seated=seated))

    def _setting(self, user: User, name: str) -> Setting:
        settings = self._arena.arena.settings
        match = settings.match(["caller", "caller"], hands=2, seed=0)
        blinds = match.stakes
        return Setting(
            small_blind=blinds.small_blind or blinds.ante,
            big_blind=blinds.big_blind or blinds.min_bet,
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
    """Read how long to wait, at most `_LONGEST_WAIT`; raises `BadSpec`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise BadSpec(f"wait {text!r:.40} is not a number of seconds")
    return min(seconds, _LONGEST_WAIT)


def _log(text: str) -> Response:
    headers = {
        "content-type": TEXT,
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(text, 200, headers)


# -- pages -----------------------------------------------------------------------------------


def add_arena_pages(router: Router, arena: LiveArena) -> None:
    """Add `GET /arena/`: the board and its pages, as `write_site` makes them."""

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

    router.add_route("/arena", whole, methods=["GET"], include_in_schema=False)
    router.add_route("/arena/", page, methods=["GET"], include_in_schema=False)
    router.add_route("/arena/{page}", page, methods=["GET"], include_in_schema=False)


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
