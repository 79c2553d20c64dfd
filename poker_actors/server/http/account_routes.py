"""Routes for what is a user's own: the account, its hands and links to share them; and the board of all users."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.errors import TableRefusal
from poker_actors.server.contract import answers, bodies
from poker_actors.server.hspe import Lobby
from poker_actors.server.http.answers import (
    HANDS_POLICY,
    JSON,
    list_answer,
    plain_answer,
    text_answer,
    unchanged,
)
from poker_actors.server.http.exchange import (
    COOKIE,
    SHARED_FORMATS,
    Entry,
    Settle,
    body_of,
    format_of,
    is_current,
    name_sought,
    same_origin,
)
from poker_actors.server.live import Hands, Hooks, Results, Shares, shared_page
from poker_actors.server.shapes import read
from poker_actors.server.users import User


def games_of(lobby: Lobby, user: User) -> list[str]:
    """Return the ids of the games a user plays, waits for or is about to leave, and of unfinished tournaments."""
    games = [game.id for game in lobby.games.values() if user.id in game.roster.everybody]
    return games + [one for asked in lobby.on_entered for one in asked(user.id)]


class AccountRoutes:
    """Routes for the user's own account; permanent changes need the password again."""

    def __init__(self, lobby: Lobby, entry: Entry, settle: Settle, hooks: Hooks) -> None:
        self._lobby = lobby
        self._hooks = hooks
        self._entry = entry
        self._settle = settle

    async def show(self, request: Request) -> Response:
        """Return name, id, games and log-ins."""
        user = await self._entry.user(request)
        here = self._entry.sessions.id_of(request.cookies.get(COOKIE))
        games = games_of(self._lobby, user)
        account: answers.Account = {
            "name": user.name,
            "player_id": user.id,
            "games": [one for one in games if not self._left(one, user)],
            "sessions": self._entry.sessions.of(user, here),
        }
        return plain_answer(200, account)

    def _left(self, game_id: str, user: User) -> bool:
        """Return whether a user has left a table with a delay, and so is not even told how its hand ended."""
        game = self._lobby.games.get(game_id)
        return game is not None and not game.sees_now(user.id) and user.id not in game.roster.queue

    async def hook(self, request: Request) -> Response:
        """Return the user's webhook."""
        return plain_answer(200, self._hooks.of(await self._entry.user(request)))

    async def set_hook(self, request: Request) -> Response:
        """Set the user's webhook."""
        user = await self._entry.user(request)
        wanted = read(bodies.HookWanted, await body_of(request))
        self._settle(lambda: self._hooks.set(user, wanted["webhook"]))
        return plain_answer(200, self._hooks.of(user))

    async def end_hook(self, request: Request) -> Response:
        """Forget the webhook."""
        user = await self._entry.user(request)
        self._settle(lambda: self._hooks.set(user, None))
        return text_answer(204, "")

    async def change_password(self, request: Request) -> Response:
        """Change the password; ends all other log-ins."""
        same_origin(request)
        user = await self._entry.user(request)
        plain = read(bodies.NewPassword, await body_of(request))
        await self._entry.prove(request, user.name, plain["old"])
        users = self._entry.door.users
        users.set_digest(user, await asyncio.to_thread(users.next_digest, plain["new"]))
        self._entry.door.forget(user.name)
        here = self._entry.sessions.id_of(request.cookies.get(COOKIE))
        self._settle(lambda: self._entry.sessions.revoke(user, but=here))
        return text_answer(204, "")

    async def log_out_everywhere(self, request: Request) -> Response:
        """End all log-ins, including this one."""
        user = await self._entry.user(request)
        ended = self._settle(lambda: self._entry.sessions.revoke(user))
        return plain_answer(200, answers.Ended(ended=ended))

    async def end_session(self, request: Request) -> Response:
        """End one log-in, by its id."""
        user = await self._entry.user(request)
        only = request.path_params["session_id"]
        ended = self._settle(lambda: self._entry.sessions.revoke(user, only=only))
        if not ended:
            raise TableRefusal("you have no such log-in", code="no_session")
        return plain_answer(200, answers.Ended(ended=ended))

    async def delete(self, request: Request) -> Response:
        """Delete the account of a user who is in no game."""
        same_origin(request)
        user = await self._entry.user(request)
        plain = read(bodies.Proof, await body_of(request))
        await self._entry.prove(request, user.name, plain["password"])
        self._settle(lambda: self._delete(user))
        return text_answer(204, "")

    def _delete(self, user: User) -> None:
        games = games_of(self._lobby, user)
        if games:
            raise TableRefusal(
                f"you are still in {len(games)} game{'s' * (len(games) > 1)}: leave first", code="seat_taken"
            )
        for forget in self._lobby.on_delete:  # first: one of them may refuse
            forget(user)
        self._entry.sessions.revoke(user)
        self._lobby.users.delete(user)
        self._entry.door.forget(user.name)


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
