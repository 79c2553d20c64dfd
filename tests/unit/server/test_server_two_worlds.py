"""Two worlds that differ only in cards nobody else may see: everybody else is sent the same bytes, everywhere.

The application is driven without sockets, by a clock that the test turns, with ids that are counted.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import logging
import re
import uuid
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from poker_actors.actors import LiveHand, Table
from poker_actors.actors.table.messages import Deal
from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.guard import Guard
from poker_actors.server import GO, README, Profile
from poker_actors.server.hspe import Game
from poker_actors.server.http import build_app
from poker_actors.server.http.exchange import Door
from poker_actors.server.http.openapi import document
from poker_actors.server.live import sessions, views
from poker_actors.testing import Witness
from poker_actors.wire.mcp import AgentDoor

if TYPE_CHECKING:
    from tests.unit.server.conftest import House

NAMES = ("ann", "bob", "cyd", "dan")
STRANGER = "eve"
NOBODY = ""
WATCHING = (*NAMES, STRANGER, NOBODY)
PLACES = {
    "game_id": "GAME", "hand_id": "hand-000000000", "player_id": "GAME", "tournament_id": "nowhere", "session_id": "x",
    "token": "Zm9yIHNoYXJlZCBoYW5kcw",
}  # fmt: skip
"""What parameters of paths are asked with; GAME is the id of the game."""
PATHS: dict[str, dict[str, Any]] = {
    path.format(**PLACES): methods for path, methods in document(README, "0")["paths"].items()
}
LISTENS = ("/games/GAME/stream", "/games/GAME/socket", "/lobby/stream")
LOOKS = sorted(path for path, methods in PATHS.items() if "get" in methods and path not in LISTENS)
"""Every route of the document that is only looked at; streams are listened to."""
LASTS = ("DELETE /games/GAME/players/GAME", "DELETE /account")
"""What ends a place at the table, and an account."""
DOES = sorted(
    (f"{method.upper()} {path}" for path, methods in PATHS.items() for method in methods if method != "get"),
    key=lambda route: route in LASTS and LASTS.index(route) + 1,
)
"""Every route of the document that does something."""
BODIES: dict[str, dict[str, Any]] = {
    "POST /session": {"name": "WHO", "password": "secret"},
    "POST /account/password": {"old": "secret", "new": "secret"},
    "POST /shared": {"game": "GAME", "hand_id": "GAME/hand-000000000"},
}
"""What is asked for in place of the document's example."""


@attrs.define(eq=False)
class World:
    """What came of a hand: everything each of `WATCHING` was sent, in order, and the log."""

    sent: dict[str, list[bytes]] = attrs.field(factory=lambda: defaultdict(list))
    log: list[str] = attrs.field(factory=list)
    folded: list[str] = attrs.field(factory=list)
    """who has given up the hand, so that nobody else has seen the cards"""
    holes: dict[str, tuple[Card, ...]] = attrs.field(factory=dict)
    game: str = ""

    def of(self, route: str, who: str) -> list[bytes]:
        """Return what a route has sent somebody."""
        head = route.replace("GAME", self.game).encode()
        return [one for one in self.sent[who] if one.partition(b"\n")[0].partition(b"?")[0] == head]


class Web:
    """Requests to the application, each as bytes of everything that comes back."""

    def __init__(self, app: Any, world: World) -> None:
        self.app = app
        self.world = world
        self.tasks: list[asyncio.Task[None]] = []
        self.leaving = asyncio.Event()
        self.pushed: list[tuple[str, list[bytes]]] = []
        """what each stream and socket was sent, and whose it is"""

    def scope(self, kind: str, method: str, path: str, who: str) -> dict[str, Any]:
        headers = [
            (b"host", b"world"),
            (b"content-type", b"application/json"),
            (b"accept", b"application/json, */*"),
        ]
        if who:
            headers.append((b"authorization", b"Basic " + base64.b64encode(f"{who}:secret".encode())))
        path, _, query = path.partition("?")
        return {
            "type": kind, "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
            "headers": headers, "scheme": "http", "http_version": "1.1", "root_path": "", "server": ("world", 80),
            "client": ("127.0.0.1", 1), "state": {}, "subprotocols": [], "asgi": {"version": "3.0"},
        }  # fmt: skip

    async def ask(self, method: str, path: str, who: str, body: object = None) -> bytes:
        """Ask, and note the answer in the world's transcript of `who`."""
        sent: list[bytes] = []
        raw = b"" if body is None else json.dumps(body).encode()
        messages = [{"type": "http.request", "body": raw}]

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await self.leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                sent.append(b"%d %r" % (message["status"], sorted(message["headers"])))
            else:
                sent.append(message["body"])

        scope = self.scope("http", method, path, who)
        scope["headers"].append((b"content-length", b"%d" % len(raw)))
        await self.app(scope, receive, send)
        whole = b"\n".join([f"{method} {path}".encode(), *sent])
        self.world.sent[who].append(whole)
        return sent[-1]

    def listen(self, path: str, who: str) -> None:
        """Open a stream or a socket; everything it is sent goes into the transcript."""
        kind = "websocket" if path.endswith("/socket") else "http"
        hello = (
            {"type": "websocket.connect"} if kind == "websocket" else {"type": "http.request", "body": b""}
        )
        messages = [hello]
        pushed: list[bytes] = []
        self.pushed.append((who, pushed))

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await self.leaving.wait()
            return {"type": f"{kind}.disconnect", "code": 1000}

        async def send(message: dict[str, Any]) -> None:
            pushed.append(f"GET {path}\n{sorted(message.items())}".encode())

        self.tasks.append(asyncio.ensure_future(self.app(self.scope(kind, "GET", path, who), receive, send)))

    async def leave(self) -> None:
        self.leaving.set()
        await asyncio.gather(*self.tasks)
        for who, pushed in self.pushed:
            assert len(pushed) > 5, "a hand is more than that"
            self.world.sent[who] += pushed


async def look_around(web: Web, game: str) -> None:
    """Have everybody ask for everything there is."""
    for who in WATCHING:
        more = (
            f"/games/{game}/hands/x",
            f"/games/{game}/hands/hand-000000000?format=phh",
            "/",
            "/static/js/table.js",
            "/nowhere",
        )
        for path in (*[one.replace("GAME", game) for one in LOOKS], *more):
            await web.ask("GET", path, who)
        for tool in ("look", "my_hands"):
            called = {"name": tool, "arguments": {"table": game}}
            told = await web.ask(
                "POST", "/mcp", who, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
            )
            assert b'"isError":' in told
        await web.ask("POST", f"/games/{game}/actions", who, {"act": "peek"})
        if who not in NAMES:
            await web.ask("POST", f"/games/{game}/actions", who, {"act": "fold"})


async def do_everything(web: Web, game: str) -> None:
    """Have everybody try everything there is to be done; what is refused now answers all the same."""
    for route in DOES:
        method, _, path = route.partition(" ")
        takes = PATHS[path][method.lower()].get("requestBody", {"content": {}})["content"]
        body = BODIES.get(route, takes.get("application/json", {}).get("example"))
        for who in WATCHING:
            asked = json.dumps(body).replace("GAME", game).replace("WHO", who)
            await web.ask(method, path.replace("GAME", game), who, json.loads(asked))


async def one_turn(web: Web, house: House, game: Game, luck: Random) -> None:
    """Have whoever is to act do something at random, by either route; now and then something wrong first."""
    assert game.turn is not None
    state = game.turn.state
    who = game.roster.name_of(game.turn.user)
    other = luck.choice([name for name in NAMES if name != who])
    await web.ask("POST", f"/games/{game.id}/actions", other, {"act": "call"})
    await web.ask("POST", f"/games/{game.id}/actions", who, {"act": "raise_to", "amount": 1})
    legal = state.legal
    act: dict[str, Any] = {"act": "check" if legal.can_check else "call"}
    chance = luck.random()
    if state.seq == 0 or (chance < 0.25 and len(state.public.live) > 2):
        act = {"act": "fold"}
    elif chance < 0.45 and legal.can_raise:
        act = {"act": "raise_to", "amount": luck.choice([legal.min_raise_to, legal.max_raise_to])}
    if luck.random() < 0.3:
        amount = {"fold": None, "check": 0, "call": legal.to_call}.get(act["act"], -1)
        order = {"action": 0} if amount is None else {"action": 1, "betAmount": amount}
        await web.ask("POST", f"/games/{game.id}/players/{game.turn.user}/acts/", who, order)
    else:
        await web.ask("POST", f"/games/{game.id}/actions", who, act)
    house.run()
    for _ in range(20):  # everybody who listens is sent what is new
        await asyncio.sleep(0)


class Leak:
    """An application with a fault planted: whatever it sends has everybody's hole cards behind it."""

    def __init__(self, app: Any, house: House) -> None:
        self.app, self.house = app, house

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def leaking(message: dict[str, Any]) -> None:
            games = self.house.lobby.games.values()
            told = "".join(str(state.hole) for game in games for state in game.dealt.values())
            if message["type"] == "http.response.body":
                message = message | {"body": message.get("body", b"") + told.encode()}
            elif message["type"] == "websocket.send":
                message = message | {"text": message["text"] + told}
            await send(message)

        await self.app(scope, receive, leaking)


async def play(house: House, luck: Random, profile: Profile, *, leak: bool = False) -> World:
    """Play one hand of four, watched by everybody in every way."""
    world = World()
    door = Door(house.users, Guard())

    def settle(command: Callable[[], Any]) -> Any:
        given = command()
        house.runtime.run()  # and the clock stands still, so that all four are dealt in
        return given

    app = build_app(house.lobby, door, profile, settle)
    agents = AgentDoor(app)
    await agents.start()
    web = Web(Leak(agents, house) if leak else agents, world)
    for name in (*NAMES, STRANGER):
        await web.ask("POST", "/users/", name)
    made = json.loads(await web.ask("POST", "/games/", NAMES[0], {"name": "two worlds", "pause": 60}))
    game = house.lobby.games[made["gameID"]]
    world.game = game.id
    for name in NAMES[1:]:
        await web.ask("POST", f"/games/{game.id}/players/", name)
    for who in WATCHING:
        for path in LISTENS:
            web.listen(path.replace("GAME", game.id), who)
    house.run()
    while game.turn is not None:
        if luck.random() < 0.4:
            await look_around(web, game.id)
        await one_turn(web, house, game, luck)
        assert len(world.log) < 1_000, "the hand comes to its end"
        world.log.append(repr((house.lobby, house.room, game, game.turn, game.public)))
    await look_around(web, game.id)
    public = game.public
    assert public is not None
    assert len(game.dealt) == len(NAMES)
    world.folded = [member.user.name for seat, member in sorted(game.at.items()) if seat not in public.live]
    world.holes = {game.roster.name_of(user): state.hole for user, state in game.dealt.items()}
    await do_everything(web, game.id)
    await web.leave()
    await agents.close()
    house.lobby.close()
    door.guard.close()
    return world


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time passes but the test's."""
    monkeypatch.setattr("poker_actors.server.http.app.time", SimpleNamespace(perf_counter=lambda: 0.0))
    monkeypatch.setattr("poker_actors.server.http.push._LOBBY_SECONDS", 0.0)
    monkeypatch.setattr(views, "secrets", SimpleNamespace(token_hex=lambda size: "run"))


def one_world(
    house: type[House],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    deck: Callable[[], Deck],
    luck: Random,
    profile: Profile,
    *,
    leak: bool = False,
) -> World:
    """Play in a world with this deck, whose room keeps its word; its ids are counted, so that they are those of any other."""
    witness = Witness()
    numbers = itertools.count(1)
    monkeypatch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=next(numbers)))
    token = SimpleNamespace(token_urlsafe=lambda size: f"{next(numbers):022}")
    monkeypatch.setattr(sessions, "secrets", token)
    monkeypatch.setattr(Table, "deal", lambda table, game=None: LiveHand(table.ask(Deal(deck()))))
    caplog.clear()
    here = house(runtime=witness.stepper())
    with here.room:
        world = asyncio.run(play(here, luck, profile, leak=leak))
    witness.hold()
    assert witness.checked["actions"]
    world.log += [re.sub(r"urn:poker-actors:\d+", "urn", record.getMessage()) for record in caplog.records]
    return world


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(
    ("seed", "profile"),
    [(0, README), (1, GO), (2, README), (3, GO)],
    ids=["0-readme", "1-go", "2-readme", "3-go"],
)
def test_whatever_differs_only_in_hidden_cards_is_the_same_bytes_to_everybody_else(
    house: House,
    seed: int,
    profile: Profile,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    cards = Random(seed).sample(STANDARD_DECK, 15)
    holes, board, spare = [cards[place : place + 2] for place in (0, 2, 4, 6)], cards[8:13], cards[13:]
    first = one_world(
        type(house), monkeypatch, caplog, partial(Deck.stacked, holes, board), Random(seed), profile
    )
    assert first.folded, "somebody has cards nobody else has seen"
    for secret in first.folded:
        others = [spare if tuple(hole) == first.holes[secret] else hole for hole in holes]
        second = one_world(
            type(house), monkeypatch, caplog, partial(Deck.stacked, others, board), Random(seed), profile
        )
        assert second.holes[secret] == tuple(spare)
        assert second.sent[secret] != first.sent[secret], "the player's own cards differ, and are sent"
        for who in WATCHING:
            if who != secret:
                assert second.sent[who] == first.sent[who]
        assert second.log == first.log


@pytest.mark.usefixtures("still")
def test_a_leak_is_found_wherever_it_is_planted(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cards = Random(0).sample(STANDARD_DECK, 15)
    holes, board, spare = [cards[place : place + 2] for place in (0, 2, 4, 6)], cards[8:13], cards[13:]

    def sent(dealt: list[list[Card]]) -> World:
        deck = partial(Deck.stacked, dealt, board)
        return one_world(type(house), monkeypatch, caplog, deck, Random(0), README, leak=True)

    first = sent(holes)
    secret = first.folded[0]
    second = sent([spare if tuple(hole) == first.holes[secret] else hole for hole in holes])
    routes = [*(f"GET {path}" for path in (*LOOKS, *LISTENS)), *DOES, "POST /mcp"]
    assert len(routes) > 50
    found = [
        (first.of(route, who) != second.of(route, who), route, who) for route in routes for who in WATCHING
    ]
    assert [one for one in found if not one[0]] == []
