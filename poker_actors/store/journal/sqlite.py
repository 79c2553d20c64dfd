"""A journal in one SQLite file: write-ahead log, synced at every commit, one process at a time."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store.journal.record import FORMAT, Row, Snapshot, Stored
from poker_actors.store.journal.wal import inspect_wal, overlaid

__all__ = ["SQLiteStorage"]

_log: Final = logging.getLogger("poker_actors.store")

APPLICATION: Final = 0x506B4163
"""`PkAc` in the file's header: it is ours."""
_PAGE: Final = 1024
"""Bytes. A record is some 150 of them, and every page touched is written to the log whole."""
_AT_ONCE: Final = 200
"""Rows of one statement: four values each, of which an old SQLite takes 999."""
_MAGIC: Final = b"SQLite format 3\x00"
_SCHEMA: Final = (
    "CREATE TABLE record (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL, checksum BLOB NOT NULL)",
    "CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, chain BLOB NOT NULL, payload TEXT NOT NULL, checksum BLOB NOT NULL)",
)


class SQLiteStorage:
    """Records in the file at `path`, made with mode 0600 when there is none: it holds decks.

    `PRAGMA synchronous=FULL` makes each commit wait for the disk; the exclusive lock keeps a
    second process out; `secure_delete` overwrites the cards of hands that are compacted away.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._db: sqlite3.Connection | None = None
        self._unsure = False
        """a write has failed and may have left something behind"""

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    @property
    def _wal(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def load(self) -> Stored:
        """Open the file and give what is in it; see `Storage.load`."""
        self._make_private()
        wal = self._wal.name
        tail = inspect_wal(self._wal)
        if tail.commits > 1 or (tail.bad_header and tail.loose > _PAGE):
            raise BadJournal(self._damaged(wal, tail.whole))
        torn = f"{tail.loose} bytes of an unfinished write at the end of {wal}" if tail.loose else ""
        try:
            db = self._opened()
            return self._read(db, torn)
        except sqlite3.OperationalError as error:
            self.close()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error
        except sqlite3.DatabaseError as error:
            self.close()
            raise BadJournal(f"{self.name} is no journal, or is damaged: {error}") from None
        except BadJournal:
            self.close()
            raise

    def _make_private(self) -> None:
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            mode = self.path.stat().st_mode & 0o077
        except OSError as error:
            raise StorageFailed(f"{self.name}: {(error.strerror or str(error)).lower()}") from error
        head = self._head()
        if head and (head != _MAGIC or self.path.stat().st_size % _PAGE):
            # SQLite would take what is shorter than a page for a new database
            raise BadJournal(f"{self.name} is no journal, or is damaged: it is no whole SQLite file")
        if mode:
            _log.warning("%s can be read by others (mode %03o): it holds decks", self.name, 0o600 | mode)

    def _head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(len(_MAGIC))

    def _opened(self) -> sqlite3.Connection:
        db = self._db
        if db is None:
            db = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
            self._db = db
            for pragma in (
                f"page_size={_PAGE}",
                "locking_mode=EXCLUSIVE",
                "journal_mode=WAL",
                "synchronous=FULL",
                "cell_size_check=ON",
                "secure_delete=ON",
            ):
                db.execute(f"PRAGMA {pragma}")
        return db

    def _read(self, db: sqlite3.Connection, torn: str) -> Stored:
        db.execute("BEGIN EXCLUSIVE")
        empty = not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if empty:
            for statement in (f"PRAGMA application_id={APPLICATION}", *_SCHEMA):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={FORMAT}")
        db.execute("COMMIT")
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise BadJournal(f"{self.name} is a database, and no journal of ours")
        checked = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if checked != "ok":
            raise BadJournal(f"{self.name} is damaged: {' '.join(str(checked).split())}")
        version: int = db.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT:
            return Stored(version, None, ())
        kept = db.execute("SELECT seq, chain, payload, checksum FROM snapshot").fetchone()
        rows = db.execute("SELECT seq, kind, payload, checksum FROM record ORDER BY seq")
        return Stored(
            version,
            None if kept is None else Snapshot(*kept),
            [Row(*row) for row in rows],
            torn,
        )

    def _damaged(self, wal: str, frames: int) -> str:
        """Say which record is the first of those lost, without touching a file."""
        reader = sqlite3.connect(":memory:")
        try:
            reader.deserialize(overlaid(self.path.read_bytes(), self._wal.read_bytes(), frames))
            last = reader.execute(
                "SELECT max(coalesce((SELECT max(seq) FROM record), 0),"
                " coalesce((SELECT max(seq) FROM snapshot), 0))"
            ).fetchone()[0]
            record = f"record {last + 1}"
        except (sqlite3.Error, OSError):
            record = "the first record"
        finally:
            reader.close()
        return f"{self.name}: {record} is damaged, in {wal} after {frames} whole frames, and others follow it"

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Commit `rows`; see `Storage.write`."""
        try:
            db = self._opened()
            if len(rows) <= _AT_ONCE and not self._unsure:
                _insert(db, rows)  # a transaction of its own
            else:
                db.execute("BEGIN IMMEDIATE")
                if self._unsure:
                    db.execute("DELETE FROM record WHERE seq > ?", (after,))
                for at in range(0, len(rows), _AT_ONCE):
                    _insert(db, rows[at : at + _AT_ONCE])
                db.execute("COMMIT")
        except sqlite3.Error as error:
            self._failed()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error
        self._unsure = False

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace what `snapshot` covers, and empty the write-ahead file of the cards in it."""
        values = (snapshot.seq, snapshot.chain, snapshot.payload, snapshot.checksum)
        try:
            db = self._opened()
            db.execute("BEGIN IMMEDIATE")
            db.execute("DELETE FROM snapshot")
            db.execute("DELETE FROM record WHERE seq <= ?", (snapshot.seq,))
            db.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?)", values)
            db.execute(f"PRAGMA user_version={version}")
            db.execute("COMMIT")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            self._failed()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error

    def _failed(self) -> None:
        """Forget a transaction; if that fails too, begin with a new connection."""
        self._unsure = True
        try:
            if self._db is not None and self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self.close()

    def close(self) -> None:
        """Close the file."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()


def _insert(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Insert rows by one statement.

    Python's lock is let go for each statement, and has to be waited for after it: by that a thread
    that writes one row at a time takes as many turns of a busy loop as there are rows.
    """
    places = ", ".join(["(?, ?, ?, ?)"] * len(rows))
    values = [value for row in rows for value in (row.seq, row.kind, row.payload, row.checksum)]
    db.execute(f"INSERT INTO record VALUES {places}", values)


def _words(error: sqlite3.Error) -> str:
    """What SQLite says, and what it means where that is not plain."""
    text = str(error)
    if "locked" in text:
        return f"{text}: another process has this journal open"
    return text
