"""Agents play by the Model Context Protocol: with the SDK's own client, over HTTP and stdio."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from poker_actors.cli import main
from poker_actors.wire.mcp import tools
from tests.conformance.server.conftest import Site, basic


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site("--mcp")
    yield site
    assert site.stop()[0] == 0


class Refused(Exception):
    """What a tool has refused, in its words."""


class Agent:
    """Tools of one connection, by name."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def use(self, tool: str, **given: Any) -> Any:
        result = await self.client.call_tool(tool, given)
        text = getattr(result.content[0], "text", "")
        if result.is_error:
            raise Refused(text)
        return json.loads(text)


@asynccontextmanager
async def agent(site: Site, name: str | None, password: str = "secret") -> AsyncIterator[Agent]:
    headers = {} if name is None else {"authorization": basic(name, password)}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{site.url}/mcp", http_client=http)) as client,
    ):
        yield Agent(client)


async def play_on(one: Agent, table: str, hands: set[str], most: int) -> None:
    """Check, call a little, or fold, until so many hands have been seen: nobody loses all chips so soon."""
    while len(hands) < most:
        view = await one.use("wait_for_turn", table=table, seconds=20)
        hands.add(view["hand_id"])
        if view["status"] == "your_turn":
            costs = {one["action"]: one.get("costs", 0) for one in view["actions"]}
            action = "check" if "check" in costs else "call" if costs.get("call", 99) <= 40 else "fold"
            await one.use("act", table=table, action=action, hand_id=view["hand_id"], seq=view["seq"])
    await one.use("seat", table=table, do="sit_out")  # nobody waits for who has played enough


def test_six_seats_of_agents_and_bots_play_a_match_over_http_and_no_chip_is_lost(site: Site) -> None:
    async def match() -> None:
        async with agent(site, "amy") as amy, agent(site, "ben") as ben, agent(site, "cat") as cat:
            agents = [amy, ben, cat]
            for one in agents:
                await one.use("register")
            view = await amy.use("make_table", name="agents", seats=6, pause=0, think=0)
            among = await amy.use("make_table", name="among friends", ledger=True)
            found = await amy.use("ledger", table=among["table"])
            assert [(one["name"], one["net"]) for one in found["players"]] == [("amy", 0)]
            with pytest.raises(Refused, match=r"^no_ledger: "):
                await amy.use("ledger", table=view["table"])
            table = view["table"]
            for one in (ben, cat):
                found = await one.use("list_tables", name="agents", free=True)
                assert [line["table"] for line in found["tables"]] == [table]
                await one.use("sit_down", table=table)
            await amy.use("call_bots", table=table, bots=["caller", "tight", "loose"])
            assert len((await amy.use("look", table=table))["players"]) == 6
            await asyncio.gather(*[play_on(one, table, set(), 6) for one in agents])
            hands = (await amy.use("my_hands", table=table))["hands"]
            history = await amy.use("read_hand", table=table, hand_id=hands[0]["hand_id"])
            assert sum(history["finishing"]) == sum(history["stacks"])
            for one in agents:
                assert (await one.use("leave_table", table=table)) == {"left": table}

    asyncio.run(match())


def test_a_turn_sent_twice_happens_once_and_what_is_not_legal_is_refused_with_its_reason(site: Site) -> None:
    async def play() -> None:
        async with agent(site, "dan") as dan:
            await dan.use("register")
            assert (await dan.use("register"))["name"] == "dan"
            view = await dan.use("make_table", seats=2, pause=60, think=0, bots=["caller"])
            table = view["table"]
            view = await dan.use("wait_for_turn", table=table)
            turn = {"table": table, "hand_id": view["hand_id"], "seq": view["seq"]}
            for amount, why in ((None, "needs an amount"), (1, "illegal_action")):
                with pytest.raises(Refused, match=why):
                    await dan.use("act", **turn, action="raise_to", amount=amount)
            again = await dan.use("look", table=table)
            assert (again["seq"], again["your_stack"]) == (view["seq"], view["your_stack"])
            raised = view["actions"][-1]["min_amount"]
            for _ in range(2):
                await dan.use("act", **turn, action="raise_to", amount=raised)
            with pytest.raises(Refused, match="stale_action"):
                await dan.use("act", **turn, action="fold")
            assert (await dan.use("seat", table=table, do="leave_after_hand")) == {"leaves": True}
            assert (await dan.use("seat", table=table, do="stay")) == {"leaves": False}
            assert (await dan.use("seat", table=table, do="wait_for_big_blind")) == {
                "away": False,
                "waits": True,
            }
            with pytest.raises(Refused, match="hand_in_progress"):
                await dan.use("seat", table=table, do="show")
            assert (await dan.use("seat", table=table, do="sit_out")) == {"away": True}
            view = await dan.use("wait_for_turn", table=table, seconds=0)
            assert view["status"] == "you_sit_out"

    asyncio.run(play())


def test_a_tournament_is_made_filled_played_and_read_by_tools(site: Site) -> None:
    async def play() -> None:
        async with agent(site, "tim") as tim:
            await tim.use("register")
            with pytest.raises(Refused, match="no_game"):
                await tim.use("enter_tournament", tournament="nowhere")
            event = (await tim.use("make_tournament", name="agents", players=2, bots=True))["id"]
            listed = (await tim.use("list_tournaments"))["tournaments"]
            assert event in [one["id"] for one in listed]
            told = await tim.use("look_at_tournament", tournament=event)
            table = told["table"]
            while told["state"] == "playing":
                view: dict[str, Any] = {"status": "table_closed"}
                with suppress(Refused):  # it is closed a moment before the tournament is over
                    view = await tim.use("wait_for_turn", table=table, seconds=20)
                if view["status"] == "your_turn":
                    with pytest.raises(Refused, match="stale_action"):
                        await tim.use("plan", table=table, plan="check_fold")
                    turn = {"hand_id": view["hand_id"], "seq": view["seq"]}
                    action = (
                        "all_in"
                        if view["actions"][-1]["action"] == "raise_to"
                        else view["actions"][-1]["action"]
                    )
                    await tim.use("act", table=table, action=action, **turn)
                told = await tim.use("look_at_tournament", tournament=event)
            assert sorted(row["place"] for row in told["standings"]) == [1, 2]
            hands = (await tim.use("my_hands", table=table))["hands"]
            history = await tim.use("read_hand", table=table, hand_id=hands[0]["hand_id"])
            assert sum(history["finishing"]) == sum(history["stacks"]) == 3_000

    asyncio.run(play())


def test_who_sends_no_password_or_a_wrong_one_is_told_what_to_do_and_sees_what_a_stranger_sees(
    site: Site,
) -> None:
    async def ask() -> None:
        async with (
            agent(site, "eva") as eva,
            agent(site, None) as nobody,
            agent(site, "eva", "wrong") as wrong,
        ):
            with pytest.raises(Refused, match="call register first"):
                await eva.use("make_table")
            await eva.use("register")
            table = (await eva.use("make_table", bots=["caller"], pause=60, think=0))["table"]
            await eva.use("wait_for_turn", table=table)
            assert (await nobody.use("look", table=table))["status"] == "you_do_not_play_here"
            assert (await nobody.use("look", table=table))["your_cards"] is None
            with pytest.raises(Refused, match="has to send basic authentication"):
                await nobody.use("sit_down", table=table)
            for tool in ("register", "make_table"):
                with pytest.raises(Refused, match=r"bad_credentials|Invalid credentials|too_often"):
                    await wrong.use(tool)
            with pytest.raises(Refused, match="is not an id"):
                await eva.use("look", table="../account")

    asyncio.run(ask())


def test_a_private_table_is_in_no_list_and_found_by_its_id(site: Site) -> None:
    table = site.ask("POST", "/games/", site.user()[0], {"private": True}).json["gameID"]
    assert table not in site.ask("GET", "/lobby").text + site.ask("GET", "/games/").text
    assert site.ask("GET", f"/games/{table}/table").json["game"] == table


def test_agents_talk_and_read_what_others_say(site: Site) -> None:
    async def talk() -> None:
        async with agent(site, "kim") as kim:
            await kim.use("register")
            table = (await kim.use("make_table"))["table"]
            assert "chat" not in await kim.use("look", table=table)
            await kim.use("say", table=table, text="good luck")
            await kim.use("say", table=table, emote="hello")
            chat = (await kim.use("look", table=table))["chat"]
            assert chat == [{"name": "kim", "says": "good luck"}, {"name": "kim", "says": "hello"}]
            with pytest.raises(Refused, match="either a text or an emote"):
                await kim.use("say", table=table, text="both", emote="wow")

    asyncio.run(talk())


def test_a_look_waits_for_news_and_answers_at_once_where_there_is_some(site: Site) -> None:
    game, _ = site.game(2)
    version = site.ask("GET", f"/games/{game}/table").json["version"]
    assert site.ask("GET", f"/games/{game}/table?wait=30&after={version - 1}").json["version"] == version
    assert site.ask("GET", f"/games/{game}/table?wait=0&after={version}").json["version"] == version
    assert site.ask("GET", f"/games/{game}/table?wait=31").status == 400


def test_an_agent_plays_over_stdio_on_a_server_elsewhere(site: Site, tmp_path: Any) -> None:
    secret = tmp_path / "password"
    secret.write_text("secret\n")
    command = ["-m", "poker_actors", "mcp", site.url, "--user", "fay", "--password-file", str(secret)]

    async def play() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
            fay = Agent(client)
            tools = (await client.list_tools()).tools
            assert all(tool.description for tool in tools)
            assert (await fay.use("register"))["name"] == "fay"
            view = await fay.use("make_table", bots=["tight", "caller"], pause=0, think=0)
            await play_on(fay, view["table"], set(), 3)

    asyncio.run(play())


def test_a_hand_of_bots_ends_before_a_room_of_ones_own_closes(tmp_path: Path) -> None:
    command = StdioServerParameters(command=sys.executable, args=["-m", "poker_actors", "mcp"])
    said = tmp_path / "said"

    async def play() -> None:
        with said.open("w") as errors:
            async with Client(stdio_client(command, errlog=errors)) as client:
                one = Agent(client)
                await one.use("register")
                table = (await one.use("make_table", bots=["caller"] * 3, pause=0, think=0.02))["table"]
                view = await one.use("wait_for_turn", table=table, seconds=30)
                turn = {"hand_id": view["hand_id"], "seq": view["seq"]}
                await one.use("act", table=table, action="fold", **turn)

    asyncio.run(play())
    assert said.read_text() == ""


@pytest.mark.parametrize("given", [["--password-file", "EMPTY"], []])
def test_an_agent_on_a_server_elsewhere_needs_a_password(
    given: list[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("POKER_ACTORS_PASSWORD", raising=False)
    (tmp_path / "EMPTY").write_text("\n")
    monkeypatch.chdir(tmp_path)
    assert main(["mcp", "http://127.0.0.1:1", *given]) == 2
    error = capsys.readouterr().err
    assert "POKER_ACTORS_PASSWORD" in error
    assert error.count("\n") == 1


WRONG_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("act", {}, r"^bad_arguments: table is missing; action is missing; .* - call act again"),
    ("make_table", {"seats": 99}, r"^bad_arguments: seats 99: .*10 - call make_table again"),
    ("look", {"table": "nowhere"}, r"^no_game: Game not found\. - list_tables"),
    ("leave_table", {"table": "nowhere"}, r"^Game not found\. - list_tables"),
    ("act", {"table": "TABLE", "action": "raise_to", "hand_id": "x", "seq": 0}, r"^raise_to needs an amount"),
    ("act", {"table": "TABLE", "action": "fold", "hand_id": "x", "seq": 0}, r"^stale_action: .* - call wait_for_turn"),
    ("read_hand", {"table": "TABLE", "hand_id": "x"}, r"^no_hand: .* - my_hands"),
    ("sit_down", {"table": "TABLE"}, r"already joined this game\. - look"),
    ("seat", {"table": "OTHER", "do": "sit_out"}, r"^not_joined: .* - call sit_down first"),
    ("plan", {"table": "TABLE", "plan": "check_fold"}, r"^not_active: .* - call wait_for_turn until status is your_turn"),
    ("ledger", {"table": "TABLE"}, r"^no_ledger: .* - make_table with ledger"),
    ("enter_tournament", {"tournament": "nowhere"}, r"^no_\w+: .* - list_tables and list_tournaments"),
]  # fmt: skip


def test_errors_of_tools_say_what_to_do_next_and_nothing_of_our_insides(site: Site) -> None:
    async def ask() -> None:
        async with agent(site, "ivy") as ivy, agent(site, "kay") as kay:
            tables = {}
            for name, one in ("TABLE", ivy), ("OTHER", kay):
                await one.use("register")
                tables[name] = (await one.use("make_table"))["table"]
            for tool, given, said in WRONG_CALLS:
                with pytest.raises(Refused, match=said) as refused:
                    await ivy.use(tool, **{key: tables.get(one, one) for key, one in given.items()})
                for inside in ("Error executing", "pydantic", "Arguments\n", "input_type", "Authorization"):
                    assert inside not in str(refused.value)

    asyncio.run(ask())


def test_a_tool_that_fails_says_nothing_of_why() -> None:
    def nowhere(headers: object) -> Any:
        raise RuntimeError("a secret of ours")

    async def ask() -> None:
        async with Client(tools.agent_server(nowhere)) as client:
            result = await client.call_tool("list_tables", {})
            assert result.is_error
            assert (
                getattr(result.content[0], "text", "")
                == "list_tables has failed, through no fault of yours: look, and try again"
            )

    asyncio.run(ask())


def test_a_server_that_is_not_there_is_named_by_every_tool() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"

        def nowhere(headers: object) -> Any:
            return httpx2.AsyncClient(base_url=url)

        async def ask() -> set[str]:
            async with Client(tools.agent_server(nowhere)) as client:
                results = [await client.call_tool(one, {}) for one in ("list_tables", "register")]
                return {getattr(result.content[0], "text", "") for result in results}

        assert asyncio.run(ask()) == {f"the server at {url} cannot be reached: try again"}


def test_guesses_by_tools_wait_as_any_others(site: Site) -> None:
    async def guess() -> None:
        async with agent(site, "gus") as gus, agent(site, "gus", "wrong") as wrong:
            await gus.use("register")
            told = []
            for _ in range(12):
                with pytest.raises(Refused) as refused:
                    await wrong.use("make_table")
                told.append(str(refused.value))
            assert "bad_credentials" in told[0] or "Invalid credentials" in told[0]
            assert "too many wrong passwords" in told[-1]
            assert told[-1].count("try again") == 1

    asyncio.run(guess())


def test_waiting_ends_when_its_time_is_up_at_a_table_where_something_always_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions = count()

    async def look(*_: Any, **__: Any) -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"hand_id": "main/hand-0", "status": "others_act", "version": next(versions)}

    monkeypatch.setattr(tools._Tools, "_look", look)
    nowhere: Any = None
    waiting = tools._Tools(nowhere).wait_for_turn("main", seconds=0.1)
    view = asyncio.run(asyncio.wait_for(waiting, 30))
    assert view["status"] == "others_act"
    assert next(versions) > 1
