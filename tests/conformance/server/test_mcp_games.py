"""Agents play stud, draw and open-face by what the tools say, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from poker_actors.wire.hspe import Client
from poker_actors.wire.mcp.view import seen
from tests.conformance.server.conftest import Site
from tests.conformance.server.test_mcp import Agent, Refused, agent


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site("--mcp")
    yield site
    assert site.stop()[0] == 0


def move(view: dict[str, Any]) -> dict[str, Any]:
    """Choose by `actions` alone: never fold what is free or cheap, throw two cards away, fill rows from the bottom."""
    choice = view["actions"][0]
    for one in view["actions"]:
        if one["action"] in ("check", "call", "bring_in"):
            choice = one
    match choice["action"]:
        case "discard":
            most = max(choice["min_cards"], min(2, choice["max_cards"]))
            return {"action": "discard", "cards": view["your_cards"][:most]}
        case "lay":
            left = view["your_cards"][: choice["cards"]]
            rows: list[list[str]] = []
            for name in ("bottom", "middle", "top"):
                room = choice["room"][name]
                rows.insert(0, left[:room])
                left = left[room:]
            return {"action": "lay", "rows": rows}
        case name:
            return {"action": name}


async def play_a_hand(one: Agent, game: str) -> tuple[dict[str, Any], set[str]]:
    """Play the first hand of a new table to its end; gives its last view, and the actions taken."""
    view = await one.use("make_table", seats=2, game=game, pause=60, think=0, bots=["caller"])
    table, taken, hand = view["table"], set(), None
    while True:
        view = await one.use("wait_for_turn", table=table, seconds=20, hand_id=hand)
        hand = view["hand_id"] or hand
        if view["status"] == "your_turn":
            chosen = move(view)
            taken.add(chosen["action"])
            view = await one.use("act", table=table, hand_id=hand, seq=view["seq"], **chosen)
        if view["status"] == "hand_over":
            return view, taken


@pytest.mark.parametrize(
    ("game", "action"),
    [("stud", "check"), ("2-7-triple-draw", "discard"), ("open-face", "lay"), ("open-face-pineapple", "lay")],
)
def test_an_agent_plays_a_hand_to_its_end_by_the_words_of_the_tools(
    site: Site, game: str, action: str
) -> None:
    async def play() -> None:
        async with agent(site, f"ann{game[:3]}{len(game)}") as one:
            await one.use("register")
            view, taken = await play_a_hand(one, game)
            listed = (await one.use("list_tables"))["tables"]
            assert {line["table"]: line["game"] for line in listed}[view["table"]] == view["game"]
            assert action in taken
            view = await one.use("wait_for_turn", table=view["table"], hand_id=view["hand_id"])
            start, end = view["heard"]["start"], view["heard"]["end"]
            assert start["hand_id"] == end["hand_id"] == view["hand_id"]
            assert end["stacks"] == [player["stack"] for player in view["players"]]
            assert view["text"]
            assert sum(player["stack"] for player in view["players"]) == 20_000
            if action == "lay":
                assert len(view["deals_scored"][0]) == 2
                assert [len(row) for row in view["deals_scored"][0][0]["rows"].values()] == [3, 5, 5]

    asyncio.run(play())


def test_what_an_action_lacks_or_may_not_have_is_said_and_changes_nothing(site: Site) -> None:
    async def play() -> None:
        async with agent(site, "bea") as one:
            await one.use("register")
            view = await one.use("make_table", seats=2, game="open-face", pause=60, think=0, bots=["caller"])
            view = await one.use("wait_for_turn", table=view["table"])
            turn = {"table": view["table"], "hand_id": view["hand_id"], "seq": view["seq"]}
            for action, needed in (("lay", "rows"), ("discard", "cards")):
                with pytest.raises(Refused, match=f"{action} needs {needed}"):
                    await one.use("act", **turn, action=action)
            with pytest.raises(Refused, match="illegal_action"):
                await one.use("act", **turn, action="lay", rows=[view["your_cards"], [], []])
            assert (await one.use("look", table=view["table"]))["actions"] == view["actions"]

    asyncio.run(play())


def test_a_hand_of_open_face_that_all_have_fouled_is_told_as_over() -> None:
    seat = dict.fromkeys(("state", "stack", "bet", "button", "cards", "last_action", "won", "up"))
    rows: list[list[str]] = [["2c"] * 3, ["3c"] * 5, ["4c"] * 5]
    view = seen({
        "game": "t", "version": 9, "hand_id": "t/1", "seq": 4, "street": "ninth", "plays": "Open-face", "over": True,
        "seats": [seat | {"seat": 0, "name": "ann"}], "board": [], "boards": [[]], "pots": [], "turn": None, "choice": None,
        "you": {"seat": 0, "cards": [], "legal": None, "away": False}, "winners": [], "notice": None, "text": None, "chat": [],
        "open_face": {"rows": [rows], "fantasy": [], "deals": [{"rows": [rows], "points": [0], "chips": [0]}]},
    })  # fmt: skip
    assert view["status"] == "hand_over"
    assert [one["points"] for one in view["deals_scored"][0]] == [0]


@pytest.mark.parametrize("game", ["open-face", "2-7-triple-draw"])
def test_a_client_lays_rows_and_throws_cards_away(site: Site, game: str) -> None:
    with closing(Client(site.url, f"cid{len(game)}", "secret")) as client:
        client.register()
        table = client.make(game=game, seats=2, pause=60, think=0)["gameID"]
        client.seat_house(table, "caller")
        while True:
            picture = client.table(table)
            legal = picture["you"]["legal"]
            if legal is None:
                continue
            key, held = (picture["hand_id"], picture["seq"]), picture["you"]["cards"]
            if legal["lay"]:
                assert client.act(table, "lay", rows=[[], [], held], key=key) == key
                return
            if legal["discards"]:
                assert client.act(table, "discard", cards=held[:2], key=key) == key
                return
            client.act(table, "check" if legal["check"] else "call")
