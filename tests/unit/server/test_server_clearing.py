"""Games nobody is in and users nobody has used are cleared up, and stay away after a restart."""

from __future__ import annotations

import gc
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import BadJournal, BadSpec, TableRefusal
from poker_actors.guard import TooOften
from poker_actors.server import README, Notes, Passwords, Rules, Users
from poker_actors.server.hspe import Game, Order, Setting
from poker_actors.server.hspe.game_notes import plain_of
from poker_actors.server.http.app_state import GuardedLobby
from poker_actors.server.http.connections import Limits
from poker_actors.server.live import Announcement, Hands, Metrics, Sessions, Tournaments, Views, ledger
from poker_actors.store import Journal, RoomImage, open_journal
from tests.unit.server.conftest import House, TurnedClock


class GuardedHouse(House):
    """A house that is cleared up."""

    lobby: GuardedLobby

    def __init__(
        self, journal: Journal, clock: TurnedClock, limits: Limits, rules: Rules | None = None
    ) -> None:
        self.clock = clock
        self.runtime = StepRuntime()
        self.notes = Notes(journal)
        self.users = Users(self.notes, Passwords(argon2=False, scrypt_cost=2), now=clock.now)
        GuardedLobby.set_bad_games_aside(self.users)
        self.room = Room(self.runtime, store=journal)
        self.lobby = GuardedLobby(limits, self.room, self.users, self.notes, rules or Rules(), self.clock)
        self.lobby.go_on()
        self.run()

    def clear_up(self, seconds: float) -> None:
        self.run(seconds)
        self.lobby.clear_up()
        self.run()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Callable[..., GuardedHouse]]:
    """Opens a house on one journal, closing the one before."""
    opened: list[GuardedHouse] = []
    clock = TurnedClock()

    def open_house(limits: Limits | None = None, rules: Rules | None = None) -> GuardedHouse:
        if opened:
            opened[-1].room.close()
        clock.calls.clear()
        journal = open_journal(tmp_path / "room.db")
        opened.append(GuardedHouse(journal, clock, limits or Limits(), rules))
        return opened[-1]

    yield open_house
    opened[-1].room.close()


def test_a_game_with_a_ledger_stays_a_week_without_its_bots(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    game, (ann, bob) = house.game_of("ann", "bob", private=True, ledger=True)
    house.lobby.seat_house(ann, game.id, ["caller"])
    for user in (ann, bob):
        game.leave(user.id)
    house.run(60)
    assert game.roster.house
    house.clear_up(0)
    house.clear_up(601)
    house.clear_up(60)
    assert not game.roster.members
    before = ledger(house.lobby, game, bob)
    assert len(before["players"]) == 3
    house = guarded()
    game = house.lobby.games[game.id]
    assert ledger(house.lobby, game, bob) == before
    house.clear_up(0)
    house.clear_up(7 * 24 * 3600 - 1)
    assert game.id in house.lobby.games
    house.clear_up(1)
    assert house.lobby.games == {}
    assert guarded().lobby.games == {}


def test_a_user_has_so_many_games_with_a_ledger(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded(Limits(ledgers=2))
    ann, bob = house.user("ann"), house.user("bob")
    for user in (ann, ann, bob):
        house.lobby.make(user, Setting(private=True, ledger=True, maker=user.id))
    with pytest.raises(TableRefusal, match="you have 2 tables with a ledger") as refused:
        house.lobby.make(ann, Setting(private=True, ledger=True, maker=ann.id))
    assert refused.value.code == "too_many_ledgers"
    house.lobby.make(ann, Setting(private=True, maker=ann.id))
    house.lobby.make(bob, Setting(private=True, ledger=True, maker=bob.id))


def test_a_user_has_so_many_games_with_slow_turns(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded(Limits(slow_games=2))
    ann, bob = house.user("ann"), house.user("bob")
    for user, seconds in ((ann, 600), (ann, 86_400), (bob, 600)):
        house.lobby.make(user, Setting(turn_seconds=seconds, maker=user.id))
    for seconds in (600, 601):
        with pytest.raises(
            TableRefusal, match="you have 2 tables with turns of 600 seconds or more"
        ) as refused:
            house.lobby.make(ann, Setting(turn_seconds=seconds, maker=ann.id))
        assert refused.value.code == "too_many_slow"
    quick, _ = house.lobby.make(ann, Setting(turn_seconds=599.9, maker=ann.id))
    house.lobby.make(ann)
    house.lobby.make(bob, Setting(turn_seconds=600, maker=bob.id))
    slow = next(
        game for game in house.lobby.games.values() if game.setting.maker == ann.id and game is not quick
    )
    slow.leave(ann.id)
    house.run(1)
    house.clear_up(0)
    house.clear_up(600)
    assert slow.id not in house.lobby.games
    house.lobby.make(ann, Setting(turn_seconds=600, maker=ann.id))


def test_games_that_are_slow_as_the_server_is_do_not_count(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded(Limits(slow_games=1), Rules(turn_seconds=86_400))
    ann = house.user("ann")
    for setting in (None, None, Setting(turn_seconds=600, maker=ann.id), None):
        house.lobby.make(ann, setting)


def test_a_game_nobody_is_in_is_closed_after_ten_minutes(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    game, (ann, bob) = house.game_of("ann", "bob")
    for user in (ann, bob):
        game.leave(user.id)
    house.run(20)
    house.clear_up(0)
    house.clear_up(599)
    assert game.id in house.lobby.games
    house.clear_up(1)
    assert house.lobby.games == {}
    assert game.id not in house.room.tables
    assert f"table {game.id}" not in house.room.health().alive
    with pytest.raises(TableRefusal, match="Game not found"):
        house.lobby.join(ann, game.id)
    again = guarded()
    assert (again.lobby.games, dict(again.room.tables)) == ({}, {})
    other, _ = again.lobby.make(ann)
    assert again.wealth(other) == 10_000


def test_closed_games_leave_nothing_but_their_users(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded(Limits(games_per_hour=1000))
    Hands(house.lobby)
    ann, bob = house.user("ann"), house.user("bob")

    def text(house: GuardedHouse) -> RoomImage:
        assert house.notes.journal is not None
        return house.notes.journal.look(lambda image: image)

    for _ in range(25):
        game, _seated = house.lobby.make(ann)
        house.lobby.join(bob, game.id)
        house.lobby.seat_house(ann, game.id, ["tight", "loose"])
        house.run(6)
        for user in (ann, bob):
            game.leave(user.id)
        house.run(20)
        assert game.hands
    assert len(text(house).notes) > 50
    house.clear_up(600)
    for _ in range(20):
        house.clear_up(600)
    image = text(house)
    assert sorted(image.notes) == ["user/ann", "user/bob"]
    assert (image.players, image.tables, image.ledger.keys) == ({}, {}, [])
    assert set(image.ledger.balances()) == {"mint", "forfeit"}
    assert not house.room.players
    assert house.room.health().alive == ("bank",)
    again = guarded()
    assert len(again.notes.under("")) == 2
    game, _ = again.lobby.make(ann)
    again.lobby.join(bob, game.id)
    again.run()
    assert game.turn is not None, "whoever was let go comes again"


def test_what_older_versions_left_of_closed_games_is_forgotten(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "room.db")
    clock = TurnedClock()
    house = GuardedHouse(journal, clock, Limits())
    kept = {"hand_id": "x/hand-000000001", "ids": [], "told": {"hands": 1}, "phh": ""}
    for number in range(25):
        house.notes.put(f"hands/x/{number}", json.dumps(kept))
    house.notes.put("taken/x", json.dumps(["x/hand-000000001", {}]))
    house.room.player(str(uuid.uuid4()))
    house.room.player("gus")
    house.room.close()
    house = GuardedHouse(open_journal(tmp_path / "room.db"), clock, Limits())
    Hands(house.lobby)
    house.clear_up(0)
    assert house.notes.under("") == {}
    assert list(house.room.players) == ["gus"], "another door's player stays"
    house.room.close()


def test_a_game_somebody_is_in_stays_and_one_that_was_empty_for_a_while(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded()
    ann = house.user("ann")
    game, _ = house.lobby.make(ann)
    for _ in range(5):
        house.clear_up(1000)
    game.leave(ann.id)
    house.clear_up(20)
    house.clear_up(400)
    house.lobby.join(ann, game.id)
    house.clear_up(400)
    game.leave(ann.id)
    house.clear_up(20)
    house.clear_up(400)
    assert game.id in house.lobby.games


def fold_people(house: House, game: Game) -> None:
    """Fold every turn of a person for some seconds; bots take theirs meanwhile."""
    for _ in range(12):
        if game.turn is not None and game.turn.user not in game.roster.house:
            game.act(game.turn.user, Order(None))
        house.run(1)


def test_a_server_starts_again_after_a_player_of_the_last_hand_was_removed(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded()
    game, (ann, bob) = house.game_of("ann", "bob")
    game.leave(bob.id)
    fold_people(house, game)
    house.clear_up(0)
    assert list(house.room.players) == [ann.id]
    again = guarded()
    assert list(again.lobby.games[game.id].roster.playing) == [ann.id]
    again.lobby.join(bob, game.id)
    again.run()
    assert again.room.players[bob.id].state() is not None


@pytest.mark.parametrize("who", ["person", "bots"])
def test_a_server_starts_again_after_a_person_or_the_bots_have_left(
    who: str, guarded: Callable[..., GuardedHouse]
) -> None:
    house = guarded()
    ann = house.user("ann")
    game, _ = house.lobby.make(ann)
    house.lobby.seat_house(ann, game.id, ["caller", "caller"])
    house.run()
    if who == "person":
        game.leave(ann.id)
    else:
        house.lobby.send_house_away(ann, game.id)
    fold_people(house, game)
    house.clear_up(0)
    assert len(house.room.players) == {"person": 2, "bots": 1}[who]
    again = guarded()
    assert list(again.lobby.games) == [game.id]
    assert again.room.audit().conserved
    # the same bots come again by the same names: they are others, and nothing of the hand is theirs
    again.lobby.join(ann, game.id) if who == "person" else again.lobby.seat_house(ann, game.id, ["caller"])
    last = guarded()
    last.run()
    assert last.lobby.games[game.id].turn is not None


@pytest.mark.parametrize(
    "note", ["{", "[]", '{"members": 3, "queue": []}', '{"members": {"nobody": "playing"}, "queue": []}',
             '{"members": {}, "queue": [], "setting": {"seats": 99}}'],
)  # fmt: skip
def test_a_game_whose_record_does_not_read_is_set_aside_with_its_table(
    note: str, guarded: Callable[..., GuardedHouse]
) -> None:
    house = guarded()
    other, _ = house.game_of("cid", "dan")
    game, (ann, bob) = house.game_of("ann", "bob")
    house.notes.put(f"game/{game.id}", note)
    house.notes.put(f"session/{'0' * 64}", "?")
    again = house
    for _ in range(2):
        again = guarded()
        assert list(again.lobby.games) == [other.id]
        assert list(again.room.tables) == [other.id]
        assert again.room.bank.balance(ann.id) == again.room.bank.balance(bob.id) == 10_000
        assert again.lobby.games[other.id].turn is not None
        assert again.room.audit().conserved
        Sessions(again.users, again.notes, again.clock.now)
        asides = sorted(again.notes.asides)
        assert asides == sorted(
            f"set aside/{key}" for key in (game.id, f"game/{game.id}", f"session/{'0' * 64}")
        )
        assert f"\npoker_set_aside {len(asides)}.0\n" in Metrics(
            again.lobby, Views(again.lobby, README)
        ).text(sessions=0, users=0)
    new, _ = again.lobby.make(ann)
    again.lobby.join(bob, new.id)
    assert again.room.bank.balance(ann.id) == again.room.bank.balance(bob.id) == 0, (
        "the chips they have again are their next buy-in"
    )


def test_a_note_of_a_game_is_an_object() -> None:
    with pytest.raises(BadJournal, match="the record of game 'main' cannot be read"):
        plain_of("main", "[]")


def test_a_hand_that_was_noted_is_not_told_of_again(reopened: Callable[..., House]) -> None:
    house = reopened(Hands)
    game, users = house.game_of("ann", "bob", pause=60)
    assert game.turn is not None
    game.act(game.turn.user, Order(None))
    house.run()
    for user in users:
        game.sit_out(user.id, out=True)  # so that the start deals no new hand
    assert house.ended == [game.hand_id]
    assert reopened(Hands).ended == []


def test_the_house_alone_is_nobody(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    ann = house.user("ann")
    game, _ = house.lobby.make(ann)
    house.lobby.seat_house(ann, game.id, ["caller", "caller"])
    house.run()
    game.leave(ann.id)
    for _ in range(4):
        house.clear_up(700)
    assert house.lobby.games == {}
    assert house.room.audit().conserved


def test_users_who_have_never_joined_a_game_are_forgotten_after_a_day(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded()
    ann, bob = house.user("ann"), house.user("bob")
    game, _ = house.lobby.make(ann)
    game.leave(ann.id)
    house.clear_up(86_399)
    assert len(house.users) == 2
    again = guarded()
    again.clear_up(2)
    assert again.users.get(bob.id) is None
    assert not again.users.has("bob")
    assert again.users.recall("bob", "secret") is None
    assert again.users.check("ann", "secret") == ann, "who has played stays"
    assert again.user("bob").id != bob.id
    last = guarded()
    last.clear_up(86_000)
    assert last.users.has("ann")
    assert last.users.has("bob")


def test_a_user_makes_so_many_games_an_hour(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded(Limits(games_per_hour=2, games=3))
    ann, bob = house.user("ann"), house.user("bob")
    house.lobby.make(ann)
    house.lobby.make(ann)
    with pytest.raises(TooOften):
        house.lobby.make(ann)
    house.lobby.make(bob)
    with pytest.raises(TableRefusal, match="there are 3 games"):
        house.lobby.make(bob)


def test_a_table_is_closed_only_when_nobody_is_at_it(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    game, _ = house.game_of("ann", "bob")
    with pytest.raises(TableRefusal) as caught:
        house.room.close_table(game.id)
    assert caught.value.code == "hand_in_progress"
    alone, _ = house.lobby.make(house.user("carl"))
    with pytest.raises(TableRefusal) as caught:
        house.room.close_table(alone.id)
    assert caught.value.code == "seat_taken"
    with pytest.raises(BadSpec, match="no table 'nowhere'"):
        house.room.close_table("nowhere")


def test_who_sits_out_for_a_quarter_of_an_hour_loses_the_seat(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    ann, bob = house.user("ann"), house.user("bob")
    game, _ = house.lobby.make(ann, keeps_seat=True)
    house.lobby.join(bob, game.id, keeps_seat=True)
    house.run(16)
    assert [member.away is not None for member in game.roster.playing.values()].count(True) == 1
    house.clear_up(800)
    assert len(game.roster.playing) == 2
    house.clear_up(200)
    assert len(game.roster.playing) == 1


@pytest.mark.parametrize("kind", ["table", "tournament"])
def test_views_of_a_closed_table_go_with_the_last_who_watches_it(house: House, kind: str) -> None:
    views = Views(house.lobby, README)
    if kind == "table":
        game, users = house.game_of("ann", "bob")
        for user in users:
            game.leave(user.id)
        house.run(20)
        house.lobby.drop(game)
    else:
        tournaments = Tournaments(house.lobby)
        ann, bob = house.user("ann"), house.user("bob")
        event = tournaments.make(ann, Announcement("Sunday", players=2))
        tournaments.enter(bob, event)
        house.run()
        game = house.lobby.game(str(tournaments.told(event, ann.id)["table"]))
        while game.turn is not None:
            game.turn.state.act(game.turn.state.legal.all_in or game.turn.state.legal.passive)
            house.run(5)
        assert house.lobby.elsewhere(game.id) is None
    assert views.table(game, None, 0.0), "a stream that has not heard of the end yet"
    assert len(views._kept) == 1
    del game
    gc.collect()
    assert len(views._kept) == 0


def test_a_hand_that_is_over_leaves_nothing_to_the_garbage_collector(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for _ in range(20):
            assert game.turn is not None
            game.act(game.turn.user, Order(None))
            house.run()
        assert gc.collect() == 0
    finally:
        gc.enable()
