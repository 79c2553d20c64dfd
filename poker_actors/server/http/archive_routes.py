"""A user's own hands at all tables, links to share them, and the board of the room's players."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.server.contract import answers, bodies
from poker_actors.server.http.answers import (
    HANDS_POLICY,
    JSON,
    list_answer,
    plain_answer,
    text_answer,
    unchanged,
)
from poker_actors.server.http.exchange import (
    SHARED_FORMATS,
    Entry,
    Settle,
    body_of,
    format_of,
    is_current,
    name_sought,
)
from poker_actors.server.live import Hands, Results, Shares, shared_page
from poker_actors.server.shapes import read


class ArchiveRoutes:
    """Routes for a user's hands, for sharing them, and for the results of all users."""

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
        hands = self._hands.of_user(user.id, name.casefold(), links)
        return plain_answer(200, answers.OwnHands(hands=hands, net=sum(one["net"] for one in hands)))

    async def results(self, request: Request) -> Response:
        """Return the user's results of all hands, by day."""
        user = await self._entry.user(request)
        return plain_answer(200, self._results.of_user(user.id))

    async def board(self, request: Request) -> Response:
        """Return the board of the room's players."""
        body, tag = await self._results.board.told()
        return unchanged(tag) if is_current(request, tag) else list_answer(request, body, tag)

    async def on_board(self, request: Request) -> Response:
        """Return whether the user is on the board."""
        user = await self._entry.user(request)
        return plain_answer(200, bodies.OnBoard(listed=self._results.board.lists(user.id)))

    async def list_on_board(self, request: Request) -> Response:
        """List the user on the board, or stop."""
        user = await self._entry.user(request)
        listed = read(bodies.OnBoard, await body_of(request))["listed"]
        self._settle(lambda: self._results.board.put(user.id, listed=listed))
        return plain_answer(200, bodies.OnBoard(listed=listed))

    async def share(self, request: Request) -> Response:
        """Return a link to a hand as the user may see it: own and shown cards."""
        user = await self._entry.user(request)
        which = read(bodies.Which, await body_of(request))
        text = self._hands.shareable(which["game"], which["hand_id"], user.id)
        token = self._settle(lambda: self._shares.share(user.id, which["hand_id"], text))
        return plain_answer(201, answers.Link(token=token, link=f"/#/shared/{token}"))

    async def shared(self, request: Request) -> Response:
        """Return a shared hand, or with ``?format=html`` the page that replays it, to anyone with its link."""
        form, text = format_of(request, SHARED_FORMATS), self._shares.find(request.path_params["token"])
        headers = {"content-type": JSON, "cache-control": "no-store", "referrer-policy": "no-referrer"}
        if form == "html":
            text = shared_page(text)
            headers |= {"content-type": "text/html; charset=utf-8", "content-security-policy": HANDS_POLICY}
        return Response(text, 200, headers)

    async def unshare(self, request: Request) -> Response:
        """Stop sharing a hand."""
        user = await self._entry.user(request)
        self._settle(lambda: self._shares.end(user.id, request.path_params["token"]))
        return text_answer(204, "")
