"""A private table's ledger: who has brought, taken and won what, who may see it, how long it stays."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server import User
from poker_actors.server.hspe import Game, Order, Setting, read_setting
from poker_actors.server.hspe.house import NoEntrants, house_names
from poker_actors.server.live import ledger, ledger_lines
from poker_actors.store.ledger import escrow_account
from tests.unit.server.conftest import House, picture

OPEN: dict[str, Any] = {"private": True, "ledger": True, "pause": 60.0, "think": 0.0}


def told(house: House, game: Game, user: User) -> Any:
    return ledger(house.lobby, game, user)


def rows(house: House, game: Game, user: User) -> dict[str, tuple[int, int, int, int]]:
    """Name -> times, bought, cashed, stack."""
    return {
        one["name"]: (one["times"], one["bought"], one["cashed"], one["stack"])
        for one in told(house, game, user)["players"]
    }


def all_in(house: House, game: Game) -> None:
    """Play a hand to its end, everybody all-in."""
    while game.turn is not None:
        state = game.turn.state
        state.act(state.legal.all_in or state.legal.passive)
        house.run()


def call_down(house: House, game: Game) -> None:
    """Play a hand to its end for little, so that nobody has to leave."""
    assert game.turn is not None
    while game.turn is not None:
        state = game.turn.state
        state.act(state.legal.passive)
        house.run()


def test_everybody_is_told_who_owes_whom(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    assert picture(game, None)["ledger"] is True
    assert game.turn is not None
    state = game.turn.state
    state.act(state.legal.all_in or state.legal.passive)
    house.run()
    assert rows(house, game, ann) == {"ann": (1, 10_000, 0, 10_000), "bob": (1, 10_000, 0, 10_000)}
    all_in(house, game)
    found = told(house, game, bob)
    assert found == told(house, game, ann)
    assert sum(one["net"] for one in found["players"]) == found["house"] == 0
    loser = next((one for one in found["players"] if one["net"] < 0), None)
    if loser is not None:
        winner = next(one for one in found["players"] if one["net"] > 0)
        owed = {"payer": loser["player_id"], "payee": winner["player_id"], "chips": winner["net"]}
        assert found["payments"] == [owed]


def test_whoever_buys_in_again_and_leaves_is_counted_once_each_time(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    cyd = house.user("cyd")
    house.lobby.join(cyd, game.id)
    house.run()
    game.leave(ann.id)
    all_in(house, game)
    house.run(61)
    times, bought, cashed, stack = rows(house, game, bob)["ann"]
    assert (times, bought, stack) == (1, 10_000, 0)
    house.lobby.join(ann, game.id)
    house.run(1)
    assert rows(house, game, ann)["ann"] == (2, 20_000, cashed, 10_000)
    found = told(house, game, ann)
    assert sum(one["bought"] - one["cashed"] - one["stack"] for one in found["players"]) == 0


def test_a_bot_of_the_house_plays_for_the_house(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob", **OPEN)
    house.lobby.seat_house(ann, game.id, ["caller"])
    house.run()
    for _ in range(3):
        call_down(house, game)
        house.run(61)
    found = told(house, game, ann)
    bot = next(one for one in found["players"] if one["house"])
    assert bot["name"] == "caller 1"
    assert {one["name"] for one in found["players"] if not one["house"]} == {"ann", "bob"}
    assert found["house"] == bot["net"]
    left = {one["player_id"]: one["net"] for one in found["players"] if not one["house"]}
    left[None] = found["house"]
    for one in found["payments"]:
        left[one["payer"]] += one["chips"]
        left[one["payee"]] -= one["chips"]
    assert not any(left.values())
    house.lobby.send_house_away(ann, game.id)
    call_down(house, game)
    house.run(61)
    gone = next(one for one in told(house, game, ann)["players"] if one["house"])
    assert (gone["name"], gone["seated"], gone["stack"]) == ("caller 1", False, 0), "its name outlasts it"


@pytest.mark.parametrize("chips", [70, -70])
def test_the_house_pays_and_is_paid_under_no_id(house: House, chips: int) -> None:
    ann = house.user("ann")
    game, _ = house.lobby.make(ann, Setting(**OPEN))
    house.lobby.seat_house(ann, game.id, ["caller"])
    house.run()
    (bot,) = game.roster.house
    won = {escrow_account(game.hand_id, ann.id): chips, escrow_account(game.hand_id, bot): -chips}
    house.room.books.book(won, {})
    found = told(house, game, ann)
    parties = {"payer": None, "payee": ann.id} if chips > 0 else {"payer": ann.id, "payee": None}
    assert found["payments"] == [{**parties, "chips": 70}]
    names = "the house,ann" if chips > 0 else "ann,the house"
    assert ledger_lines(found).splitlines()[-1] == f"{names},70"


def test_only_who_sits_or_sat_there_and_its_owner_see_a_ledger(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    eve = house.user("eve")
    with pytest.raises(TableRefusal) as refused:
        told(house, game, eve)
    assert refused.value.code == "not_yours"
    made, _ = house.lobby.make(ann, Setting(**OPEN, maker=eve.id))
    assert rows(house, made, eve)["ann"] == (1, 10_000, 0, 10_000), "its owner"
    for user in (ann, bob):
        game.leave(user.id)
    all_in(house, game)
    house.run(61)
    assert not game.roster.playing
    assert told(house, game, bob) == told(house, game, ann)
    house.lobby.join(eve, game.id)
    house.run()
    assert {one["name"] for one in told(house, game, eve)["players"]} == {"ann", "bob", "eve"}


def test_who_waits_for_a_seat_sees_no_ledger_yet(house: House) -> None:
    game, _ = house.game_of("ann", "bob", **OPEN, seats=2)
    eve = house.user("eve")
    house.lobby.join(eve, game.id)
    assert eve.id in game.roster.queue
    with pytest.raises(TableRefusal, match="past ones too, and its maker"):
        told(house, game, eve)


def test_a_table_without_a_ledger_has_none(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob")
    assert picture(game, None)["ledger"] is False
    with pytest.raises(TableRefusal) as refused:
        told(house, game, ann)
    assert refused.value.code == "no_ledger"


def test_a_deleted_account_keeps_its_debts_and_loses_its_name(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    game.leave(bob.id)
    all_in(house, game)
    house.run(61)
    before = told(house, game, ann)
    house.users.delete(bob)
    after = told(house, game, ann)
    assert [one["name"] for one in after["players"]] == ["ann", None]
    assert after["payments"] == before["payments"]
    assert [one["net"] for one in after["players"]] == [one["net"] for one in before["players"]]
    assert [line.partition(",")[0] for line in ledger_lines(after).splitlines()[1:3]] == ["ann", bob.id]
    again = house.user("bob")
    with pytest.raises(TableRefusal, match="past ones too, and its maker"):
        told(house, game, again)


class Anybody(NoEntrants):
    """An arena of which every entrant may sit."""

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        """Allow it."""


def test_an_entrant_of_the_arena_has_its_name_while_it_sits(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob", **OPEN)
    house.lobby.entrants = Anybody()
    house.lobby.seat_house(ann, game.id, ["arena/cyd"])
    house.run(61)
    names = {one["name"]: one["house"] for one in told(house, game, ann)["players"]}
    assert names == {"ann": False, "bob": False, "arena/cyd 1": True}


def test_nobody_looks_for_a_user_among_the_names_of_the_house(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    game.leave(bob.id)
    all_in(house, game)
    house.run(61)
    house.users.delete(bob)
    made = house_names.cache_info()
    told(house, game, ann)
    assert house_names.cache_info() == made


@pytest.mark.parametrize("in_hand", [True, False])
def test_a_ledger_is_the_same_after_a_restart(reopened: Callable[..., House], in_hand: bool) -> None:
    house = reopened()
    game, (ann, bob) = house.game_of("ann", "bob", **OPEN)
    for _ in range(2):
        call_down(house, game)
        house.run(61)
    assert game.turn is not None
    game.act(game.turn.user, Order(60))
    house.run()
    if not in_hand:
        call_down(house, game)
    before = told(house, game, ann)
    other = reopened()
    assert told(other, other.lobby.games[game.id], other.users.find("ann")) == before
    assert before["players"][0]["bought"] >= 10_000
    assert bob.id in {one["player_id"] for one in before["players"]}


def test_a_table_crashed_in_mid_hand_leaves_the_ledger_as_it_was(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob", **OPEN)
    before = told(house, game, ann)
    hand = house.room.live_hands[game.id]
    house.room.supervisor.stop(hand.address)
    house.run()
    assert house.room.audit().conserved
    after = told(house, game, ann)
    assert after == before, "a hand is void"


def test_names_in_a_file_are_no_formulas(house: House) -> None:
    game, (evil, _) = house.game_of('=SUM(A1,"x")', "bob, the first", **OPEN)
    all_in(house, game)
    told_now = told(house, game, evil)
    lines = list(csv.reader(ledger_lines(told_now).splitlines()))
    assert lines[0] == ["player", "buy-ins", "bought", "cashed", "stack", "net"]
    assert [line[0] for line in lines[1:3]] == ['\'=SUM(A1,"x")', "bob, the first"]
    assert lines[3:5] == [[], ["payer", "payee", "chips"]]
    assert len(lines) == 5 + len(told_now["payments"])


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (b'{"ledger": true}', "ledger: only a private table has one"),
        (
            b'{"ledger": true, "private": true, "watch_delay": 30}',
            "ledger: a table with a watch_delay has none",
        ),
        (b'{"ledger": 1, "private": true}', "ledger 1 is not"),
    ],
)
def test_a_table_that_cannot_have_a_ledger_is_refused(asked: bytes, why: str) -> None:
    with pytest.raises(BadSpec, match=why):
        read_setting(asked, "x")
    assert Setting.from_plain(Setting(private=True, ledger=True).plain()).ledger
