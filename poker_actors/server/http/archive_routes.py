"""A user's own hands at all tables, and links to share them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.errors import BadSpec
from poker_actors.server.body import object_of
from poker_actors.server.http.answers import JSON, plain_answer, text_answer
from poker_actors.server.http.exchange import Entry, Settle, body_of, name_sought
from poker_actors.server.live import Hands, Results, Shares

__all__ = ["ArchiveRoutes"]


class ArchiveRoutes:
    """Routes for the hands a user was dealt in, and for sharing them."""

    def __init__(self, entry: Entry, settle: Settle, hands: Hands, shares: Shares, results: Results) -> None:
        self._entry = entry
        self._settle = settle
        self._hands = hands
        self._shares = shares
        self._results = results

    async def hands(self, request: Request) -> Response:
        """List the user's hands at all tables, newest first; ``?name=`` searches names of tables and players."""
        user = await self._entry.user(request)
        name = name_sought(request)
        links = self._shares.of(user.id)
        hands = [
            one | {"shared": links.get(one["hand_id"])}
            for one in self._hands.of_user(user.id, name.casefold())
        ]
        return plain_answer(200, {"hands": hands, "net": sum(one["net"] for one in hands)})

    async def results(self, request: Request) -> Response:
        """Return the user's results of all hands, by day."""
        user = await self._entry.user(request)
        return plain_answer(200, self._results.of_user(user.id))

    async def share(self, request: Request) -> Response:
        """Return a link to a hand as the user may see it: own and shown cards."""
        user = await self._entry.user(request)
        game_id, hand_id = _read(await body_of(request))
        text = self._hands.text(game_id, hand_id, user.id)
        token = self._settle(lambda: self._shares.share(user.id, hand_id, text))
        return plain_answer(201, {"token": token, "link": f"/#/shared/{token}"})

    async def shared(self, request: Request) -> Response:
        """Return a shared hand to anyone with its link."""
        text = self._shares.find(request.path_params["token"])
        headers = {"content-type": JSON, "cache-control": "no-store", "referrer-policy": "no-referrer"}
        return Response(text, 200, headers)

    async def unshare(self, request: Request) -> Response:
        """Stop sharing a hand."""
        user = await self._entry.user(request)
        self._settle(lambda: self._shares.end(user.id, request.path_params["token"]))
        return text_answer(204, "")


def _read(body: bytes) -> tuple[str, str]:
    """Read ``{"game": ID, "hand_id": ID}``; raises `BadSpec`."""
    plain = object_of(body) or {}
    game, hand_id = plain.get("game"), plain.get("hand_id")
    if not isinstance(game, str) or not isinstance(hand_id, str):
        raise BadSpec('say which hand is shared: {"game": ID, "hand_id": ID}')
    return game, hand_id
