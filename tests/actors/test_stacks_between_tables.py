"""Stacks that come and go unusually: topped up, sent to another table, given up; stakes of one hand alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.actors import Player, Room, StepRuntime, Table
from poker_actors.actors.bank import Book
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, StorageFailed, TableRefusal
from poker_actors.rules import Positions, Stakes
from poker_actors.store import MemoryStorage, Noted, open_journal
from tests.actors.durable_evening import FailingStorage

CHIPS = 500


def two_tables(
    room: Room, names: tuple[str, ...] = ("ann", "bob", "cyd")
) -> tuple[Table, Table, list[Player]]:
    tables = [room.open_table(name, seats=4, stakes=Stakes(5, 10)) for name in ("one", "two")]
    players = [room.player(name, "caller", chips=CHIPS) for name in names]
    for player in players:
        tables[0].sit(player)
        tables[0].buy_in(player, 100)
    return tables[0], tables[1], players


def stacks(table: Table) -> dict[str, int]:
    return {seat.player: seat.stack for seat in table.state().seats if seat}


def test_a_player_sent_to_another_table_sits_there_with_the_stack(room: Room) -> None:
    one, two, (ann, *_) = two_tables(room)
    assert one.send(ann, two) == 100
    assert stacks(one) == {"bob": 100, "cyd": 100}
    assert room.audit().tables == 300
    assert two.sit(ann, 2, with_stack=True) == 2
    assert stacks(two) == {"ann": 100}
    assert room.audit().conserved
    with pytest.raises(TableRefusal, match="ann is not at the table"):
        one.send(ann, two)
    with pytest.raises(BadSpec, match="ann is already at two"):
        two.send(ann, two)


def test_nobody_is_sent_away_during_a_hand() -> None:
    with Room(StepRuntime(), seed=1) as room:
        one, two, (ann, *_) = two_tables(room)
        live = one.deal(Deck.seeded(1))
        with pytest.raises(TableRefusal) as refused:
            one.send(ann, two)
        assert refused.value.code == "hand_in_progress"
        live.result()


def test_the_seat_of_who_was_sent_goes_to_who_waits(room: Room) -> None:
    one, two, (ann, *_) = two_tables(room, ("ann", "bob", "cyd", "dan"))
    eve = room.player("eve", "caller", chips=CHIPS)
    one.wait(eve, 50)
    one.send(ann, two)
    assert stacks(one) == {"eve": 50, "bob": 100, "cyd": 100, "dan": 100}


def test_sending_is_one_write_and_the_stack_is_found_after_a_restart(tmp_path: Path) -> None:
    storage = FailingStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        one, two, (ann, *_) = two_tables(room)
        storage.fail_next = 1
        with pytest.raises(StorageFailed):
            one.send(ann, two)
        assert stacks(one) == {"ann": 100, "bob": 100, "cyd": 100}
        before = storage.attempts
        one.send(ann, two)
        assert storage.attempts == before + 1
    left = MemoryStorage()
    left.rows, left.snapshot = list(storage.rows), storage.snapshot
    with Room(StepRuntime(), store=open_journal(left)) as room:
        assert "ann" not in stacks(room.tables["one"])
        room.tables["two"].sit(room.players["ann"], with_stack=True)
        assert stacks(room.tables["two"]) == {"ann": 100}
        assert room.audit().conserved


def test_a_stack_is_topped_up_with_new_chips_once_a_key(room: Room) -> None:
    one, _, (ann, *_) = two_tables(room)
    minted = room.audit().minted
    for _ in range(2):
        assert one.top_up(ann, 1000, key="entry/ann") == 1100
    assert room.audit().minted == minted + 1000
    assert one.top_up(ann, -1100) == 0
    assert room.audit().minted == minted - 100
    assert room.audit().conserved
    with pytest.raises(TableRefusal) as refused:
        one.top_up(ann, -1)
    assert refused.value.code == "insufficient_funds"
    with pytest.raises(BadSpec, match="top-up is 0"):
        one.top_up(ann, 0)


def test_forfeited_chips_are_the_houses_and_still_counted(room: Room) -> None:
    one, _, (ann, bob, _) = two_tables(room)
    assert one.forfeit(ann) == 100
    assert stacks(one)["ann"] == 0
    assert one.forfeit(ann) == 0
    assert room.bank.forfeit("bob", 30) == CHIPS - 130
    audit = room.audit()
    assert (audit.forfeit, audit.minted, audit.conserved) == (130, 3 * CHIPS, True)
    with pytest.raises(TableRefusal) as refused:
        room.bank.forfeit("bob", 371)
    assert refused.value.code == "insufficient_funds"
    with pytest.raises(BadSpec, match="forfeit is 0"):
        room.bank.forfeit("bob", 0)
    one.leave(ann)
    assert bob.name in stacks(one)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_is_forfeited_and_raked_survives_the_process(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    store = str(tmp_path / "room.db")
    if kind == "postgresql":
        store = request.getfixturevalue("postgres_server").url("room_forfeit")
    with Room(store=store) as room:
        one, _, (ann, *_) = two_tables(room)
        one.forfeit(ann)
        room.bank.forfeit("ann", 30)
    for _ in range(2):
        with Room(store=store) as room:
            assert (room.audit().forfeit, room.audit().conserved) == (130, True)


def test_a_hand_may_have_stakes_and_positions_of_its_own(room: Room) -> None:
    one, _, _ = two_tables(room)
    hand = (
        one.deal(Deck.seeded(1), stakes=Stakes(10, 20), positions=Positions(1, 2, 0, (0, 1, 2)))
        .result(timeout=60)
        .hand
    )
    assert hand is not None
    assert (hand.stakes, hand.button) == (Stakes(10, 20), 1)
    again = one.deal(Deck.seeded(2)).result(timeout=60).hand
    assert again is not None
    assert again.stakes == Stakes(5, 10)
    with pytest.raises(BadSpec, match="seat 3 cannot be dealt in: nobody with chips sits there"):
        one.deal(positions=Positions(1, 2, 3, (1, 2, 3)))


def test_a_hand_with_stakes_of_its_own_goes_on_with_them_after_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table = room.open_table("main", seats=2, stakes=Stakes(5, 10))
        for name in ("ann", "bob"):
            player = room.player(name, chips=CHIPS)
            table.sit(player)
            table.buy_in(player, 100)
        table.deal(stakes=Stakes(20, 40))
    with Room(store=store) as room:
        live = room.tables["main"].live()
        assert live is not None
        assert live.state().setup.stakes == Stakes(20, 40)
        for player in room.players.values():
            player.play_by("caller")
        hand = live.result(timeout=60).hand
        assert hand is not None
        assert hand.stakes == Stakes(20, 40)


def test_any_balanced_booking_is_made_once_a_key_with_what_is_to_be_noted() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        two_tables(room)
        for _ in range(2):
            booking = Book({"bank/ann": -10, "bank/pool": 10}, "entry/ann", (Noted("entry", "ann"),))
            room.bank.address.ask(booking)
        assert room.bank.balance("pool") == 10
        assert room.bank.balance("ann") == CHIPS - 110
        with pytest.raises(TableRefusal):
            room.bank.address.ask(Book({"bank/ann": -1000, "bank/pool": 1000}))
    kinds = [row.kind for row in storage.rows]
    assert kinds.count("note") <= 1
    assert open_journal(storage).look(lambda image: image.notes) == {"entry": "ann"}
