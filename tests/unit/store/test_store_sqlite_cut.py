"""A journal in SQLite whose write fails, and what is found there afterwards."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store.journal import Row, Snapshot, SQLiteStorage, Stored
from poker_actors.store.journal import sqlite as sqlite_module
from tests.unit.store.rows import row

SNAPSHOT = Snapshot(2, b"chain", "{}", b"sum")


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[SQLiteStorage]:
    """A storage with two records."""
    storage = SQLiteStorage(tmp_path / "room.db")
    storage.load()
    storage.write([row(1), row(2)], 0)
    yield storage
    storage.close()


def found(storage: SQLiteStorage) -> tuple[Snapshot | None, list[Row]]:
    """What another process would find."""
    storage.close()
    other = SQLiteStorage(storage.path)
    stored = other.load()
    other.close()
    return stored.snapshot, list(stored.rows)


class FailingOnce:
    """A connection whose next statement with `words` fails, after it is `done` or before."""

    def __init__(self, db: Any, words: str, *, done: bool) -> None:
        self.db, self.words, self.done = db, words, done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)

    def execute(self, statement: str, *values: Any) -> Any:
        if not self.words or self.words not in statement:
            return self.db.execute(statement, *values)
        self.words = ""
        if self.done:
            self.db.execute(statement, *values)
        raise sqlite3.OperationalError("disk I/O error")


def fail_once(storage: SQLiteStorage, words: str, *, done: bool) -> None:
    db: Any = storage._db
    storage._db = FailingOnce(db, words, done=done)  # type: ignore[assignment]


@pytest.mark.parametrize("done", [False, True], ids=["before it was committed", "after it was committed"])
@pytest.mark.parametrize("many", [1, 400], ids=["one statement", "a transaction"])
def test_a_write_that_was_refused_is_replaced_by_the_next_of_its_number(
    storage: SQLiteStorage, done: bool, many: int
) -> None:
    fail_once(storage, "INSERT INTO record" if many == 1 else "COMMIT", done=done)
    with pytest.raises(StorageFailed) as refusal:
        storage.write([row(3 + at, "refused") for at in range(many)], 2)
    assert str(refusal.value) == f"{storage.name}: disk I/O error"
    storage.write([row(3, "kept")], 2)
    storage.write([row(4)], 3)
    assert found(storage) == (None, [row(1), row(2), row(3, "kept"), row(4)])


def test_a_snapshot_after_a_refused_write_leaves_nothing_of_it(storage: SQLiteStorage) -> None:
    fail_once(storage, "INSERT INTO record", done=True)
    with pytest.raises(StorageFailed):
        storage.write([row(3, "refused")], 2)
    storage.compact(SNAPSHOT, 3)
    assert found(storage) == (SNAPSHOT, [])


@pytest.mark.parametrize("words", ["DELETE FROM snapshot", "INSERT INTO snapshot", "COMMIT"])
def test_a_snapshot_that_fails_leaves_the_records_it_covers(storage: SQLiteStorage, words: str) -> None:
    fail_once(storage, words, done=False)
    with pytest.raises(StorageFailed):
        storage.compact(SNAPSHOT, 3)
    storage.write([row(3)], 2)
    assert found(storage) == (None, [row(1), row(2), row(3)])


def test_a_transaction_that_cannot_be_rolled_back_ends_with_its_connection(storage: SQLiteStorage) -> None:
    fail_once(storage, "ROLLBACK", done=False)
    fail_once(storage, "COMMIT", done=False)
    with pytest.raises(StorageFailed):
        storage.compact(SNAPSHOT, 3)
    assert storage._db is None
    storage.write([row(3)], 2)
    assert found(storage) == (None, [row(1), row(2), row(3)])


def test_the_connection_waits_for_no_lock_and_syncs_checks_and_clears_what_it_writes(
    storage: SQLiteStorage,
) -> None:
    db: Any = storage._db
    names = (
        "busy_timeout",
        "locking_mode",
        "journal_mode",
        "synchronous",
        "cell_size_check",
        "secure_delete",
    )
    found = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
    assert found == [0, "exclusive", "wal", 2, 1, 1]


def test_a_journal_that_cannot_note_its_end_is_closed_all_the_same(storage: SQLiteStorage) -> None:
    fail_once(storage, "UPDATE used", done=False)
    db: Any = storage._db
    storage.close()
    assert storage._db is None
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        db.execute("SELECT 1")


def test_what_sqlite_says_of_the_damage_is_one_line(storage: SQLiteStorage) -> None:
    class Damaged(FailingOnce):
        def execute(self, statement: str, *values: Any) -> Any:
            if "quick_check" in statement:
                return self.db.execute(
                    "SELECT '*** in database main ***' || char(10) || 'Page 3: never used'"
                )
            return self.db.execute(statement, *values)

    db: Any = Damaged(storage._db, "", done=False)
    with pytest.raises(BadJournal) as refusal:
        storage._read(db, "")
    assert str(refusal.value) == f"{storage.name} is damaged: *** in database main *** Page 3: never used"


def test_of_a_newer_journal_only_its_version_is_read(storage: SQLiteStorage) -> None:
    db = storage._opened()
    db.execute("PRAGMA user_version=99")
    assert storage._read(db, "") == Stored(99, None, ())


def test_a_snapshot_that_fails_says_why(storage: SQLiteStorage) -> None:
    fail_once(storage, "INSERT INTO snapshot", done=False)
    with pytest.raises(StorageFailed) as refusal:
        storage.compact(SNAPSHOT, 3)
    assert str(refusal.value) == f"{storage.name}: disk I/O error"


def test_a_file_that_cannot_be_filled_is_not_there_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(path: str) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(SQLiteStorage, "_fill", staticmethod(fill))
    with pytest.raises(StorageFailed) as refusal:
        SQLiteStorage(tmp_path / "new.db").load()
    assert str(refusal.value) == f"{tmp_path / 'new.db'}: disk I/O error"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_another_process_has_made_meanwhile_is_as_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new.db"
    link = os.link

    def quicker(made: str, to: Path) -> None:
        link(made, to)
        link(made, to)  # raises FileExistsError, as for who comes second

    monkeypatch.setattr(os, "link", quicker)
    storage = SQLiteStorage(path)
    assert list(storage.load().rows) == []
    storage.close()
    assert list(tmp_path.iterdir()) == [path]


def test_the_systems_words_are_told_without_the_path_and_its_own_if_it_has_none() -> None:
    assert (
        sqlite_module._reason(OSError(28, "No space left on device", "/room.db")) == "no space left on device"
    )
    assert sqlite_module._reason(OSError("Gone")) == "gone"


def test_what_is_no_sqlite_file_of_whole_pages_is_named_as_such(tmp_path: Path) -> None:
    for number, content in enumerate((b"x" * 2048, b"SQLite format 3\x00" + bytes(100))):
        path = tmp_path / f"{number}.db"
        path.write_bytes(content)
        with pytest.raises(BadJournal) as refusal:
            SQLiteStorage(path).load()
        assert str(refusal.value) == f"{path} is not a journal, or is damaged: it is not a whole SQLite file"


def test_a_sqlite_file_with_nonsense_in_it_is_named_with_what_sqlite_says(storage: SQLiteStorage) -> None:
    storage.close()
    whole = storage.path.read_bytes()
    storage.path.write_bytes(whole[:16] + bytes(84) + whole[100:])
    with pytest.raises(BadJournal) as refusal:
        storage.load()
    said = f"{storage.name} is not a journal, or is damaged: file is not a database"
    assert str(refusal.value) == said


def test_damage_beyond_reading_is_said_to_begin_with_the_first_record(
    storage: SQLiteStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sqlite_module, "overlaid", lambda *_: bytes(4096))
    there = sorted(tmp_path.iterdir())
    assert storage._damaged("room.db-wal", 3) == (
        f"{storage.name}: the first record is damaged, in room.db-wal after 3 whole frames, and others follow it"
    )
    assert sorted(tmp_path.iterdir()) == there, "it is read in memory"


def test_a_file_that_others_can_read_is_warned_about_by_name(
    storage: SQLiteStorage, caplog: pytest.LogCaptureFixture
) -> None:
    storage.close()
    storage.path.chmod(0o604)
    again = SQLiteStorage(storage.path)
    again.load()
    again.close()
    assert caplog.messages == [f"{storage.name} can be read by others (mode 604): it holds decks"]
