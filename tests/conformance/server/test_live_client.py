"""The two clients against the real server: the same calls, to wait for and to await, and pictures as they come."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

import pytest

from poker_actors.errors import MissingExtra
from poker_actors.server import AsyncClient, Client, ServerRefusal
from poker_actors.wire.framing import at_once
from poker_actors.wire.hspe.routes import Call, Routes

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site

T = TypeVar("T")


def test_both_clients_have_the_same_calls() -> None:
    def asked(client: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(client, inspect.isfunction)
        return {name: [*inspect.signature(method).parameters] for name, method in methods if name[0] != "_"}

    both = asked(AsyncClient)
    assert both.pop("pictures")
    assert both == asked(Client)


def test_a_hand_is_played_by_calls(readme: Site) -> None:
    (ann, _), (bob, _) = readme.user(), readme.user()
    with Client(readme.url, ann, "secret") as one, Client(readme.url, bob, "secret") as two:
        game = one.make(small_blind=1, big_blind=2, buy_in=100, seats=3)["gameID"]
        assert game in [found["game"] for found in one.lobby()["games"]]
        two.join(game)
        assert one.seat_house(game, "caller", "tight") == ["caller 1"], "as many as there are seats"
        one.send_house_away(game)
        assert two.say(game, "hello there")["text"] == "hello there"
        assert one.say(game, emote="wow")["emote"] == "wow"
        assert [line["name"] for line in one.table(game)["chat"]] == [bob, ann]
        with pytest.raises(ServerRefusal) as caught:
            one.say(game, "two\nlines")
        assert (caught.value.status, caught.value.code) == (400, "bad_spec")
        readme.until(lambda: one.table(game)["turn"] is not None)
        first = one.table(game)
        turn = first["seats"][first["turn"]["seat"]]["player_id"]
        client = one if turn == one.player_id else two
        key = client.act(game, "raise_to", 6)
        assert key == (first["hand_id"], first["seq"])
        assert client.act(game, "raise_to", 6, key=key) == key, "sent again, answered as at first"
        other = two if client is one else one
        with pytest.raises(ServerRefusal) as caught:
            client.act(game, "raise_to", 9, key=key)
        assert (caught.value.status, caught.value.code) == (409, "stale_action")
        other.act(game, "fold")
        readme.until(lambda: bool(one.hands(game)))
        hand = one.hands(game)[0]
        assert sorted(one.hand(game, hand["hand_id"])["players"]) == sorted([ann, bob])


def test_whoever_wants_it_is_listed_on_the_board_of_players(readme: Site) -> None:
    ann, _ = readme.user()
    with Client(readme.url, ann, "secret") as one:
        assert readme.ask("GET", "/account/board", ann).json == {"listed": False}
        assert one.list_on_board() is True
        assert readme.ask("GET", "/account/board", ann).json == {"listed": True}
        assert one.list_on_board(listed=False) is False
        assert readme.ask("GET", "/account/board", ann).json == {"listed": False}
        told = one.players_board()
    assert [told[span]["players"] for span in ("week", "month", "all")] == [[], [], []]
    answer = readme.ask("GET", "/board")
    assert answer.json == told
    again = readme.ask("GET", "/board", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert readme.ask("POST", "/account/board", body={"listed": True}).status == 401
    assert readme.ask("POST", "/account/board", ann, {"listed": "yes"}).status == 400


def test_who_owes_whom_is_asked_by_calls_and_saved_as_a_file(readme: Site) -> None:
    (ann, _), (bob, _), (eve, _) = readme.user(), readme.user(), readme.user()
    with Client(readme.url, ann, "secret") as one, Client(readme.url, eve, "secret") as other:
        game = one.make(private=True, ledger=True, buy_in=500)["gameID"]
        with Client(readme.url, bob, "secret") as two:
            two.join(game)
            assert two.ledger(game) == one.ledger(game)
        assert one.table(game)["ledger"] is True
        assert [found["game"] for found in other.lobby()["games"]].count(game) == 0
        assert [line["name"] for line in one.ledger(game)["players"]] == [ann, bob]
        with pytest.raises(ServerRefusal) as caught:
            other.ledger(game)
        assert (caught.value.status, caught.value.code) == (403, "not_yours")
        open_to_all = other.make()["gameID"]
        with pytest.raises(ServerRefusal) as caught:
            other.ledger(open_to_all)
        assert (caught.value.status, caught.value.code) == (404, "no_ledger")
        with pytest.raises(ServerRefusal, match="ledger: only a private table has one"):
            other.make(ledger=True)
    saved = readme.ask("GET", f"/games/{game}/ledger.csv", ann)
    assert saved.headers["content-type"] == "text/csv; charset=utf-8"
    assert saved.text.splitlines()[:2] == ["player,buy-ins,bought,cashed,stack,net", f"{ann},1,500,0,500,0"]
    for name, status in ((None, 401), (eve, 403)):
        for path in ("ledger", "ledger.csv"):
            assert readme.ask("GET", f"/games/{game}/{path}", name).status == status


def test_a_turn_is_decided_before_it_comes_and_a_tournament_played_by_calls(readme: Site) -> None:
    (ann, _), (bob, _) = readme.user(), readme.user()
    with Client(readme.url, ann, "secret") as one, Client(readme.url, bob, "secret") as two:
        event = one.make_tournament(name="By calls", players=3, turn_seconds=120)
        assert event in [found["id"] for found in two.tournaments()]
        for _ in range(2):
            two.enter_tournament(event)
            assert two.tournament(event)["in"]
            two.leave_tournament(event)
        two.enter_tournament(event)
        one.fill_tournament(event)
        table = one.tournament(event)["table"]
        assert two.tournament(event)["table"] == table

        def waits() -> Client | None:
            """Whoever plays the hand and is not to act, while the other one is."""
            for asked, other in ((one, two), (two, one)):
                legal, cards = (client.table(table)["you"] for client in (asked, other))
                if legal and legal["legal"] and cards and cards["cards"]:
                    return other
            return None

        readme.until(lambda: waits() is not None)
        planner = waits()
        assert planner is not None
        planner.plan(table, "check_fold", hand_id=planner.table(table)["hand_id"])
        assert planner.planned(table) == "check_fold"
        planner.plan(table, None)
        assert planner.planned(table) is None


def test_a_hand_is_played_by_what_is_pushed(readme: Site, runner: asyncio.Runner) -> None:
    (ann, _), (bob, _) = readme.user(), readme.user()

    async def play(client: AsyncClient, game: str, hands: int) -> list[str]:
        """Check or call whenever it is one's turn; gives the winners' names."""
        won: dict[str, str] = {}
        async with aclosing(client.pictures(game)) as pictures:
            async for picture in pictures:
                if picture["winners"] and picture["over"]:
                    won[picture["hand_id"]] = picture["winners"][0]["name"]
                if len(won) >= hands:
                    return list(won.values())
                legal = picture["you"] and picture["you"]["legal"]
                if legal:
                    key = (picture["hand_id"], picture["seq"])
                    assert await client.act(game, "check" if legal["check"] else "call", key=key) == key
        raise AssertionError

    async def run() -> tuple[list[str], list[str]]:
        async with (
            AsyncClient(readme.url, ann, "secret") as one,
            AsyncClient(readme.url, bob, "secret") as two,
        ):
            game = (await one.make(seats=2, pause=0.2))["gameID"]
            await two.join(game)
            async with asyncio.timeout(60):
                return await asyncio.gather(play(one, game, 2), play(two, game, 2))

    first, second = runner.run(run())
    assert first == second
    assert {*first} <= {ann, bob}


def test_pictures_go_on_after_the_server_was_killed_and_started_again(sites: Callable[..., Site]) -> None:
    site = sites()
    game, players = site.game()
    name = next(iter(players.values()))

    async def watch() -> tuple[str, str]:
        client = AsyncClient(site.url, name, "secret")
        async with client, aclosing(client.pictures(game)) as pictures:
            before = await anext(pictures)
            await asyncio.to_thread(site.kill)
            again = await asyncio.to_thread(lambda: sites(port=site.port))
            assert again.port == site.port
            async for after in pictures:
                if after["turn"] is not None:
                    return str(before["hand_id"]), str(after["hand_id"])
        raise AssertionError

    before, after = asyncio.run(watch())
    assert before == after


def test_what_a_server_refuses_is_raised_with_status_and_code(readme: Site) -> None:
    name, _ = readme.user()

    async def ask() -> ServerRefusal:
        async with AsyncClient(readme.url, name, "secret") as client:
            with pytest.raises(ServerRefusal):
                await client.game("nowhere")
            with pytest.raises(ServerRefusal):
                await anext(client.pictures("nowhere"))
            with pytest.raises(ServerRefusal) as caught:
                await client.table("no/where")
        return caught.value

    refused = asyncio.run(ask())
    assert refused.status == 404
    with Client(readme.url, name, "secret") as client:
        with pytest.raises(ServerRefusal) as caught:
            client.table("nowhere")
        assert (caught.value.status, caught.value.code) == (404, "no_game")
        with pytest.raises(ServerRefusal) as caught:
            client.game("nowhere")
        assert str(caught.value) == "404: Game not found."


def test_a_server_that_is_not_there_is_an_error_of_the_connection() -> None:
    async def ask() -> None:
        async with AsyncClient("http://127.0.0.1:1", "ann", "secret") as client:
            with pytest.raises(ConnectionError):
                await client.games()
            with pytest.raises(ConnectionError):
                await anext(client.pictures("x", lost_seconds=0))

    asyncio.run(ask())


def test_without_its_library_the_awaited_client_says_which_extra_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)

    async def run() -> None:
        client = AsyncClient("http://127.0.0.1:1", "ann", "secret")
        with pytest.raises(MissingExtra, match=r"\[server\]"):
            await client.games()
        with pytest.raises(MissingExtra, match=r"\[server\]"):
            await anext(client.pictures("game"))

    asyncio.run(run())


class Answering(Routes):
    """A client without a socket, which is given one answer."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__("http://x", "ann", "secret")
        self.answer = status, body

    async def _ask(self, call: Call[T]) -> T:
        return call.answered(*self.answer)


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"x"), (200, b"[]"), (200, b'{"seated": 1}'), (200, b"null"), (500, b"{}"), (404, b"[1]")],
)
def test_an_answer_that_is_none_is_refused(status: int, body: bytes) -> None:
    with pytest.raises(ServerRefusal) as caught:
        at_once(Routes.seat_house(Answering(status, body), "g", "tight"))
    assert caught.value.status == status
