"""What a journal promises, in every place it can be kept: SQLite, PostgreSQL, memory."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store import (
    ActionTaken,
    Booked,
    Fact,
    HandDealt,
    HandOver,
    PlayerJoined,
    RoomImage,
    RoomOpened,
    SeatsChanged,
    Storage,
    TableOpened,
    open_journal,
)

Place = str | Storage
Change = Callable[[str], None]

TABLE = TableOpened("main", 3, (1, 2, 0, 0, 0, 2), "holdem", None, 0, None, 0, True, 2)
DEALT = HandDealt(
    "main",
    "main/hand-000000000",
    0,
    0,
    0,
    1,
    ("ann", "bob", None),
    (50, 50, 0),
    "AsKsQsJsTs9s8s7s6s",
    "ab" * 32,
)
FACTS: list[Fact] = [
    RoomOpened(7),
    PlayerJoined("ann", None),
    PlayerJoined("bob", "tight:aggression=0.5"),
    Booked({"mint": -100, "bank/ann": 50, "bank/bob": 50}, ""),
    TABLE,
    SeatsChanged("main", (("ann", False, 0), ("bob", True, 1), None)),
    Booked({"bank/ann": -50, "bank/bob": -50, "escrow/main/hand-000000000/ann": 50, "escrow/main/hand-000000000/bob": 50}, ""),
    DEALT,
    ActionTaken("main/hand-000000000", 0, 16),
]  # fmt: skip


def images(place: Place) -> str:
    """What the journal comes to, as text."""
    journal = open_journal(place)
    text = journal.look(lambda image: image.to_json())
    journal.close()
    return text


def fill(place: Place, facts: list[Fact] = FACTS, *, snapshot_every: int = 1000) -> str:
    """Write facts one by one and leave the place as a killed process would, with every record in it."""
    journal = open_journal(place, snapshot_every=snapshot_every)
    for fact in facts:
        journal.append(fact)
    text = journal.look(lambda image: image.to_json())
    journal._storage.close()
    return text


def test_what_was_appended_is_there_when_the_journal_is_opened_again(place: Place) -> None:
    text = fill(place)
    journal = open_journal(place)
    assert journal.replayed.records == len(FACTS)
    assert journal.look(lambda image: image.to_json()) == text
    journal.close()


def test_the_image_keeps_players_tables_the_open_hand_and_every_chip(place: Place) -> None:
    fill(place)
    journal = open_journal(place)

    def check(image: RoomImage) -> None:
        table = image.tables["main"]
        assert image.seed == 7
        assert list(image.players.items()) == [("ann", None), ("bob", "tight:aggression=0.5")]
        assert table.opened == TABLE
        assert table.seats == (("ann", False, 0), ("bob", True, 1), None)
        assert table.open_hand == DEALT
        assert table.log == [16]
        assert image.ledger.minted == 100
        assert image.ledger.balances("escrow/") == dict.fromkeys(
            ("escrow/main/hand-000000000/ann", "escrow/main/hand-000000000/bob"), 50
        )

    journal.look(check)
    journal.close()


def test_closing_leaves_a_snapshot_that_comes_to_the_same(place: Place) -> None:
    text = fill(place)
    assert images(place) == text
    journal = open_journal(place)
    assert (journal.replayed.records, journal.replayed.snapshot) == (0, len(FACTS))
    assert journal.look(lambda image: image.to_json()) == text
    journal.close()


@pytest.mark.parametrize("every", [1, 2, 4])
def test_snapshots_on_the_way_change_nothing_and_bound_what_is_replayed(place: Place, every: int) -> None:
    text = fill(place, snapshot_every=every)
    journal = open_journal(place)
    replayed, found = journal.replayed, journal.look(lambda image: image.to_json())
    journal.close()
    # a snapshot waits until what has come since is as long as the last one
    assert replayed.records < max(every, replayed.snapshot)
    assert replayed.last == len(FACTS)
    assert found == text


def test_facts_appended_together_are_one_write_and_all_or_nothing(place: Place) -> None:
    journal = open_journal(place)
    journal.append(*FACTS)
    journal._storage.close()
    journal = open_journal(place)
    assert journal.replayed.records == len(FACTS)
    journal.close()


def test_many_threads_append_and_every_fact_is_there_once(place: Place) -> None:
    journal = open_journal(place)

    def deposit(name: str) -> None:
        for _ in range(25):
            journal.append(Booked({"mint": -1, f"bank/{name}": 1}, ""))

    threads = [threading.Thread(target=deposit, args=(f"p{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal._storage.close()
    journal = open_journal(place)
    assert journal.replayed.records == 200
    assert journal.look(lambda image: image.ledger.balances("bank/")) == {f"bank/p{n}": 25 for n in range(8)}
    journal.close()


def test_a_second_room_is_kept_out_while_the_first_is_open(lasting: str) -> None:
    journal = open_journal(lasting)
    with pytest.raises(StorageFailed, match="another process has this journal open"):
        open_journal(lasting)
    journal.append(RoomOpened(1))
    journal.close()
    open_journal(lasting).close()


@pytest.mark.parametrize("record", [1, 4, len(FACTS)])
@pytest.mark.parametrize(
    "what", ["payload = payload || ' '", "kind = 'seats'", "seq = seq + 100"], ids=["payload", "kind", "seq"]
)
def test_a_damaged_record_is_refused_by_its_number_wherever_it_stands(
    lasting: str, change: Change, record: int, what: str
) -> None:
    fill(lasting)
    change(f"UPDATE record SET {what} WHERE seq = {record}")
    with pytest.raises(BadJournal, match=rf"record {record} ") as error:
        open_journal(lasting)
    assert error.value.code == "bad_journal"


def test_a_missing_record_in_the_middle_is_refused_by_its_number(lasting: str, change: Change) -> None:
    fill(lasting)
    change("DELETE FROM record WHERE seq = 4")
    with pytest.raises(BadJournal, match="record 4 is missing: record 5 is in its place"):
        open_journal(lasting)


def test_a_damaged_snapshot_is_refused(lasting: str, change: Change) -> None:
    fill(lasting, snapshot_every=4)
    change("UPDATE snapshot SET payload = replace(payload, 'ann', 'amy') WHERE seq > 0")
    with pytest.raises(BadJournal, match="the snapshot at record 8 is damaged"):
        open_journal(lasting)


def test_a_newer_format_is_refused(lasting: str, change: Change) -> None:
    fill(lasting)
    change("UPDATE format SET version = 99")
    with pytest.raises(BadJournal, match="has format 99: this version reads up to 3"):
        open_journal(lasting)


def test_a_refused_opening_lets_go_of_the_place(lasting: str, change: Change) -> None:
    fill(lasting)
    change("UPDATE record SET kind = 'over' WHERE seq = 3")
    for _ in range(2):
        with pytest.raises(BadJournal, match="record 3"):
            open_journal(lasting)
    change("UPDATE record SET kind = 'player' WHERE seq = 3")
    open_journal(lasting).close()


def test_a_hand_that_is_over_is_kept_until_the_next_is_dealt(place: Place) -> None:
    fill(place, [*FACTS, HandOver("main/hand-000000000", voided=False)])
    journal = open_journal(place)
    table = journal.look(lambda image: image.tables["main"])
    assert (table.over, table.open_hand, table.dealt, table.log) == (True, None, DEALT, [16])
    journal.append(Booked({"mint": -1, "bank/ann": 1}, ""))
    journal.close()


def test_opening_a_whole_journal_says_nothing_of_a_cut(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    fill(place)
    with caplog.at_level(logging.WARNING):
        journal = open_journal(place)
        journal.close()
    assert journal.replayed.torn == ""
    assert caplog.records == []
