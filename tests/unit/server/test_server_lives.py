"""Whatever was acknowledged before an end is there after the next start: random lives, and a bug that they must find."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from poker_actors.errors import StorageFailed
from poker_actors.server import Lobby, Notes
from poker_actors.server.hspe import Order, read_setting
from poker_actors.server.live import Hands, Results
from poker_actors.store import RoomImage
from poker_actors.store.journal import Row, SQLiteStorage
from poker_actors.store.ledger import Ledger
from tests.unit.server.conftest import House, picture
from tests.unit.server.life import lasting
from tests.unit.server.lives import LIVES, NAMES, World, lives
from tests.unit.server.test_server_other_games import move_in

SEEDS = 24
DATABASES = itertools.count()


def test_what_was_acknowledged_is_there_after_every_start(tmp_path: Path) -> None:
    counts = lives(range(SEEDS), lambda seed: str(tmp_path / f"{seed}.db"))
    assert counts["lives"] == SEEDS * LIVES
    assert (
        min(
            counts[one]
            for one in (
                *("killed", "ended", "died at a write", "pictures compared", "ledgers counted again"),
                *("seen late", "long turns compared", "acts sent again"),
            )
        )
        > SEEDS // 4
    )


def test_on_postgresql_too(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("postgres_server")
    counts = lives(range(4), lambda seed: str(server.url(f"lives_{next(DATABASES)}")))
    assert counts["lives"] == 4 * LIVES


@pytest.mark.parametrize(
    "seed",
    [
        620_077,  # somebody came during the hand
        1_025,  # somebody sat out
        1_554,  # there was no hand to be in
        1_313,  # the winner has left
        2_156,  # the winner has shown by choice, after the hand
    ],
)
def test_who_was_in_a_hand_and_who_won_it_is_the_same_after_a_restart(seed: int, tmp_path: Path) -> None:
    lives([seed], lambda _: str(tmp_path / "room.db"))


@pytest.mark.heavy
def test_ten_thousand_lives(tmp_path: Path) -> None:
    counts = lives(range(1_000, 3_000), lambda seed: str(tmp_path / f"{seed}.db"))
    assert counts["lives"] == 10_000


def test_a_last_hand_that_names_who_has_left_the_room_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restart that failed: a last hand was told again to all its players, those removed since included."""

    def with_all(image: RoomImage, table: Any) -> dict[str, int]:
        players = () if table.dealt is None else table.dealt.players
        return {name: seat for seat, name in enumerate(players) if name is not None}

    monkeypatch.setattr(RoomImage, "dealt_in", with_all)
    with pytest.raises(AssertionError, match="set aside"):
        lives(range(SEEDS), lambda seed: str(tmp_path / f"{seed}.db"))


def forgetful(prefix: str) -> Callable[[Notes, str], dict[str, str]]:
    """Notes of one kind that nobody finds again."""
    under = Notes.under
    return lambda notes, asked: {} if asked == prefix else under(notes, asked)


def without_counts(ledger: Ledger, table: str, counts: object = ()) -> None:
    """A ledger that begins anew with each start."""
    ledger._counts[table] = {}


@pytest.mark.parametrize(
    ("where", "name", "bug"),
    [
        (Notes, "under", forgetful("due/")),
        (Notes, "under", forgetful("hook/")),
        pytest.param(Notes, "under", forgetful("told/"), marks=pytest.mark.heavy),
        (Notes, "under", forgetful("board/")),
        (Notes, "under", forgetful("results/")),
        (Notes, "under", forgetful("session/")),
        pytest.param(Notes, "under", forgetful("shared/"), marks=pytest.mark.heavy),
        (Notes, "under", forgetful("hands/")),
        (Notes, "under", forgetful("taken/")),
        (Ledger, "count", without_counts),
        pytest.param(Lobby, "end_again", lambda lobby, game, members: None, marks=pytest.mark.heavy),
        (Lobby, "blank", lambda lobby, game: game),
    ],
    ids=["turns of days", "webhooks", "turns told", "board", "results", "log-ins", "links", "hands", "acts", "ledgers",
         "ends", "delay"],
)  # fmt: skip
def test_what_a_start_forgets_or_shows_too_soon_is_found(
    where: type, name: str, bug: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, bug)
    with pytest.raises(AssertionError):
        lives(range(4 * SEEDS), lambda seed: str(tmp_path / f"{seed}.db"))


def test_the_same_seed_lives_the_same_lives(tmp_path: Path) -> None:
    worlds = [World(5, str(tmp_path / f"{number}.db")) for number in range(2)]
    for world in worlds:
        world.run()
    assert worlds[0].story == worlds[1].story


# -- what the lives have found ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_last_hand_of_every_game_is_kept_and_shown_after_a_restart(
    name: str, reopened: Callable[..., House]
) -> None:
    house = reopened(Hands)
    ann, bob = house.user("ann"), house.user("bob")
    asked = json.dumps({"game": name, "pause": 60}).encode()
    game, _ = house.lobby.make(ann, read_setting(asked, ann.id))
    house.lobby.join(bob, game.id)
    house.run()
    while game.turn is not None:
        move_in(game)
        house.run()
    assert game.hands == 1
    shown = {owner: lasting(picture(game, owner)) for owner in (None, ann.id, bob.id)}
    hands = house.made
    assert isinstance(hands, Hands)
    told, text = hands.told(game.id, ann.id), hands.text(game.id, game.hand_id, ann.id)
    seen: dict[str | None, Any] = {}

    def looked_at(lobby: Any) -> Hands:
        """Look before the clock deals the next hand."""
        lobby.on_go_on.append(
            lambda: seen.update({one: lasting(picture(lobby.games[game.id], one)) for one in shown})
        )
        return Hands(lobby)

    again = reopened(looked_at).made
    assert isinstance(again, Hands)
    assert seen == shown
    assert (again.told(game.id, ann.id), again.text(game.id, game.hand_id, ann.id)) == (told, text)


def test_who_plays_at_two_tables_is_told_both_turns_again(reopened: Callable[..., House]) -> None:
    house = reopened()
    game, (ann, bob) = house.game_of("ann", "bob")
    second, _ = house.lobby.make(ann)
    house.lobby.join(bob, second.id)
    house.run()
    turns = {one.id: one.turn.user for one in (game, second) if one.turn is not None}
    cards = {one.id: lasting(picture(one, ann.id)) for one in (game, second)}
    again = reopened()
    found = [again.lobby.games[one] for one in turns]
    assert {one.id: one.turn.user for one in found if one.turn is not None} == turns
    assert {one.id: lasting(picture(one, ann.id)) for one in found} == cards


def test_who_came_back_as_the_process_died_is_dealt_in_after_the_restart(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of the game is written, and the table's own record is not."""
    house = reopened()
    game, (ann, _) = house.game_of("ann", "bob")
    game.sit_out(ann.id, out=True)
    house.run()
    monkeypatch.setattr(type(game.table), "sit_in", lambda *_, **__: None)
    game.sit_out(ann.id, out=False)
    monkeypatch.undo()
    other = reopened().lobby.games[game.id]
    assert [seat.out for seat in other.table.state().seats if seat is not None] == [False, False]
    assert other.turn is not None


def test_a_hand_that_could_not_be_noted_is_noted_with_the_next(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    def watched(lobby: Lobby) -> Results:
        Hands(lobby)
        return Results(lobby)

    def fails(notes: Notes, texts: Mapping[str, str | None]) -> None:
        if any(key.startswith("hands/") for key in texts):
            raise StorageFailed("the disk is full")
        write(notes, texts)

    house, write = reopened(watched), Notes.put_all
    first, users = house.game_of("ann", "bob")
    second, _ = house.lobby.make(users[0])
    house.lobby.join(users[1], second.id)
    house.run()
    for game in (first, second):
        monkeypatch.setattr(Notes, "put_all", fails if game is first else write)
        assert game.turn is not None
        game.leave(game.turn.user)
        house.run()
    results = reopened(watched).made
    assert isinstance(results, Results)
    assert [results.of_user(user.id)["hands"] for user in users] == [2, 2]


@pytest.mark.parametrize("last", ["act", "over"])
@pytest.mark.parametrize("leaves", [False, True])
def test_a_hand_paid_as_the_process_died_is_in_everybodys_results_once(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch, leaves: bool, last: str
) -> None:
    """The hand's last act or its end is written, and nothing that is noted of it."""

    def watched(lobby: Lobby) -> Results:
        kept.append(Hands(lobby))
        return Results(lobby)

    kept: list[Hands] = []
    house = reopened(watched)
    house.lobby.make(house.user("cat"))  # a table that comes back before: what waits is delivered meanwhile
    game, users = house.game_of("ann", "bob", private=True, ledger=True)
    write = SQLiteStorage.write

    def dies(storage: SQLiteStorage, rows: Sequence[Row], after: int) -> None:
        write(storage, rows, after)
        if any(row.kind == last for row in rows):
            monkeypatch.setattr(SQLiteStorage, "write", is_dead)

    def is_dead(storage: SQLiteStorage, rows: Sequence[Row], after: int) -> None:
        raise StorageFailed("the process is dead")

    monkeypatch.setattr(SQLiteStorage, "write", dies)
    assert game.turn is not None
    loser = game.turn.user
    if leaves:
        game.leave(loser)
    else:
        game.act(loser, Order(None))
    house.run()
    monkeypatch.undo()
    again = house
    for _ in range(2):
        again = reopened(watched)
        results = again.made
        assert isinstance(results, Results)
        told = [results.of_user(user.id) for user in users]
        assert [one["hands"] for one in told] == [1, 1]
        nets = {one.player: one.net for one in again.room.bank.accounts(again.lobby.games[game.id].table)}
        assert nets == {user.id: one["net"] for user, one in zip(users, told, strict=True)}
        assert [one["hands"] for one in kept[-1].told(game.id, users[0].id)] == [1]
    # between two hands, where one has left; else the next is being played
    again.notes.put(f"hands/{game.id}/0", again.notes.under("hands/")[f"{game.id}/0"][:-1])
    for _ in range(2):
        results = reopened(watched).made
        assert isinstance(results, Results)
        assert [results.of_user(user.id)["hands"] for user in users] == [1, 1], (
            "what is set aside was counted"
        )


def test_a_note_set_aside_counts_for_its_own_hand_and_for_none_that_takes_its_place_later(
    reopened: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = reopened(lambda lobby: Hands(lobby, each=3))
    game, users = house.game_of("ann", "bob", pause=0)
    for number in range(3):
        assert game.turn is not None
        game.act(game.turn.user, Order(None))
        house.run()
        if not number:
            house.notes.put(f"hands/{game.id}/0", house.notes.under("hands/")[f"{game.id}/0"][:-1])
            house = reopened(lambda lobby: Hands(lobby, each=3))
            game = house.lobby.games[game.id]
    monkeypatch.setattr(Notes, "keep", lambda *_: None)  # the process dies before the fourth is noted
    assert game.turn is not None
    game.act(game.turn.user, Order(None))
    house.runtime.run()
    monkeypatch.undo()
    hands = reopened(lambda lobby: Hands(lobby, each=3)).made
    assert isinstance(hands, Hands)
    assert [one["hands"] for one in hands.told(game.id, users[0].id)] == [4, 3, 2]
