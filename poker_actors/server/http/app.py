"""The API's routes: a request in, one command of the lobby, an answer out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from poker_actors.errors import PokerError, TableRefusal
from poker_actors.server.hspe import Game, Lobby, Profile, game_json, players_json, read_order
from poker_actors.server.http.answers import json_answer, refusal, text_answer
from poker_actors.server.http.credentials import Door
from poker_actors.server.users import User

__all__ = ["BODY_BYTES", "Settle", "build_app"]

R = TypeVar("R")
Route = Callable[[Request], Awaitable[Response]]

BODY_BYTES: Final = 4096
"""The longest body read: an act takes fifty."""


class Settle(Protocol):
    """Calls a command in the room's thread, and lets the room get on with what came of it."""

    def __call__(self, command: Callable[[], R]) -> R:
        """Give what `command` gives."""


class _Routes:
    """What each route does; a refusal is raised, and answered by `_answered`."""

    def __init__(self, lobby: Lobby, door: Door, profile: Profile, settle: Settle) -> None:
        self._lobby = lobby
        self._door = door
        self._profile = profile
        self._settle = settle

    async def make_user(self, request: Request) -> Response:
        """Register a user with the credentials sent."""
        known_welcome = self._profile.known_user == 201
        user = await self._door.register(
            _authorization(request), _address(request), known_welcome=known_welcome
        )
        return self._json(201, {"PlayerID": user.id} if self._profile.id_in_object else user.id)

    async def list_games(self, request: Request) -> Response:
        """Give all games; with valid credentials and where the dialect has it, with own hole cards."""
        owner = None
        if self._profile.holes_in_list and _authorization(request) is not None:
            try:
                owner = (await self._user(request)).id
            except TableRefusal:
                owner = None  # the contract knows no error here
        return self._json(200, [self._shown(game, owner) for game in self._lobby.games.values()])

    async def make_game(self, request: Request) -> Response:
        """Make a game and join it."""
        user = await self._user(request)
        game, _ = self._settle(lambda: self._lobby.make(user))
        return self._json(self._profile.made, self._shown(game, user.id))

    async def show_game(self, request: Request) -> Response:
        """Give one game."""
        owner = None if _authorization(request) is None else await self._user(request)
        game = self._game(request)
        if owner is None:
            return self._json(200, self._shown(game, None))
        if self._profile.stranger != 200 and owner.id not in game.roster.playing:
            return text_answer(self._profile.stranger, "The authenticated player has not joined this game.")
        return self._json(200, self._shown(game, owner.id))

    async def list_players(self, request: Request) -> Response:
        """Give the players of a game."""
        players = players_json(self._game(request), self._profile)
        return self._json(200, players if self._profile.players_shown else [{} for _ in players])

    async def join(self, request: Request) -> Response:
        """Take a seat, or wait for one."""
        user = await self._user(request)
        game_id = request.path_params["game_id"]
        game, seated = self._settle(lambda: self._lobby.join(user, game_id))
        status = self._profile.joined if seated else 202
        shown = self._shown(game, user.id) if self._profile.join_gives_game else user.id
        return self._json(status, shown)

    async def act(self, request: Request) -> Response:
        """Bet or fold."""
        user = await self._user(request)
        game = self._own(request, user)
        order, key = read_order(await _body(request), self._profile)
        self._settle(lambda: game.act(user.id, order, key))
        return text_answer(201, "")

    async def leave(self, request: Request) -> Response:
        """Leave the game."""
        user = await self._user(request)
        game = self._own(request, user)
        self._settle(lambda: game.leave(user.id))
        return text_answer(200, "")

    async def health(self, request: Request) -> Response:
        """Say whether the room works."""
        failed = self._lobby.room.health().failed
        return text_answer(503 if failed else 200, "ok" if not failed else f"lost: {', '.join(failed)}")

    async def _user(self, request: Request) -> User:
        return await self._door.enter(_authorization(request), _address(request))

    def _game(self, request: Request) -> Game:
        return self._lobby.game(request.path_params["game_id"])

    def _own(self, request: Request, user: User) -> Game:
        return self._lobby.own(user, request.path_params["game_id"], request.path_params["player_id"])

    def _shown(self, game: Game, owner: str | None) -> object:
        return game_json(game, self._profile, owner)

    def _json(self, status: int, value: object) -> Response:
        return json_answer(self._profile, status, value)


def build_app(lobby: Lobby, door: Door, profile: Profile, settle: Settle) -> FastAPI:
    """Give the API as an ASGI application; it keeps nothing of its own."""
    app = FastAPI(
        title="Hacker School Poker Engine",
        docs_url=None,  # the pages FastAPI brings load their scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # the contract is the README's tables
        redirect_slashes=False,
    )
    routes = _Routes(lobby, door, profile, settle)
    game, players = "/games/{game_id}", "/games/{game_id}/players"
    player = f"{players}/{{player_id}}"
    table: dict[str, dict[str, Route]] = {
        "/users": {"POST": routes.make_user},
        "/games": {"GET": routes.list_games, "POST": routes.make_game},
        game: {"GET": routes.show_game},
        players: {"GET": routes.list_players, "POST": routes.join},
        player: {"DELETE": routes.leave},
        f"{player}/acts": {"POST": routes.act},
        "/healthz": {"GET": routes.health},
    }
    for path, methods in table.items():
        for form in (path, f"{path}/"):
            app.add_route(form, _answered(methods, profile), methods=[*methods], include_in_schema=False)
    app.add_exception_handler(HTTPException, _no_route)
    return app


def _answered(methods: dict[str, Route], profile: Profile) -> Route:
    """Give a path's routes as one whose refusals are answers, and which never reads a long body."""

    async def answered(request: Request) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        try:
            await _body(request)
            return await route(request)
        except PokerError as error:
            return refusal(profile, error, registering=request.url.path.startswith("/users"))
        except ClientDisconnect:
            return text_answer(400, "")  # nobody reads it

    return answered


async def _body(request: Request) -> bytes:
    """Read the body once, up to `BODY_BYTES`; raises `TableRefusal` (`too_large`)."""
    kept: bytes | None = getattr(request.state, "read", None)
    if kept is not None:
        return kept
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise TableRefusal(f"a body has at most {BODY_BYTES} bytes", code="too_large")
    request.state.read = body
    return body


def _authorization(request: Request) -> str | None:
    return request.headers.get("authorization")


def _address(request: Request) -> str:
    """Give where a request comes from; through a trusted proxy, where the proxy says."""
    return "" if request.client is None else request.client.host


async def _no_route(request: Request, error: Exception) -> Response:
    """Answer what the router refuses: no such path, no such method there."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        headers = error.headers or {}
        return text_answer(405, "", **({"allow": headers["Allow"]} if "Allow" in headers else {}))
    return text_answer(error.status_code, "404 page not found" if error.status_code == 404 else error.detail)
