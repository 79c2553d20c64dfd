"""A journal in PostgreSQL whose connection breaks in the middle of a write, and what is found there afterwards."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.errors import MissingExtra, StorageFailed
from poker_actors.store.journal import Row, Snapshot
from poker_actors.store.journal.postgres import _CONNECT_SECONDS, PATIENCE, PostgresStorage
from tests.actors.postgres_server import PostgresServer
from tests.unit.store.rows import row

SCHEMAS = itertools.count()


def snapshot(seq: int) -> Snapshot:
    return Snapshot(seq, b"chain", "{}", b"sum")


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    return postgres_server.url(f"storage_{next(SCHEMAS)}")


@pytest.fixture
def storage(url: str) -> Iterator[PostgresStorage]:
    """A storage with two records."""
    storage = PostgresStorage(url)
    storage.load()
    storage.write([row(1), row(2)], 0)
    yield storage
    storage.close()


def stored(url: str) -> list[Row]:
    """The records another process would find."""
    other = PostgresStorage(url)
    rows = list(other.load().rows)
    other.close()
    return rows


def fail_once(storage: PostgresStorage, *, done: bool, broken: bool) -> None:
    """Have the next insert fail, after it is `done` or before; its connection is `broken` or goes on."""
    import psycopg

    db: Any = storage._db
    real = db.execute

    def execute(query: Any, parameters: Any = None, **options: Any) -> Any:
        if "INSERT INTO poker_record" not in str(query):
            return real(query, parameters, **options)
        db.execute = real
        if done:
            real(query, parameters, **options)
        if broken:
            db.close()
        raise psycopg.OperationalError("the answer is lost\nand more lines")

    db.execute = execute


@pytest.mark.parametrize("done", [False, True], ids=["before it was committed", "after it was committed"])
def test_a_write_whose_connection_breaks_is_there_once(
    storage: PostgresStorage, url: str, done: bool
) -> None:
    fail_once(storage, done=done, broken=True)
    storage.write([row(3), row(4)], 2)
    storage.write([row(5)], 4)
    storage.close()
    assert stored(url) == [row(1), row(2), row(3), row(4), row(5)]


@pytest.mark.parametrize("done", [False, True], ids=["before it was committed", "after it was committed"])
def test_a_write_that_was_refused_is_replaced_by_the_next_of_its_number(
    storage: PostgresStorage, url: str, done: bool
) -> None:
    fail_once(storage, done=done, broken=False)
    with pytest.raises(StorageFailed) as refusal:
        storage.write([row(3, "refused"), row(4, "refused")], 2)
    assert str(refusal.value) == f"{storage.name}: the answer is lost"
    storage.write([row(3, "kept")], 2)
    storage.close()
    assert stored(url) == [row(1), row(2), row(3, "kept")]


def test_a_snapshot_after_a_refused_write_leaves_nothing_of_it(storage: PostgresStorage, url: str) -> None:
    fail_once(storage, done=True, broken=False)
    with pytest.raises(StorageFailed):
        storage.write([row(3, "refused")], 2)
    storage.compact(snapshot(2), 3)
    storage.write([row(3, "kept")], 2)
    storage.close()
    again = PostgresStorage(url)
    found = again.load()
    again.close()
    assert (found.snapshot, list(found.rows)) == (snapshot(2), [row(3, "kept")])


@pytest.mark.parametrize("change", ["write", "compact"])
def test_what_another_room_has_written_meanwhile_is_not_touched(
    storage: PostgresStorage, url: str, change: str
) -> None:
    storage._unsure = True  # as after a broken connection, whose lock another room has taken
    db = storage._connected()
    db.execute("INSERT INTO poker_record VALUES (3, 'note', '{}', 'foreign')")
    with pytest.raises(StorageFailed) as refusal:
        storage.write([row(3)], 2) if change == "write" else storage.compact(snapshot(2), 3)
    assert str(refusal.value) == f"{storage.name}: another room has written to this journal meanwhile"
    storage.close()
    assert [one.checksum for one in stored(url)] == [b"1", b"2", b"foreign"]


def test_a_journal_that_has_lost_what_went_before_is_refused(storage: PostgresStorage, url: str) -> None:
    storage._unsure = True
    storage._connected().execute("DELETE FROM poker_record")
    with pytest.raises(StorageFailed, match="another room has written to this journal meanwhile"):
        storage.write([row(3)], 2)
    storage.close()
    assert stored(url) == []


def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra) as refusal:
        PostgresStorage("postgresql:///journal")
    assert str(refusal.value).startswith("psycopg is not installed: it comes with the extra [postgres]")


def test_the_server_lists_the_connection_under_our_name(storage: PostgresStorage) -> None:
    db = storage._connected()
    assert db.execute("SHOW application_name").fetchone() == ("poker-actors",)
    assert db.execute("SHOW synchronous_commit").fetchone() == ("on",)
    asked = db.info.get_parameters()
    assert asked["connect_timeout"] == str(_CONNECT_SECONDS)
    assert asked["tcp_user_timeout"] == str(int(PATIENCE * 1000)), "milliseconds"


def test_a_write_that_arrived_though_its_answer_was_lost_is_replaced_by_the_next_of_its_number(
    storage: PostgresStorage, url: str
) -> None:
    storage.write([row(3, "refused")], 2)
    storage._unsure = True  # as after a connection that broke before the answer came
    storage._refused.add(row(3, "refused").checksum)
    storage.write([row(3, "kept")], 2)
    storage.close()
    assert stored(url) == [row(1), row(2), row(3, "kept")]
