"""A table with a delay: whoever does not sit sees the past by every way there is to look."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import uuid
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.actors import LiveHand, Table
from poker_actors.actors.table.messages import Deal
from poker_actors.cards import STANDARD_DECK, Deck
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.guard import Guard
from poker_actors.server import GO, README, Profile
from poker_actors.server.hspe import Game, Lobby, NamedAction, Setting, players_json
from poker_actors.server.http import build_app
from poker_actors.server.http.exchange import Door
from poker_actors.server.http.push import Feed
from poker_actors.server.live import Hands, Metrics, Results, Views
from poker_actors.server.live.views import _summary
from poker_actors.wire.mcp import AgentDoor
from tests.unit.server.conftest import table
from tests.unit.server.test_server_two_worlds import LISTENS, LOOKS, Leak, Web, World, still

if TYPE_CHECKING:
    from tests.unit.server.conftest import House

__all__ = ["still"]

DELAY = 60.0
SEATED = ("ann", "bob", "cyd")
LEAVER, WAITS, STRANGER, NOBODY = "cyd", "dan", "eve", ""
OUTSIDE = (LEAVER, WAITS, STRANGER, NOBODY)
"""Who looks without a seat: one has just given it up in the hand, one waits for it."""
HANDS: list[list[dict[str, Any] | None]] = [
    [{"act": "raise_to", "amount": 100}, None, {"act": "fold"}, None],
    [None, {"act": "all_in"}, None, {"act": "call"}],
]
"""Two hands, by what whoever is to act does in each second: as many acts, at other times and with another end."""


class Outside(Web):
    """Requests of those outside, each asked again with the tag of its answer."""

    tag: bytes | None = None

    def scope(self, kind: str, method: str, path: str, who: str) -> dict[str, Any]:
        scope = super().scope(kind, method, path, who)
        if self.tag is not None:
            scope["headers"].append((b"if-none-match", self.tag))
        return scope

    async def look(self, path: str, who: str) -> None:
        await self.ask("GET", path, who)
        found = re.search(rb"b'etag', b'([^']+)'", self.world.sent[who][-1])
        if found is not None:
            self.tag = found[1]
            await self.ask("GET", path, who)
            self.tag = None

    async def look_around(self, game: str, who: str) -> None:
        """Look everywhere, and try what only players may."""
        more = (
            f"/games/{game}/hands/hand-000000000?format=phh",
            f"/games/{game}/table?wait=0.001&after=0",
            "/lobby?free=1",
            "/lobby?name=ann&limit=5",
            "/games/?limit=5&free=1",
            "/games/?limit=5&name=bob",
        )
        for path in (*[one.replace("GAME", game) for one in LOOKS], *more):
            await self.look(path, who)
        for tool in ("look", "my_hands", "list_tables", "wait_for_turn"):
            arguments = {} if tool == "list_tables" else {"table": game}
            called = {
                "name": tool,
                "arguments": arguments | ({"seconds": 0} if tool == "wait_for_turn" else {}),
            }
            asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
            assert b'"isError":' in await self.ask("POST", "/mcp", who, asked)
        await self.ask("POST", f"/games/{game}/plan", who, {"plan": "check_fold"})
        await self.ask("POST", "/shared", who, {"game": game, "hand_id": "hand-000000000"})
        await self.ask("POST", f"/games/{game}/actions", who, {"act": "fold"})

    def take_pushed(self) -> None:
        for who, pushed in self.pushed:
            self.world.sent[who] += pushed
            pushed.clear()


async def settle(house: House, seconds: float = 0.0) -> None:
    """Let time pass, and everybody be sent what is new."""
    house.run(seconds)
    for _ in range(30):
        await asyncio.sleep(0)


async def play(
    house: House, acts: list[dict[str, Any] | None], profile: Profile, *, leak: bool
) -> tuple[World, World]:
    """Play a hand of three by these acts; return what those outside are sent before the delay is over, and after."""
    before, after = World(), World()
    door = Door(house.users, Guard())

    def done(command: Callable[[], Any]) -> Any:
        given = command()
        house.runtime.run()
        return given

    app = build_app(house.lobby, door, profile, done)
    agents = AgentDoor(app)
    await agents.start()
    players, web = Web(agents, World()), Outside(Leak(agents, house) if leak else agents, before)
    for name in (*SEATED, WAITS, STRANGER):
        await players.ask("POST", "/users/", name)
    asked = {"name": "late", "pause": 60, "seats": 3, "watch_delay": DELAY, "chat": "everyone"}
    game = house.lobby.games[json.loads(await players.ask("POST", "/games/", "ann", asked))["gameID"]]
    before.game = after.game = game.id
    for name in (*SEATED[1:], WAITS):
        await players.ask("POST", f"/games/{game.id}/players/", name)
    for who in OUTSIDE:
        for path in LISTENS:
            web.listen(path.replace("GAME", game.id), who)
    await settle(house)
    leaver = next(user_id for user_id, one in game.roster.playing.items() if one.user.name == LEAVER)
    await players.ask("DELETE", f"/games/{game.id}/players/{leaver}", LEAVER)
    for act in acts:
        await settle(house, 1.0)
        for who in OUTSIDE:
            await web.look_around(game.id, who)
        if act is not None:
            assert game.turn is not None
            name = game.roster.name_of(game.turn.user)
            await players.ask("POST", f"/games/{game.id}/actions", name, act)
            await players.ask("POST", f"/games/{game.id}/chat", name, {"text": f"I do {act}"})
    await settle(house, 1.0)
    assert game.public is not None
    assert game.public.over
    assert game.hands == 1
    for who in OUTSIDE:
        await web.look_around(game.id, who)
    web.take_pushed()
    web.world = after
    await settle(house, DELAY)
    for who in OUTSIDE:
        await web.look_around(game.id, who)
    web.take_pushed()
    for one in (players, web):
        one.leaving.set()
    await asyncio.gather(*web.tasks)
    await agents.close()
    house.lobby.close()
    door.guard.close()
    return before, after


def worlds(
    house: House, monkeypatch: pytest.MonkeyPatch, profile: Profile = README, *, leak: bool = False
) -> list[tuple[World, World]]:
    """Play both hands, which differ in every card, too; ids are counted, so that they are the same."""
    seen = []
    for seed, acts in enumerate(HANDS):
        numbers, here = itertools.count(1), type(house)()
        leavers = [
            card for card in STANDARD_DECK if str(card) in ("Ks", "Kh")
        ]  # seen while sitting, so the same
        cards = Random(seed).sample([card for card in STANDARD_DECK if card not in leavers], 9)
        deck = partial(Deck.stacked, [cards[0:2], leavers, cards[2:4]], cards[4:])
        with here.room, monkeypatch.context() as patched:
            patched.setattr(uuid, "uuid4", lambda numbers=numbers: uuid.UUID(int=next(numbers)))
            patched.setattr(
                Table, "deal", lambda table, game=None, deck=deck: LiveHand(table.ask(Deal(deck())))
            )
            seen.append(asyncio.run(play(here, acts, profile, leak=leak)))
    return seen


def differ(seen: list[tuple[World, World]]) -> set[str]:
    """Return who could tell the two hands apart before the delay was over."""
    (one, _), (other, _) = seen
    assert all(one.sent[who] for who in OUTSIDE)
    return {who for who in OUTSIDE if told(one.sent[who]) != told(other.sent[who])}


def told(sent: list[bytes]) -> list[bytes]:
    """Return what was sent, but for the counts of requests: of the whole server's traffic metrics tell everybody."""
    return [
        re.sub(rb"(poker_request|'content-length').*\n", b"", one) if one.startswith(b"GET /metrics") else one
        for one in sent
    ]


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("profile", [README, GO], ids=["readme", "go"])
def test_nobody_outside_can_tell_one_hand_from_another_before_the_delay_is_over(
    house: House, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = worlds(house, monkeypatch, profile)
    assert differ(seen) == set()
    (_, one), (_, other) = seen
    assert all(one.sent[who] != other.sent[who] for who in OUTSIDE), "and then they all can"


@pytest.mark.usefixtures("still")
def test_a_leak_of_the_present_is_found_wherever_it_is_planted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, _), (other, _) = worlds(house, monkeypatch, leak=True)
    does = ("plan", "actions")
    routes = [
        *(f"GET {path}" for path in (*LOOKS, *LISTENS)),
        *(f"POST {path}" for path in ("/mcp", "/shared", *(f"/games/GAME/{do}" for do in does))),
    ]
    found = [
        (told(one.of(route, who)) != told(other.of(route, who)), route, who)
        for route in routes
        for who in OUTSIDE
    ]
    assert [each for each in found if not each[0]] == []


def _present(game: Game, user_id: str | None) -> bool:
    return True


def _counted(lobby: Lobby, game: Game) -> None:
    lobby.on_behind(game)
    lobby.seen(game)


def _nothing_hidden(*_: object) -> None:
    pass


def _any_hand(*_: object) -> bool:
    return True


def _any_act(metrics: Metrics, game: Game, act: str) -> None:
    metrics.actions[act] += 1


GUARDS: list[tuple[type, str, Any, set[str]]] = [
    (Game, "sees_now", _present, {*OUTSIDE}),
    (Lobby, "changed", _counted, {*OUTSIDE}),
    (Hands, "_may_see", _any_hand, {*OUTSIDE}),
    (Results, "_hide", _nothing_hidden, {LEAVER}),
    (Metrics, "acted", _any_act, {*OUTSIDE}),
    (Views, "listing", lambda views, game: _summary(game), {*OUTSIDE}),
    (Views, "players", lambda views, game: players_json(game, README), {*OUTSIDE}),
    (Views, "mark", lambda views, game, user_id: str(game.version), {*OUTSIDE}),
]
"""What keeps the present from those outside: with any of it gone, who can tell the hands apart."""


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(("kind", "name", "broken", "who"), GUARDS, ids=[one[1] for one in GUARDS])
def test_each_guard_of_the_present_is_needed(
    house: House, kind: type, name: str, broken: Any, who: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, name, broken)
    assert differ(worlds(house, monkeypatch)) >= who


def test_a_table_with_a_delay_is_seen_as_it_was(house: House) -> None:
    game, views, (ann, _bob) = house.game_and_views(watch_delay=DELAY)
    now = table(views, game, ann)
    assert now["hand_id"] is not None
    assert table(views, game, None)["hand_id"] is None
    assert [seat["name"] for seat in table(views, game, None)["seats"]] == [None] * 10
    house.run(DELAY - 0.1)
    assert table(views, game, None)["hand_id"] is None
    assert views.version(game, None) == 0, "by which a request waits for what is new"
    house.run(0.6)
    late = table(views, game, None)
    assert late["hand_id"] == now["hand_id"]
    assert late["turn"]["seat"] == now["turn"]["seat"]
    assert late["now"] == -DELAY, "its clock is that of the past, which the expiry of a turn is given by"
    assert late["you"] is None


def test_who_leaves_sees_the_past_and_who_waits_that_only(house: House) -> None:
    game, views, (ann, bob) = house.game_and_views(watch_delay=DELAY, seats=2)
    dan = house.user("dan")
    house.lobby.join(dan, game.id)
    house.run()
    waits = table(views, game, dan)
    assert waits["you"]["waiting"]
    assert waits["hand_id"] is None
    seated = views.mark(game, bob.id)
    game.leave(bob.id)
    house.run()
    assert views.mark(game, bob.id) == "p0" != seated
    assert table(views, game, bob)["you"] is None
    assert table(views, game, ann)["version"] == game.version


def test_a_past_stays_small_however_fast_a_table_plays(house: House) -> None:
    game, _views, (ann, _) = house.game_and_views(watch_delay=DELAY)
    house.run(1.0)
    calls = len(house.clock.calls)
    for turn in range(1_000):
        game.sit_out(ann.id, out=turn % 2 == 0)
        house.run(0.001)
    assert len(house.clock.calls) <= calls + 3


def test_the_past_of_a_closed_table_is_forgotten_though_somebody_watches_it(house: House) -> None:
    game, views, users = house.game_and_views(watch_delay=DELAY)
    feed = Feed(house.lobby, views)
    with feed.listening(game, partial(views.mark, game, None)):
        for user in users:
            game.leave(user.id)
        house.run(2 * DELAY)
        house.lobby.drop(game)
        house.run(2 * DELAY)
        assert repr(views._pasts) == "<Pasts: of 0 tables>"
        assert table(views, game, None)["hand_id"] is None
        assert repr(views._pasts) == "<Pasts: of 0 tables>"


def test_the_delay_survives_a_restart_and_nothing_from_before_it_is_seen_early(
    reopened: Callable[..., House],
) -> None:
    first = reopened()
    game, views, (ann, _) = first.game_and_views(watch_delay=DELAY)
    again = reopened()
    game = again.lobby.games[game.id]
    assert game.setting.watch_delay == DELAY
    views = Views(again.lobby, README)
    again.run()
    assert table(views, game, None)["hand_id"] is None
    assert table(views, game, ann)["hand_id"] is not None
    again.run(DELAY)
    assert table(views, game, None)["hand_id"] is not None


def test_a_hand_of_a_late_table_is_shared_once_everybody_may_see_it(house: House) -> None:
    hands = Hands(house.lobby)
    game, _, (ann, bob) = house.game_and_views(watch_delay=DELAY)
    hand_id = game.hand_id
    assert game.turn is not None
    game.take(game.turn.user, NamedAction("fold"))
    house.run()
    assert hands.text(game.id, hand_id, ann.id)
    with pytest.raises(TableRefusal, match="spectators see this table 60 s late") as refused:
        hands.shareable(game.id, hand_id, ann.id)
    assert refused.value.code == "too_soon"
    game.leave(bob.id)
    house.run()
    assert hands.of_user(bob.id) == hands.told(game.id, None) == []
    house.run(DELAY + 1)
    assert hands.shareable(game.id, hand_id, ann.id)
    assert len(hands.of_user(bob.id)) == 1


@pytest.mark.parametrize("seconds", [-1, 301, "60", True])
def test_a_delay_is_zero_to_three_hundred_seconds(seconds: Any) -> None:
    with pytest.raises(BadSpec, match="watch_delay"):
        Setting(watch_delay=seconds)
