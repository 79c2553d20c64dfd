"""Routes of tournaments: announce, enter, fill with bots. Their tables use the routes of games."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.server.contract import answers
from poker_actors.server.http.answers import plain_answer, text_answer
from poker_actors.server.http.exchange import Entry, Settle, body_of
from poker_actors.server.live import Tournaments, read_announced


class TournamentRoutes:
    """The routes of tournaments."""

    def __init__(self, tournaments: Tournaments, entry: Entry, settle: Settle) -> None:
        self._all = tournaments
        self._entry = entry
        self._settle = settle

    async def list_all(self, request: Request) -> Response:
        """List tournaments, those open for entry first."""
        return plain_answer(200, answers.Tournaments(tournaments=self._all.listed()))

    async def make(self, request: Request) -> Response:
        """Announce a tournament and enter it."""
        user = await self._entry.user(request)
        announced = read_announced(await body_of(request))
        return plain_answer(201, answers.Announced(id=self._settle(lambda: self._all.make(user, announced))))

    async def show(self, request: Request) -> Response:
        """Return a tournament's state, and the user's table in it."""
        user = await self._entry.user_if_any(request)
        told = self._all.told(request.path_params["tournament_id"], None if user is None else user.id)
        return plain_answer(200, told)

    async def enter(self, request: Request) -> Response:
        """Enter the tournament."""
        user = await self._entry.user(request)
        self._settle(lambda: self._all.enter(user, request.path_params["tournament_id"]))
        return text_answer(204, "")

    async def leave(self, request: Request) -> Response:
        """Leave the tournament."""
        user = await self._entry.user(request)
        self._settle(lambda: self._all.leave(user, request.path_params["tournament_id"]))
        return text_answer(204, "")

    async def fill(self, request: Request) -> Response:
        """Fill the places left with bots."""
        user = await self._entry.user(request)
        self._settle(lambda: self._all.fill(user, request.path_params["tournament_id"]))
        return text_answer(204, "")
