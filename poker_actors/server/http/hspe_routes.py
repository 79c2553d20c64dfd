"""The routes of the HSPE contract: each reads a request, gives the lobby one command, and answers."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.errors import TableRefusal
from poker_actors.server.hspe import (
    Game,
    Lobby,
    Profile,
    read_order,
    read_place,
    read_setting,
)
from poker_actors.server.http.answers import json_answer, list_answer, text_answer, unchanged, view_answer
from poker_actors.server.http.exchange import (
    Entry,
    Settle,
    address_of,
    body_of,
    is_current,
    is_person,
    page_of,
)
from poker_actors.server.live import ALL, Listed, Views
from poker_actors.server.users import User


class HspeRoutes:
    """HSPE's routes. They raise refusals, which the caller answers."""

    def __init__(self, lobby: Lobby, entry: Entry, profile: Profile, views: Views, settle: Settle) -> None:
        self._lobby = lobby
        self._entry = entry
        self._profile = profile
        self._views = views
        self._settle = settle

    async def make_user(self, request: Request) -> Response:
        """Register a user with the credentials sent."""
        known_welcome = self._profile.known_user == 201
        header = request.headers.get("authorization")
        user = await self._entry.door.register(header, address_of(request), known_welcome=known_welcome)
        return self._json(201, {"PlayerID": user.id} if self._profile.id_in_object else user.id)

    async def list_games(self, request: Request) -> Response:
        """Return all games, in some dialects with the user's own hole cards."""
        owner = None
        if self._profile.holes_in_list:
            try:
                user = await self._entry.user_if_any(request)
                owner = None if user is None else user.id
            except TableRefusal:
                owner = None  # the contract has no error here: show what a stranger sees
        page = page_of(request)
        tag = self._views.list_tag(owner)
        if is_current(request, tag):
            return unchanged(tag)
        headers: dict[str, str] = {}
        if page == ALL:
            body = self._views.games(owner)
        else:
            listed = self._views.listed(page)
            body, headers = self._views.games_of(listed, owner), _place(request, listed)
        answer = view_answer if owner is not None else partial(list_answer, request)
        return answer(body, tag, self._profile.json_type, **headers)

    async def make_game(self, request: Request) -> Response:
        """Make a game and join it."""
        user = await self._entry.user(request)
        setting = read_setting(await body_of(request), user.id)
        _, keeps = await _place_wanted(request)
        game, _ = self._settle(lambda: self._lobby.make(user, setting, keeps_seat=keeps))
        return self._shown(self._profile.made, game, user)

    async def show_game(self, request: Request) -> Response:
        """Return one game."""
        user = await self._entry.user_if_any(request)
        game = self._game(request)
        if user is not None and self._profile.stranger != 200 and not game.roster.plays(user.id):
            return text_answer(self._profile.stranger, "The authenticated player has not joined this game.")
        game.check_contract()
        owner = None if user is None else user.id
        tag = self._views.game_tag("g", game, owner)
        if is_current(request, tag):
            return unchanged(tag)
        return view_answer(self._views.game(game, owner) + b"\n", tag, self._profile.json_type)

    async def list_players(self, request: Request) -> Response:
        """Return the players of a game."""
        players = self._views.players(self._game(request))
        return self._json(200, players if self._profile.players_shown else [{} for _ in players])

    async def join(self, request: Request) -> Response:
        """Take a seat, or wait for one."""
        user = await self._entry.user(request)
        game_id = request.path_params["game_id"]
        seat, keeps = await _place_wanted(request)
        game, seated = self._settle(lambda: self._lobby.join(user, game_id, seat=seat, keeps_seat=keeps))
        status = self._profile.joined if seated else 202
        if self._profile.join_gives_game:
            return self._shown(status, game, user)
        return self._json(status, user.id)

    async def act(self, request: Request) -> Response:
        """Bet or fold."""
        user = await self._entry.user(request)
        game = self._own(request, user)
        order, key = read_order(await body_of(request), self._profile)
        self._settle(lambda: game.act(user.id, order, key))
        return text_answer(201, "")

    async def leave(self, request: Request) -> Response:
        """Leave the game."""
        user = await self._entry.user(request)
        game = self._own(request, user)
        self._settle(lambda: game.leave(user.id))
        return text_answer(200, "")

    async def health(self, request: Request) -> Response:
        """Report whether the room works: 503 with the names of failed actors if not."""
        failed = self._lobby.room.health().failed
        return text_answer(503 if failed else 200, "ok" if not failed else f"lost: {', '.join(failed)}")

    def _game(self, request: Request) -> Game:
        return self._lobby.game(request.path_params["game_id"])

    def _own(self, request: Request, user: User) -> Game:
        return self._lobby.own(user, request.path_params["game_id"], request.path_params["player_id"])

    def _shown(self, status: int, game: Game, user: User) -> Response:
        body = self._views.game(game, user.id) + b"\n"
        return Response(body, status, {"content-type": self._profile.json_type})

    def _json(self, status: int, value: object) -> Response:
        return json_answer(self._profile, status, value)


def _place(request: Request, listed: Listed) -> dict[str, str]:
    """Return headers with the number of games and the link to the next page."""
    headers = {"x-total-count": str(listed.of)}
    if listed.after is not None:
        following = request.url.include_query_params(after=listed.after)
        headers["link"] = f'<{following.path}?{following.query}>; rel="next"'
    return headers


async def _place_wanted(request: Request) -> tuple[int | None, bool]:
    """Return the wanted seat, and whether it is kept after a missed turn: for a person, unless the body says."""
    place = read_place(await body_of(request))
    keeps = place.get("keeps_seat")
    return place.get("seat"), is_person(request) if keeps is None else keeps
