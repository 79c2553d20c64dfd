"""Tournaments of a server: entered, filled, played at tables that are seen as games, and gone on with after a kill."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from poker_actors.errors import BadSpec, StorageFailed, TableRefusal
from poker_actors.rules import GAMES, Fold, Stakes
from poker_actors.server.hspe import Lobby, NamedAction, Setting
from poker_actors.server.http.account_routes import games_of
from poker_actors.server.live import Announcement, Hands, Tournaments, read_announced
from poker_actors.server.operator import games_noted
from poker_actors.store import open_journal
from poker_actors.store.journal import Row, SQLiteStorage
from tests.actors.durable_evening import FailingStorage
from tests.unit.server.conftest import House, picture
from tests.unit.server.test_server_other_games import GAMES_SERVED

if TYPE_CHECKING:
    from poker_actors.server import User


def refused(code: str, command: Callable[[], object]) -> None:
    with pytest.raises(TableRefusal) as caught:
        command()
    assert caught.value.code == code


def told_of(tournaments: Tournaments, event: str, user_id: str | None) -> Any:
    """A tournament, as JSON is read: without its types."""
    return tournaments.told(event, user_id)


def play_on(house: House, tournaments: Tournaments, event: str, users: list[User], acts: int) -> Any:
    """Have everybody go all-in, or call, for so many acts or to the end; gives how it stands."""
    for _ in range(acts):
        house.run(0)
        for user in users:
            table = told_of(tournaments, event, user.id)["table"]
            game = None if table is None else house.lobby.game(table)
            if game is not None and game.turn is not None and game.turn.user == user.id:
                legal = game.turn.state.legal
                game.take(user.id, NamedAction("all_in") if legal.all_in is not None else NamedAction("call"))
                house.run(0)
        if told_of(tournaments, event, None)["state"] == "over":
            break
    return told_of(tournaments, event, None)


def test_a_tournament_begins_with_the_last_to_come_and_is_played_to_its_end(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob", "cat")]
    event = tournaments.make(users[0], Announcement("Sunday", players=3))
    refused("already_joined", lambda: tournaments.enter(users[0], event))
    tournaments.enter(users[1], event)
    assert told_of(tournaments, event, users[2].id)["in"] is False
    tournaments.enter(users[2], event)
    house.run(0)
    told = told_of(tournaments, event, users[0].id)
    assert (told["state"], told["level"], told["stakes"]["big_blind"]) == ("playing", 1, 20)
    game = house.lobby.game(told["table"])
    assert game.id not in house.lobby.games, "no list of games has it"
    shown = picture(game, users[0].id)
    assert shown["you"]["cards"]
    assert sorted(seat["stack"] + seat["put_in"] for seat in shown["seats"] if seat["name"]) == [1_500] * 3
    assert picture(game, None)["you"] is None
    refused("not_yours", lambda: house.lobby.join(house.user("eve"), game.id))
    refused("not_yours", lambda: game.leave(users[0].id))
    refused("not_yours", lambda: game.top_up(users[0].id))
    refused("seat_unavailable", lambda: house.lobby.seat_house(users[0], game.id, ["tight"]))
    house.lobby.send_house_away(users[0], game.id)
    refused("seat_unavailable", lambda: tournaments.enter(house.user("fay"), event))
    told = play_on(house, tournaments, event, users, 400)
    assert told["state"] == "over"
    assert [row["place"] for row in told["standings"]] in ([1, 2, 3], [1, 2, 2]), "two may be out in one hand"
    assert sum(row["prize"] for row in told["standings"]) == 300
    audit = house.room.audit()
    assert audit.conserved
    assert (audit.bank, audit.tables + audit.hands) == (0, 0)
    assert house.lobby.elsewhere(game.id) is None


KINDS = {
    (game.betting, game.brings_in, game.board_cards > 0, len(game.streets)): game.name
    for game in GAMES.values()
}
"""A game of each kind: levels change its stakes, and whoever is late acts on each of its streets."""


SHORT = 2
"""A seed: by others, games for two go on through thousands of hands."""


@pytest.mark.parametrize("game", [*sorted({*KINDS.values()} & {*GAMES_SERVED}), "horse", "holdem+razz"])
def test_a_tournament_of_every_kind_of_game_is_played_to_its_end(game: str) -> None:
    house = House(seed=SHORT)
    with house.room:
        _play_to_the_end(house, game)


def test_a_level_may_rise_above_what_everybody_began_with(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    ann = house.user("ann")
    event = tournaments.make(ann, Announcement("Sunday", players=3))
    for name in ("bob", "cat"):
        tournaments.enter(house.user(name), event)
    house.run(0)
    game: Any = house.lobby.game(told_of(tournaments, event, ann.id)["table"])
    setup = SimpleNamespace(stacks=(), stakes=Stakes(1_000, 2_000))
    game._seat(SimpleNamespace(names=(), public=SimpleNamespace(setup=setup)))
    assert (game.setting.small_blind, game.setting.big_blind) == (1_000, 2_000)


def _play_to_the_end(house: House, game: str) -> None:
    tournaments = Tournaments(house.lobby)
    ann = house.user("ann")
    announced = read_announced(f'{{"game": "{game}", "players": 3, "minutes": 1}}'.encode())
    event = tournaments.make(ann, attrs.evolve(announced, seats=min(3, announced.seats)))
    tournaments.fill(ann, event)
    house.run(0)
    told = told_of(tournaments, event, ann.id)
    assert told["plays"] in {GAMES[name].title for name in GAMES if name in game or game == "horse"}
    shown = picture(house.lobby.game(told["table"] or told["standings"][-1]["table"]), ann.id)
    assert shown["plays"] == told["plays"]
    assert shown["terms"] == told["terms"]
    for _ in range(2_000):
        house.runtime.advance(31)  # whoever is late is acted for, and levels end
        house.run(0)
        if told_of(tournaments, event, None)["state"] == "over":
            break
    told = told_of(tournaments, event, None)
    assert told["state"] == "over"
    assert sum(row["prize"] for row in told["standings"]) == 300
    assert house.room.audit().conserved


def test_no_tournament_is_of_a_dealers_choice_or_of_more_seats_than_its_game_has() -> None:
    for body in (
        b'{"game": "dealers-choice"}',
        b'{"game": "five-card"}',
        b'{"game": 3}',
        b'{"game": "kuhn", "seats": 3}',
    ):
        with pytest.raises(BadSpec):
            read_announced(body)
    assert read_announced(b'{"game": "kuhn"}').seats == 2


def test_a_tournament_tells_its_clock_prizes_places_and_stacks_in_big_blinds(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob", "cat", "dan")]
    event = tournaments.make(users[0], Announcement(players=4, minutes=2))
    for user in users[1:]:
        tournaments.enter(user, event)
    house.run(0)
    begun = house.clock.time
    told = told_of(tournaments, event, users[0].id)
    assert (told["level"], told["terms"], told["next_terms"]) == (1, "10/20", "15/30")
    assert (told["level_ends"], told["now"]) == (begun + 120, begun)
    assert [row["big_blinds"] for row in told["standings"]] == [75.0] * 4
    assert sum(told["prizes"]) == 400
    game = house.lobby.game(told_of(tournaments, event, users[0].id)["table"])
    while game.turn is not None and told_of(tournaments, event, None)["level"] == 1:
        game.take(game.turn.user, NamedAction("fold"))
        house.run(0)
        seconds_pass(house, 25)
    told = told_of(tournaments, event, users[0].id)
    assert (told["level"], told["terms"]) == (2, "15/30")
    assert told["level_ends"] == begun + 240
    top = max(told["standings"], key=lambda row: row["stack"])
    assert top["big_blinds"] == round(top["stack"] / 30, 1)
    play_on(house, tournaments, event, users, 400)
    over = told_of(tournaments, event, None)
    assert over["level_ends"] is None
    assert sorted((row["prize"] for row in over["standings"] if row["prize"]), reverse=True) == over["prizes"]


def test_bots_take_the_places_that_are_left_and_play_by_themselves(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    ann = house.user("ann")
    event = tournaments.make(ann, Announcement(players=4, seats=2))
    refused("not_yours", lambda: tournaments.fill(house.user("eve"), event))
    tournaments.fill(ann, event)
    told = play_on(house, tournaments, event, [ann], 400)
    assert told["state"] == "over"
    assert len(told["standings"]) == 4
    assert {row["name"] for row in told["standings"]} == {"ann", *told["entrants"]}
    while house.lobby.dismiss_idle(10):
        house.run()
    assert house.room.audit().bank == 0


def test_a_tournament_goes_on_after_a_kill_with_stacks_places_and_the_hand_being_played(
    reopened: Callable[..., House],
) -> None:
    house = reopened()
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob", "cat")]
    event = tournaments.make(users[0], Announcement(players=3))
    for user in users[1:]:
        tournaments.enter(user, event)
    house.run(0)
    for _ in range(5):
        game = house.lobby.game(told_of(tournaments, event, users[0].id)["table"])
        assert game.turn is not None
        game.take(game.turn.user, NamedAction("fold"))
        house.run(0)
    before = {row["player_id"]: row["stack"] for row in told_of(tournaments, event, None)["standings"]}
    again = reopened(Tournaments)
    found = again.made
    assert isinstance(found, Tournaments)
    told = found.told(event, users[0].id)
    assert {row["player_id"]: row["stack"] for row in told["standings"]} == before
    assert again.lobby.game(str(told["table"])).turn is not None
    assert play_on(again, found, event, users, 400)["state"] == "over"
    third = reopened(Tournaments)
    assert isinstance(third.made, Tournaments)
    assert third.made.told(event, None)["state"] == "over"
    assert len(third.made.told(event, None)["standings"]) == 3


def seconds_pass(house: House, seconds: float) -> None:
    """Let time pass for the room's own clock, which levels go by."""
    house.runtime.advance(seconds)
    house.run(seconds)


def test_who_comes_late_plays_from_the_next_hand_on_until_the_levels_for_it_are_over(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob", "cat", "dan")]
    event = tournaments.make(users[0], Announcement(players=2, late_levels=1, minutes=1, turn_seconds=5))
    tournaments.enter(users[1], event)
    assert told_of(tournaments, event, users[2].id)["can_enter"] is True
    tournaments.enter(users[2], event)
    refused("already_joined", lambda: tournaments.enter(users[2], event))
    told = told_of(tournaments, event, users[2].id)
    assert told["in"]
    assert told["table"] == told_of(tournaments, event, users[0].id)["table"]
    assert [row["stack"] for row in told["standings"]] == [1_500] * 3
    refused("seat_unavailable", lambda: tournaments.leave(users[2], event))
    seconds_pass(house, 60)
    refused("seat_unavailable", lambda: tournaments.enter(users[3], event))
    assert told_of(tournaments, event, users[3].id)["in"] is False
    seconds_pass(house, 60)
    assert told_of(tournaments, event, None)["can_enter"] is False, (
        "the hand over which the level ended is over, too"
    )
    refused("seat_unavailable", lambda: tournaments.enter(users[3], event))
    told = play_on(house, tournaments, event, users[:3], 400)
    assert told["state"] == "over"
    assert sum(row["prize"] for row in told["standings"]) == 300
    assert house.room.audit().conserved
    assert house.room.audit().bank == 0


def test_who_is_out_of_chips_gets_new_ones_as_often_as_was_announced(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob")]
    event = tournaments.make(users[0], Announcement(players=2, late_levels=2, rebuys=3))
    tournaments.enter(users[1], event)
    told = play_on(house, tournaments, event, users, 400)
    assert told["state"] == "over"
    first, second = told["standings"]
    assert second["rebuys"] == 3
    assert first["prize"] + second["prize"] == 100 * (2 + 3 + first["rebuys"])
    assert first["stack"] == 1_500 * (2 + 3 + first["rebuys"])
    assert house.room.audit().conserved
    assert house.room.audit().bank == 0, "what rebuys might have cost is play money, too"


@pytest.mark.parametrize(("seed", "steps"), [(1, 60), (4, 78), (5, 78)])
def test_a_server_starts_though_a_tournament_ends_as_its_hand_is_told_again(
    seed: int, steps: int, reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots play on with every question asked of a table, which closed it: the server did not start again."""
    luck = Random(seed)
    monkeypatch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=luck.getrandbits(128), version=4))
    house = reopened(Tournaments)
    tournaments: Any = house.made
    ann = house.user("ann")
    event = tournaments.make(ann, Announcement(players=3))
    tournaments.fill(ann, event)
    house.run(0)
    for _ in range(60):
        table = told_of(tournaments, event, ann.id)["table"]
        game = None if table is None else house.lobby.game(table)
        if game is None or game.turn is None:
            break
        game.take(ann.id, NamedAction("all_in" if game.turn.state.legal.all_in is not None else "call"))
        for _ in range(steps):
            house.runtime.step()
        house = reopened(Tournaments)  # killed before the others have played on
        tournaments = house.made
        house.run(0)
    assert play_on(house, tournaments, event, [ann], 400)["state"] == "over"


def test_who_came_late_is_in_after_a_kill_between_the_two_records_of_it(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = reopened(Tournaments)
    tournaments: Any = house.made
    users = [house.user(name) for name in ("ann", "bob", "cat")]
    event = tournaments.make(users[0], Announcement(players=2, late_levels=2))
    tournaments.enter(users[1], event)
    monkeypatch.setattr(tournaments, "_come_late", lambda *_: None)  # killed right before
    tournaments.enter(users[2], event)
    again = reopened(Tournaments)
    found: Any = again.made
    told = found.told(event, users[2].id)
    assert told["in"]
    assert told["table"] is not None
    assert len(told["standings"]) == 3
    assert play_on(again, found, event, users, 400)["state"] == "over"


def with_hands(lobby: Lobby) -> tuple[Tournaments, Hands]:
    tournaments = Tournaments(lobby)
    return tournaments, Hands(lobby, tournaments, each=400)  # a first hand is found after a long tournament


def test_the_hands_of_a_tournament_are_in_the_archive_of_who_played_them_until_it_is_forgotten(
    reopened: Callable[..., House],
) -> None:
    house = reopened(with_hands)
    made: Any = house.made
    tournaments, hands = made
    ann, bob = house.user("ann"), house.user("bob")
    event = tournaments.make(ann, Announcement("Sunday", players=6, seats=2))
    tournaments.enter(bob, event)
    tournaments.fill(ann, event)
    assert play_on(house, tournaments, event, [ann, bob], 400)["state"] == "over"
    found = hands.of_user(ann.id, "sunday, table")
    assert found
    assert {one["net"] for one in found} == {0}, "chips of a tournament are no winnings"
    table, hand_id = found[0]["game"], found[0]["hand_id"]
    # the newest hand of the table may be one that ann has not lived to see
    assert {one["yours"] for one in hands.told(table, ann.id) if one["hand_id"] == hand_id} == {True}
    history = hands.history(table, hand_id, ann.id)
    own, others = history.players.index("ann"), 1 - history.players.index("ann")
    assert history.holes[own]
    refused("not_dealt_in", lambda: hands.history(table, hand_id, house.user("eve").id))
    assert all(
        "ann" in one["players"] or "bob" in one["players"]
        for kept in hands._kept.values()
        for one in [kept[0].told]
    )
    again = reopened(with_hands)
    made = again.made
    assert made[1].of_user(ann.id) == hands.of_user(ann.id)
    assert made[1].history(table, hand_id, ann.id).holes[others] == history.holes[others]
    made[0]._forget(made[0]._events[event])
    for forget in again.lobby.on_clear_up:
        forget()
    assert made[1].of_user(ann.id) == []
    assert again.notes.under("hands/") == {}
    refused("no_game", lambda: made[1].told(table, ann.id))


@pytest.mark.parametrize("last", ["act", "over"])
def test_a_tournaments_hand_paid_as_the_process_died_is_kept_once_by_the_next_start(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """The hand's last act or its end is written, and then nothing, three times; its end until the tournament is over."""
    write = SQLiteStorage.write
    dead: list[str] = []

    def dies(storage: SQLiteStorage, rows: Sequence[Row], after: int) -> None:
        if dead:
            raise StorageFailed("the process is dead")
        write(storage, rows, after)
        dead.extend(row.payload for row in rows if row.kind == last)

    house = reopened(with_hands)
    made: Any = house.made
    cash, _ = house.lobby.make(house.user("cat"))  # comes back before: what waits is delivered meanwhile
    users = [house.user(name) for name in ("ann", "bob")]
    for user in users:  # who plays there, too, is heard from the beginning
        house.lobby.join(user, cash.id)
    event = made[0].make(users[0], Announcement(players=2))
    made[0].enter(users[1], event)
    house.run(0)
    paid, over = 0, False
    while not over and (paid < 3 or last == "over"):
        with monkeypatch.context() as patch:
            patch.setattr(SQLiteStorage, "write", dies)
            if paid < 3:
                turn = house.lobby.game(told_of(made[0], event, users[0].id)["table"]).turn
                assert turn is not None
                turn.state.act(Fold())
                house.run(0)
            else:
                with suppress(StorageFailed):
                    play_on(house, made[0], event, users, 400)
        assert dead
        dead.clear()
        paid += 1
        house = reopened(with_hands)
        made = house.made
        over = told_of(made[0], event, None)["state"] == "over"
        kept = [one for one in made[1].of_user(users[0].id) if one["game"] != cash.id]
        assert [sorted(one["players"]) for one in kept] == [["ann", "bob"]] * paid
        assert len({one["hand_id"] for one in kept}) == paid
    assert paid > 3 or last == "act"


def test_who_is_in_a_tournament_that_is_not_over_has_a_game_to_leave_before_the_account_goes(
    house: House,
) -> None:
    tournaments = Tournaments(house.lobby)
    ann = house.user("ann")
    event = tournaments.make(ann, Announcement(players=2))
    noted = games_noted(house.notes)
    assert games_of(house.lobby, ann) == noted(ann) == [event]
    tournaments.fill(ann, event)
    assert games_of(house.lobby, ann) == noted(ann) == [event]
    assert play_on(house, tournaments, event, [ann], 400)["state"] == "over"
    assert games_of(house.lobby, ann) == noted(ann) == []


def test_who_leaves_before_it_begins_is_out_and_the_last_to_leave_closes_it(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    ann, bob = house.user("ann"), house.user("bob")
    event = tournaments.make(ann, Announcement(players=3))
    tournaments.enter(bob, event)
    tournaments.leave(ann, event)
    assert told_of(tournaments, event, None)["entrants"] == ["bob"]
    refused("not_joined", lambda: tournaments.leave(ann, event))
    tournaments.leave(bob, event)
    refused("no_game", lambda: told_of(tournaments, event, None))
    assert tournaments.listed() == []


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'{"players": 1}',
        b'{"players": true}',
        b'{"seats": 11}',
        b'{"more": 1}',
        b'{"name": 7}',
        b'{"late_levels": 17}',
        b'{"rebuys": 1}',
        b'{"late_levels": 2, "rebuys": 11}',
        b"\xff",
    ],
)
def test_what_is_no_tournament_is_refused(body: bytes) -> None:
    with pytest.raises(BadSpec):
        read_announced(body)


def test_what_is_asked_of_a_tournament_while_nothing_can_be_written_has_not_happened() -> None:
    storage = FailingStorage()
    house = House(open_journal(storage))
    with house.room:
        tournaments = Tournaments(house.lobby)
        ann, bob = house.user("ann"), house.user("bob")
        event = tournaments.make(ann, Announcement(players=3))
        before = told_of(tournaments, event, bob.id)
        storage.failing = True
        for command in (
            lambda: tournaments.enter(bob, event),
            lambda: tournaments.leave(ann, event),
            lambda: tournaments.fill(ann, event),
            lambda: tournaments.make(bob, Announcement()),
        ):
            with pytest.raises(StorageFailed):
                command()
            assert told_of(tournaments, event, bob.id) == before
            assert len(tournaments.listed()) == 1
        storage.failing = False
        tournaments.enter(bob, event)
        assert told_of(tournaments, event, None)["entrants"] == ["ann", "bob"]


def test_a_cash_game_beside_a_tournament_keeps_its_own_chips(house: House) -> None:
    tournaments = Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob")]
    game, _ = house.lobby.make(users[0], Setting())
    house.lobby.join(users[1], game.id)
    event = tournaments.make(users[0], Announcement(players=2))
    tournaments.enter(users[1], event)
    told = play_on(house, tournaments, event, users, 400)
    assert told["state"] == "over"
    assert house.room.audit().conserved
    for user in users:
        game.leave(user.id)
    house.run(60)
    assert house.room.audit().bank == 0


@pytest.mark.parametrize("players", [2, 6, 20, 60])
def test_prizes_are_told_before_a_tournament_begins_and_are_those_it_begins_with(players: int) -> None:
    house = House()
    with house.room:
        tournaments = Tournaments(house.lobby)
        ann = house.user("ann")
        event = tournaments.make(ann, Announcement(players=players))
        before = tournaments.told(event, None)["prizes"]
        assert sum(before) == 100 * players
        tournaments.fill(ann, event)
        assert tournaments.told(event, None)["prizes"] == before
