"""The routes beyond the HSPE contract: log-ins, the lobby, pictures of tables, actions, the house, tournaments, metrics."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.errors import TableRefusal
from poker_actors.server.contract import answers, bodies
from poker_actors.server.hspe import Game, Lobby, Profile, read_move, read_plan, read_saying, read_wish
from poker_actors.server.http.answers import (
    HANDS_POLICY,
    TEXT,
    list_answer,
    plain_answer,
    text_answer,
    unchanged,
    view_answer,
)
from poker_actors.server.http.exchange import (
    COOKIE,
    HAND_FORMATS,
    Entry,
    Settle,
    body_of,
    format_of,
    is_current,
    page_of,
    same_origin,
)
from poker_actors.server.http.openapi import document, push_document
from poker_actors.server.http.typescript import client
from poker_actors.server.live import (
    SESSION_SECONDS,
    Hands,
    Metrics,
    Tournaments,
    Views,
    ledger,
    ledger_lines,
    read_announced,
)
from poker_actors.server.live.metrics import CONTENT_TYPE
from poker_actors.server.shapes import object_of, read
from poker_actors.version import __version__

_FORMATS: Final = {
    "html": ("text/html; charset=utf-8", "html"),
    "json": ("application/json", "jsonl"),
    "phh": ("text/plain; charset=utf-8", "phh"),
}
"""The formats of a hand history: one of `HAND_FORMATS` -> Content-Type and name here."""
_ATTRIBUTES: Final = "Path=/; HttpOnly; SameSite=Strict"


class LiveRoutes:
    """The routes that HSPE does not have. They raise refusals, which the caller answers."""

    def __init__(
        self,
        lobby: Lobby,
        entry: Entry,
        profile: Profile,
        views: Views,
        settle: Settle,
        metrics: Metrics,
        hands: Hands,
        *,
        arena: bool = False,
    ) -> None:
        self._lobby = lobby
        self._entry = entry
        told, pushed = document(profile, __version__, arena=arena), push_document(__version__)
        self._document, self._pushed = plain_answer(200, told), plain_answer(200, pushed)
        self._client = Response(
            client(told, pushed), 200, {"content-type": TEXT, "cache-control": "no-cache"}
        )
        self._views = views
        self._settle = settle
        self._metrics = metrics
        self._hands = hands

    async def log_in(self, request: Request) -> Response:
        """Exchange a password, sent as basic authentication or as JSON, for a cookie."""
        same_origin(request)
        basic, body = "authorization" in request.headers, await body_of(request)
        given = None if basic and not body else _login(body)
        user = await (
            self._entry.user(request)
            if basic or given is None
            else self._entry.prove(request, given["name"], given["password"])
        )
        token = self._entry.sessions.begin(user)
        secure = "; Secure" if request.url.scheme == "https" else ""
        cookie = f"{COOKIE}={token}; {_ATTRIBUTES}; Max-Age={SESSION_SECONDS}{secure}"
        return text_answer(204, "", set_cookie=cookie)

    async def who(self, request: Request) -> Response:
        """Return the name and id of the logged-in user."""
        user = await self._entry.user(request)
        return plain_answer(200, answers.Who(name=user.name, player_id=user.id))

    async def log_out(self, request: Request) -> Response:
        """End the session of the cookie."""
        same_origin(request)
        token = request.cookies.get(COOKIE)
        if token:
            self._entry.sessions.end(token)
        return text_answer(204, "", set_cookie=f"{COOKIE}=; {_ATTRIBUTES}; Max-Age=0")

    async def lobby(self, request: Request) -> Response:
        """Return all games and their players."""
        page, tag = page_of(request), self._views.tag("l", self._lobby.version, None)
        if is_current(request, tag):
            return unchanged(tag)
        return list_answer(request, self._views.lobby(page) + b"\n", tag)

    async def table(self, request: Request) -> Response:
        """Return the picture of a game."""
        user = await self._entry.user_if_any(request)
        game = self._game(request)
        owner = None if user is None else user.id
        tag = self._views.game_tag("t", game, owner)
        if is_current(request, tag):
            return unchanged(tag)
        return view_answer(self._views.table(game, owner, self._lobby.now()) + b"\n", tag)

    async def act(self, request: Request) -> Response:
        """Take a turn with an action of the rules."""
        user = await self._entry.user(request)
        game = self._game(request)
        move, key = read_move(await body_of(request))
        hand_id, seq = self._settle(lambda: game.take(user.id, move, key))
        self._metrics.acted(game, move.act)
        return plain_answer(200, answers.Acted(hand_id=hand_id, seq=seq))

    async def sit(self, request: Request) -> Response:
        """Sit out, sit in or wait for the big blind, top up, show cards, or leave after this hand."""
        user = await self._entry.user(request)
        game = self._game(request)
        do = read(bodies.Sitting, await body_of(request))["do"]
        if do == "top_up":
            return plain_answer(200, answers.Sat(added=self._settle(lambda: game.top_up(user.id))))
        if do == "show":
            self._settle(lambda: game.show(user.id))
            return plain_answer(200, answers.Sat(shown=True))
        if do in ("leave_after_hand", "stay"):
            leave = do == "leave_after_hand"
            self._settle(lambda: game.leave_after_hand(user.id, leave=leave))
            return plain_answer(200, answers.Sat(leaves=leave))
        if do == "wait_for_big_blind":
            self._settle(lambda: game.sit_out(user.id, out=False, wait=True))
            return plain_answer(200, answers.Sat(away=False, waits=True))
        self._settle(lambda: game.sit_out(user.id, out=do == "sit_out"))
        return plain_answer(200, answers.Sat(away=do == "sit_out"))

    async def plan(self, request: Request) -> Response:
        """Plan the next turn in advance."""
        user = await self._entry.user(request)
        game = self._game(request)
        plan, hand_id = read_plan(await body_of(request))
        self._settle(lambda: game.plan(user.id, plan, hand_id))
        return plain_answer(200, answers.Planned(plan=plan))

    async def planned(self, request: Request) -> Response:
        """Return the user's plan for the next turn."""
        user = await self._entry.user(request)
        return plain_answer(200, answers.Planned(plan=self._game(request).planned(user.id)))

    async def heard(self, request: Request) -> Response:
        """Return the last hand start and hand end that the user was told here."""
        user = await self._entry.user(request)
        return plain_answer(200, self._game(request).told.of(user.id))

    async def ledger(self, request: Request) -> Response:
        """Return who owes whom."""
        user = await self._entry.user(request)
        return plain_answer(200, self._settle(lambda: ledger(self._lobby, self._game(request), user)))

    async def ledger_file(self, request: Request) -> Response:
        """Return the ledger as comma-separated values."""
        user = await self._entry.user(request)
        told = self._settle(lambda: ledger(self._lobby, self._game(request), user))
        kept = {
            "content-disposition": 'attachment; filename="ledger.csv"',
            "cache-control": "private, no-store",
        }
        return Response(ledger_lines(told), 200, {"content-type": "text/csv; charset=utf-8", **kept})

    async def say(self, request: Request) -> Response:
        """Say something at the user's table."""
        user = await self._entry.user(request)
        text, emote = read_saying(await body_of(request))
        game_id = request.path_params["game_id"]

        self._lobby.check_talk(user, game_id)  # first: what is refused costs nothing of the lines a minute
        self._entry.door.guard.lines.take(user.id)
        return plain_answer(201, self._settle(lambda: self._lobby.say(user, game_id, text, emote)))

    async def choose(self, request: Request) -> Response:
        """Name the game of the next hands, in dealer's choice."""
        user = await self._entry.user(request)
        game = self._game(request)
        name = read(bodies.Choice, await body_of(request))["game"]
        self._settle(lambda: game.choose(user.id, name))
        return plain_answer(200, answers.Chosen(game=name))

    async def seat_house(self, request: Request) -> Response:
        """Fill seats with house players."""
        user = await self._entry.user(request)
        game_id = request.path_params["game_id"]
        bots = read_wish(await body_of(request))
        seated = self._settle(lambda: self._lobby.seat_house(user, game_id, bots))
        return plain_answer(201, answers.Seated(seated=seated))

    async def send_house_away(self, request: Request) -> Response:
        """Make the house players leave."""
        user = await self._entry.user(request)
        game_id = request.path_params["game_id"]
        self._settle(lambda: self._lobby.send_house_away(user, game_id))
        return text_answer(204, "")

    async def hands(self, request: Request) -> Response:
        """List the last hands of a table."""
        user = await self._entry.user_if_any(request)
        table = request.path_params["game_id"]
        return plain_answer(200, self._hands.told(table, None if user is None else user.id))

    async def hand(self, request: Request) -> Response:
        """Return the history of a hand to a player who was dealt in."""
        user = await self._entry.user(request)
        name = format_of(request, HAND_FORMATS)
        kind, form = _FORMATS[name]
        hand_id = request.path_params["hand_id"].rstrip("/")
        text = self._hands.text(request.path_params["game_id"], hand_id, user.id, form)
        policy = {"content-security-policy": HANDS_POLICY} if name == "html" else {}
        return Response(text, 200, {"content-type": kind, "cache-control": "private, no-store", **policy})

    async def metrics(self, request: Request) -> Response:
        """Return the server's counts, for Prometheus."""
        text = self._metrics.text(sessions=len(self._entry.sessions), users=len(self._lobby.users))
        return Response(text, 200, {"content-type": CONTENT_TYPE, "cache-control": "no-store"})

    async def described(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return self._document

    async def push_described(self, request: Request) -> Response:
        """Return the AsyncAPI document."""
        return self._pushed

    async def client(self, request: Request) -> Response:
        """Return the client in TypeScript."""
        return self._client

    def _game(self, request: Request) -> Game:
        return self._lobby.game(request.path_params["game_id"])


def _login(body: bytes) -> bodies.Login:
    """Read a name and a password; raises `BadSpec`, or `TableRefusal` if there is no object at all."""
    if object_of(body) is None:
        raise TableRefusal('log in with {"name": "...", "password": "..."}', code="no_credentials")
    return read(bodies.Login, body)


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
