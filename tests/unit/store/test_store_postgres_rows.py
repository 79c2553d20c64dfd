"""A journal in PostgreSQL, row by row: what each call leaves in the tables, who else may have them open, what is refused."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store.journal import Row, Snapshot, postgres
from poker_actors.store.journal.postgres import PostgresStorage
from poker_actors.store.journal.record import FORMAT
from tests.actors.postgres_server import PostgresServer
from tests.unit.store.rows import row

SCHEMAS = itertools.count()


def snapshot(seq: int) -> Snapshot:
    return Snapshot(seq, b"%d" % seq, f"image {seq}", b"sum %d" % seq)


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    return postgres_server.url(f"rows_{next(SCHEMAS)}")


@pytest.fixture
def storage(url: str) -> Iterator[PostgresStorage]:
    """A storage just made."""
    storage = PostgresStorage(url)
    storage.load()
    yield storage
    storage.close()


def table(storage: PostgresStorage, name: str) -> list[Any]:
    """All that is in a table, by number."""
    return storage._connected().execute(f"SELECT * FROM {name} ORDER BY 1".encode()).fetchall()


def tables(storage: PostgresStorage) -> tuple[list[int], list[int], list[int]]:
    """The numbers of the records and of the snapshot, and the format."""
    names = ("poker_record", "poker_snapshot", "poker_format")
    records, snapshots, versions = ([one[0] for one in table(storage, name)] for name in names)
    return records, snapshots, versions


def test_a_new_journal_is_empty_and_of_our_format(storage: PostgresStorage, url: str) -> None:
    assert tables(storage) == ([], [], [FORMAT])
    storage.close()
    found = PostgresStorage(url)
    stored = found.load()
    assert (stored.format, stored.snapshot, list(stored.rows), stored.torn) == (FORMAT, None, [], "")
    found.close()


def test_records_are_kept_field_by_field_and_read_by_their_numbers(storage: PostgresStorage) -> None:
    storage.write([row(1, "one"), row(2)], 0)
    storage.write([Row(3, "kind \u2660", "it's", b"\x00\xff")], 2)
    assert table(storage, "poker_record") == [
        (1, "note", '{"key":"one"}', b"1one"),
        (2, "note", '{"key":""}', b"2"),
        (3, "kind \u2660", "it's", b"\x00\xff"),
    ]
    db = storage._connected()
    db.execute("UPDATE poker_record SET checksum = 'moved' WHERE seq = 1")  # now last on the page
    assert [one.seq for one in storage.load().rows] == [1, 2, 3]


def test_a_snapshot_takes_the_place_of_the_records_up_to_it_and_of_the_one_before(
    storage: PostgresStorage,
) -> None:
    storage.write([row(1), row(2), row(3), row(4)], 0)
    storage.compact(snapshot(2), FORMAT)
    assert tables(storage) == ([3, 4], [2], [FORMAT])
    storage.compact(snapshot(3), FORMAT + 1)
    assert tables(storage) == ([4], [3], [FORMAT + 1])
    assert table(storage, "poker_snapshot") == [(3, b"3", "image 3", b"sum 3")]


def test_a_newer_format_is_named_and_nothing_else_is_read(storage: PostgresStorage) -> None:
    storage.write([row(1)], 0)
    storage.compact(snapshot(0), FORMAT)
    found = storage.load()
    assert (found.format, found.snapshot, list(found.rows)) == (FORMAT, snapshot(0), [row(1)])
    storage.compact(snapshot(0), FORMAT + 1)
    found = storage.load()
    assert (found.format, found.snapshot, list(found.rows)) == (FORMAT + 1, None, [])


def test_a_journal_without_a_format_is_refused_and_let_go(storage: PostgresStorage, url: str) -> None:
    storage._connected().execute("DELETE FROM poker_format")
    with pytest.raises(BadJournal) as refusal:
        storage.load()
    assert str(refusal.value) == f"{storage.name}: the journal does not say which format it has"
    assert storage._db is None
    other = PostgresStorage(url)
    with pytest.raises(BadJournal):  # and not that another process has it open
        other.load()


def test_a_journal_open_elsewhere_is_refused_and_free_once_it_is_closed(
    storage: PostgresStorage, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_LOCK_SECONDS", 0.0)
    other = PostgresStorage(url)
    with pytest.raises(StorageFailed) as refusal:
        other.load()
    assert str(refusal.value) == f"{storage.name}: another process has this journal open"
    assert other._db is None
    storage.close()
    storage.close()
    assert other.load().format == FORMAT
    other.close()


def test_a_lock_is_of_its_journal_and_not_of_the_server(
    storage: PostgresStorage, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_LOCK_SECONDS", 0.0)
    other = PostgresStorage(postgres_server.url(f"rows_{next(SCHEMAS)}"))
    other.load()
    locks = storage._connected().execute(
        "SELECT classid::bigint, objid = 'poker_record'::regclass::oid FROM pg_locks"
        " WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
    )
    assert locks.fetchall() == [(0x506B4163, True)]
    other.close()


def test_a_number_that_is_there_already_is_refused_whole(storage: PostgresStorage) -> None:
    storage.write([row(1), row(2)], 0)
    with pytest.raises(StorageFailed) as refusal:
        storage.write([row(3), row(2, "again")], 2)
    said = 'duplicate key value violates unique constraint "poker_record_pkey"'
    assert str(refusal.value) == f"{storage.name}: {said}"
    assert tables(storage)[0] == [1, 2]
    assert (storage._unsure, storage._down) == (True, False), "the server has answered"
    storage.write([row(3)], 2)
    assert tables(storage)[0] == [1, 2, 3]
    assert storage._unsure is False
    assert storage._refused == set()


def test_after_a_doubtful_write_a_snapshot_alone_is_enough_to_go_on_from(storage: PostgresStorage) -> None:
    storage.write([row(1), row(2)], 0)
    storage.compact(Snapshot(2, row(2).checksum, "image", b"sum"), FORMAT)
    storage._unsure = True
    assert storage._last(storage._connected(), 2) == row(2).checksum
    storage.write([row(3)], 2)
    assert tables(storage) == ([3], [2], [FORMAT])
    storage._unsure = True
    with pytest.raises(StorageFailed, match="another room has written to this journal meanwhile"):
        storage.write([row(5)], 4)


def test_what_is_there_of_a_doubtful_write_is_told_by_its_last_checksum(storage: PostgresStorage) -> None:
    db = storage._connected()
    assert storage._last(db, 0) is None
    storage.write([row(1), row(2), row(3)], 0)
    storage._refused = {row(2).checksum, row(3).checksum}
    assert storage._last(db, 1) == row(3).checksum
    assert storage._last(db, 3) == row(3).checksum
    storage._refused = {row(3).checksum}
    with pytest.raises(StorageFailed) as refusal:
        storage._last(db, 1)
    assert str(refusal.value) == f"{storage.name}: another room has written to this journal meanwhile"


def test_a_connection_is_kept_until_it_is_closed(storage: PostgresStorage) -> None:
    first = storage._connected()
    assert storage._connected() is first
    assert first.autocommit is True
    first.close()
    second = storage._connected()
    assert second is not first
    storage.close()
    assert (storage._db, second.closed) == (None, True)


def test_a_place_is_named_without_user_and_password() -> None:
    storage = PostgresStorage("postgresql://ann:secret@example.org:5432/room")
    assert storage.name == "postgresql://example.org/room"
    assert PostgresStorage("postgresql://").name == "postgresql:///"


def test_a_server_that_is_not_there_is_refused_in_its_words() -> None:
    storage = PostgresStorage("postgresql://room@/postgres?host=/nowhere")
    with pytest.raises(StorageFailed) as refusal:
        storage.load()
    assert str(refusal.value).startswith("postgresql:///nowhere/postgres: connection ")
    assert "\n" not in str(refusal.value)
