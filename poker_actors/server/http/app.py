"""Build the API as an ASGI application: its routes, and the handling all of them share."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette import routing
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from poker_actors.errors import PokerError, StorageFailed
from poker_actors.server.hspe import Lobby, Profile
from poker_actors.server.http.account_routes import AccountRoutes, ArchiveRoutes
from poker_actors.server.http.answers import Polls, refusal, text_answer
from poker_actors.server.http.arena_routes import UPLOADS, ArenaRoutes, add_arena_pages
from poker_actors.server.http.exchange import (
    AnswersKept,
    Door,
    Entry,
    Held,
    Route,
    Settle,
    at_once,
    body_of,
    is_page,
)
from poker_actors.server.http.hspe_routes import HspeRoutes
from poker_actors.server.http.live_routes import LiveRoutes, TournamentRoutes
from poker_actors.server.http.push import Feed, PushRoutes
from poker_actors.server.live import (
    Hands,
    HookPlan,
    Hooks,
    Metrics,
    Results,
    Sessions,
    Shares,
    Tournaments,
    Views,
)
from poker_actors.server.page import add_page

if TYPE_CHECKING:
    from poker_actors.server.live.arena import LiveArena

_GAME: Final = "/games/{game_id}"
_PLAYERS: Final = f"{_GAME}/players"
_PLAYER: Final = f"{_PLAYERS}/{{player_id}}"
_OFTEN: Final = (_GAME, f"{_GAME}/table", f"{_PLAYER}/acts", f"{_GAME}/actions")
"""The paths requested most, put first: the router tries patterns in order, which took half the time of a request."""


def build_app(
    lobby: Lobby,
    door: Door,
    profile: Profile,
    settle: Settle,
    held: Held = at_once,
    *,
    public_metrics: bool = True,
    arena: LiveArena | None = None,
    hooks: HookPlan | None = None,
) -> Polls:
    """Return the API, push and the page as one ASGI application; every answer waits for `held`."""
    router = _Router(redirect_slashes=False)
    sessions = Sessions(lobby.users, lobby.notes, lobby.now)
    tournaments = Tournaments(lobby)
    hands, shares = Hands(lobby, tournaments), Shares(lobby.notes)
    lobby.on_clear_up.extend([sessions.forget_over, lambda: shares.forget_gone(lobby.users)])
    entry = Entry(door, sessions)
    views = Views(lobby, profile)
    metrics, feed = Metrics(lobby, views), Feed(lobby, views)
    common = _Common(entry, profile, metrics, held)
    push = PushRoutes(lobby, entry, views, settle, metrics, feed, held)
    called = Hooks(lobby, hooks, feed.hears)
    archive = ArchiveRoutes(entry, settle, hands, shares, Results(lobby))
    live = LiveRoutes(lobby, entry, profile, views, settle, metrics, hands, arena=arena is not None)
    tables = (
        (_contract(HspeRoutes(lobby, entry, profile, views, settle)), False),
        (_account(AccountRoutes(lobby, entry, settle, called), archive), True),
        (_tournaments(TournamentRoutes(tournaments, entry, settle)), True),
        (_beyond(live, push), True),
        ({} if arena is None else _arena(ArenaRoutes(lobby, entry, settle, arena)), True),
    )
    _add(router, common, tables, public_metrics=public_metrics)
    router.routes.append(routing.WebSocketRoute(f"{_GAME}/socket", push.socket))
    _add_pages(router, arena)
    return Polls(
        router, entry, lobby=lobby, profile=profile, views=views, hooks=called, metrics=metrics, held=held
    )


def _add_pages(router: routing.Router, arena: LiveArena | None) -> None:
    add_page(router)
    if arena is not None:
        add_arena_pages(router, arena)


class _Router(routing.Router):
    """Starlette's router by itself: its application wraps each request in layers for errors, which took a tenth of its time."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        scope["app"] = (
            self  # with an application the router raises its refusals, else it answers them in its own words
        )
        try:
            await self.app(scope, receive, send)
        except HTTPException as error:
            await _no_route(error)(scope, receive, send)


def _add(
    router: routing.Router,
    common: _Common,
    tables: Sequence[tuple[Mapping[str, Mapping[str, Route]], bool]],
    *,
    public_metrics: bool,
) -> None:
    """Add the routes of all tables; each table says whether its errors are JSON."""
    paths = [(path, methods, in_json) for table, in_json in tables for path, methods in table.items()]
    for path, methods, in_json in sorted(paths, key=lambda one: one[0] not in _OFTEN):
        if path == "/metrics" and not public_metrics:
            continue
        route = _Endpoint(common.answered(path, methods, in_json=in_json))
        for form in (path, f"{path}/") if not path.endswith(":path}") else (path,):
            router.routes.append(routing.Route(form, route, methods=[*methods], include_in_schema=False))


def _contract(routes: HspeRoutes) -> dict[str, dict[str, Route]]:
    """Return HSPE's routes: path -> method -> route."""
    return {
        "/users": {"POST": routes.make_user},
        "/games": {"GET": routes.list_games, "POST": routes.make_game},
        _GAME: {"GET": routes.show_game},
        _PLAYERS: {"GET": routes.list_players, "POST": routes.join},
        _PLAYER: {"DELETE": routes.leave},
        f"{_PLAYER}/acts": {"POST": routes.act},
        "/healthz": {"GET": routes.health},
    }


def _account(routes: AccountRoutes, archive: ArchiveRoutes) -> dict[str, dict[str, Route]]:
    """Return the routes of accounts and archives."""
    return {
        "/account/hands": {"GET": archive.hands},
        "/account/hook": {"GET": routes.hook, "POST": routes.set_hook, "DELETE": routes.end_hook},
        "/account/results": {"GET": archive.results},
        "/account/board": {"GET": archive.on_board, "POST": archive.list_on_board},
        "/board": {"GET": archive.board},
        "/shared": {"POST": archive.share},
        "/shared/{token}": {"GET": archive.shared, "DELETE": archive.unshare},
        "/account": {"GET": routes.show, "DELETE": routes.delete},
        "/account/password": {"POST": routes.change_password},
        "/account/sessions": {"DELETE": routes.log_out_everywhere},
        "/account/sessions/{session_id}": {"DELETE": routes.end_session},
    }


def _tournaments(routes: TournamentRoutes) -> dict[str, dict[str, Route]]:
    """Return the routes of tournaments."""
    one = "/tournaments/{tournament_id}"
    return {
        "/tournaments": {"GET": routes.list_all, "POST": routes.make},
        one: {"GET": routes.show},
        f"{one}/players": {"POST": routes.enter, "DELETE": routes.leave},
        f"{one}/house": {"POST": routes.fill},
    }


def _arena(routes: ArenaRoutes) -> dict[str, dict[str, Route]]:
    """Return the routes of the arena."""
    return {
        "/arena/state": {"GET": routes.state},
        "/arena/board": {"GET": routes.board},
        "/arena/entrants": {"GET": routes.own},
        UPLOADS: {"GET": routes.show, "POST": routes.hand_in, "DELETE": routes.withdraw},
        f"{UPLOADS}/build": {"GET": routes.build},
        f"{UPLOADS}/matches/{{match}}": {"GET": routes.log},
        f"{UPLOADS}/table": {"POST": routes.sit_down},
    }


def _beyond(routes: LiveRoutes, push: PushRoutes) -> dict[str, dict[str, Route]]:
    """Return the other routes that HSPE does not have."""
    return {
        "/session": {"GET": routes.who, "POST": routes.log_in, "DELETE": routes.log_out},
        "/lobby": {"GET": routes.lobby},
        "/lobby/stream": {"GET": push.lobby_stream},
        f"{_GAME}/table": {"GET": partial(push.waited, routes.table)},
        f"{_GAME}/stream": {"GET": push.stream},
        f"{_GAME}/actions": {"POST": routes.act},
        f"{_GAME}/seat": {"POST": routes.sit},
        f"{_GAME}/plan": {"GET": routes.planned, "POST": routes.plan},
        f"{_GAME}/chat": {"POST": routes.say},
        f"{_GAME}/choice": {"POST": routes.choose},
        f"{_GAME}/house": {"POST": routes.seat_house, "DELETE": routes.send_house_away},
        f"{_GAME}/heard": {"GET": routes.heard},
        f"{_GAME}/ledger": {"GET": routes.ledger},
        f"{_GAME}/ledger.csv": {"GET": routes.ledger_file},
        f"{_GAME}/hands": {"GET": routes.hands},
        f"{_GAME}/hands/{{hand_id:path}}": {"GET": routes.hand},
        "/metrics": {"GET": routes.metrics},
        "/openapi.json": {"GET": routes.described},
        "/asyncapi.json": {"GET": routes.push_described},
        "/client.ts": {"GET": routes.client},
    }


class _Endpoint:
    """A route as an ASGI application: Starlette would wrap a plain function to answer its errors a second time."""

    def __init__(self, route: Route) -> None:
        self._route: Final = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        answer = await self._route(Request(scope, receive, send))
        await answer(scope, receive, send)


class _Common:
    """The handling all routes share: refusals, idempotency keys, waiting for the disk, metrics."""

    def __init__(self, entry: Entry, profile: Profile, metrics: Metrics, held: Held) -> None:
        self._held = held
        self._entry = entry
        self._profile = profile
        self._metrics = metrics
        self._kept: AnswersKept[Response] = AnswersKept()

    def answered(self, path: str, methods: Mapping[str, Route], *, in_json: bool) -> Route:
        """Return one route for all methods of a path, which always answers and never reads a long body."""
        registering = path == "/users"
        keyed = path not in ("/users", "/session", "/account/password", UPLOADS)

        async def answer(request: Request) -> Response:
            began = time.perf_counter()
            method = "GET" if request.method == "HEAD" else request.method

            def refused(error: PokerError) -> Response:
                quiet = is_page(request)
                return refusal(self._profile, error, registering=registering, in_json=in_json, quiet=quiet)

            try:
                if path != UPLOADS:  # an entrant is read by its route, once it knows whose it is
                    await body_of(request)
                if keyed and method == "POST" and "idempotency-key" in request.headers:
                    given = await self._once(request, methods[method])
                else:
                    given = await methods[method](request)
            except PokerError as error:
                given = refused(error)
            except ClientDisconnect:
                given = text_answer(400, "")  # nobody reads this answer; it is only counted
            try:
                await self._held()
            except StorageFailed as error:
                given = refused(error)
            self._metrics.answered(method, path, given.status_code, time.perf_counter() - began)
            return given

        return answer

    async def _once(self, request: Request, route: Route) -> Response:
        """Answer a request with an Idempotency-Key: repeat the first answer, unless the first was refused."""
        user = await self._entry.user(request)
        key = request.headers["idempotency-key"]
        asked = b"%s\n%s" % (request.url.path.rstrip("/").encode(), await body_of(request))
        given = self._kept.find(user.id, key, asked)
        if given is None:
            given = await route(request)
            self._kept.keep(user.id, key, asked, given)
        return given


def _no_route(error: HTTPException) -> Response:
    """Answer a request that the router refuses: an unknown path, or a wrong method."""
    if error.status_code == 405:
        headers = error.headers or {}
        return text_answer(405, "", **({"allow": headers["Allow"]} if "Allow" in headers else {}))
    return text_answer(error.status_code, "404 page not found" if error.status_code == 404 else error.detail)
