"""A journal in a SQLite file: in WAL mode, synced at every commit, used by one process at a time."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from operator import itemgetter
from pathlib import Path
from typing import Final

import attrs

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store.journal.record import FORMAT, Row, Snapshot, Stored, faults
from poker_actors.store.journal.wal import WalTail, inspect_wal, overlaid, rightly_long, salvaged, told_bytes

_log: Final = logging.getLogger("poker_actors.store")

APPLICATION: Final = 0x506B4163
"""`PkAc` in the file's header marks it as ours."""
_PAGE: Final = 1024
"""Bytes, a KiB. Small, because a record has some 150 bytes and every page touched is written to the log whole."""
_AT_ONCE: Final = 200
"""Rows per statement: four values each, and old versions of SQLite take at most 999 values."""
_LOCKED: Final = (512, 0x40000000)
"""Bytes of the file that SQLite locks, and where they begin: https://www.sqlite.org/fileformat2.html#the_lock_byte_page"""
_MISSED: Final = 1_000
"""Unreadable records in a row after which the search ends: a damaged page holds a few."""
_PIECE: Final = 64
"""Bytes of a damaged text read at a time: the part of a piece before the damage is lost with it."""
_MAGIC: Final = b"SQLite format 3\x00"
_SCHEMA: Final = (
    "CREATE TABLE record (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL, checksum BLOB NOT NULL)",
    "CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, chain BLOB NOT NULL, payload TEXT NOT NULL, checksum BLOB NOT NULL)",
)
_USED: Final = (
    "CREATE TABLE IF NOT EXISTS used (now INTEGER NOT NULL, times INTEGER NOT NULL)",
    "INSERT INTO used SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM used)",
)
"""Notes that the journal is open, so that its write-ahead file must exist; older journals have no such table."""


class SQLiteStorage:
    """Records in the file at `path`, made with mode 0600 if there is none, since it holds decks.

    `PRAGMA synchronous=FULL` makes each commit wait for the disk, the exclusive lock keeps a second
    process out, and `secure_delete` overwrites the cards of hands that are compacted away.
    """

    def __init__(self, path: str | Path) -> None:
        self._db: sqlite3.Connection | None = None
        self.path = Path(path)
        self._unsure = False
        """a write failed and may have left remains"""
        self._taken = False
        """this process has noted in the file that the journal is open"""

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    @property
    def _wal(self) -> Path:
        return Path(f"{self.path}-wal")

    def load(self) -> Stored:
        """Open the file and read it; see `Storage.load`."""
        self._taken = False
        self._make()
        self._check_file()
        wal = self._wal.name
        try:
            there, tail = self._wal.exists(), inspect_wal(self._wal)
        except OSError as error:
            raise StorageFailed(f"{self.name}: {wal}: {_reason(error)}") from error
        if tail.commits > 1 or (tail.bad_header and tail.loose > _PAGE):
            raise BadJournal(self._damaged(wal, tail.whole))
        torn = self._unfinished(tail)
        try:
            db = self._opened()
            if not tail.whole:
                torn = torn or self._missing(db, there=there)
            stored = self._read(db, torn)
            self._taken = True
            self._take(db)
            return stored
        except sqlite3.OperationalError as error:
            self.close()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error
        except sqlite3.DatabaseError as error:
            self.close()
            raise BadJournal(f"{self.name} is not a journal, or is damaged: {error}") from None
        except BadJournal:
            self.close()
            raise

    def _make(self) -> None:
        """Make the file if there is none. It appears whole under its name or not at all, whenever the process dies."""
        if self.path.exists():
            return
        try:
            handle, made = tempfile.mkstemp(prefix=f"{self.path.name}.", dir=self.path.parent)
            os.close(handle)
            try:
                self._fill(made)
                with suppress(FileExistsError):  # another process was quicker: its file is as good
                    os.link(made, self.path)
            finally:
                Path(made).unlink()
        except OSError as error:
            raise StorageFailed(f"{self.name}: {_reason(error)}") from error
        except sqlite3.Error as error:
            raise StorageFailed(f"{self.name}: {_words(error)}") from error

    @staticmethod
    def _fill(path: str) -> None:
        """Turn an empty file into an empty journal."""
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute(f"PRAGMA page_size={_PAGE}")
            db.execute("BEGIN EXCLUSIVE")
            for statement in (f"PRAGMA application_id={APPLICATION}", *_SCHEMA, *_USED):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={FORMAT}")
            db.execute("COMMIT")
        finally:
            db.close()

    def _check_file(self) -> None:
        """Refuse anything but a whole SQLite file, and warn if others can read it."""
        try:
            os.close(os.open(self.path, os.O_RDWR))
            with self.path.open("rb") as file:
                head = file.read(len(_MAGIC))
        except OSError as error:
            raise StorageFailed(f"{self.name}: {_reason(error)}") from error
        if not head:
            raise BadJournal(
                f"{self.name} is empty, 0 bytes, and a journal never is: remove it to begin a new one"
            )
        if head != _MAGIC or self.path.stat().st_size % _PAGE:
            # SQLite would treat a file shorter than a page as a new database
            raise BadJournal(f"{self.name} is not a journal, or is damaged: it is not a whole SQLite file")
        if mode := self.path.stat().st_mode & 0o077:
            _log.warning("%s can be read by others (mode %03o): it holds decks", self.name, 0o600 | mode)

    def _opened(self) -> sqlite3.Connection:
        db = self._db
        if db is None:
            # any thread may write; the journal's own lock admits one at a time
            db = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
            self._db = db
            # In this order: the page size cannot be changed in WAL mode, and only exclusive locking that is set before
            # it avoids the shared-memory file.
            for pragma in (
                f"page_size={_PAGE}",
                "locking_mode=EXCLUSIVE",
                "journal_mode=WAL",
                "synchronous=FULL",
                "cell_size_check=ON",
                "secure_delete=ON",
            ):
                db.execute(f"PRAGMA {pragma}")
            if self._taken:
                self._take(db)  # a new connection: the previous one removed the write-ahead file
        return db

    def _missing(self, db: sqlite3.Connection, *, there: bool) -> str:
        """Refuse a journal whose write-ahead file is missing; return a description of one that is empty.

        A process that closes a journal leaves no such file; one that dies leaves a file with at least one commit.
        """
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if tables and not _in_use(db):
            return ""
        if not there:
            raise BadJournal(
                f"{self.name}: {self._gone}: bring it back, or make an empty one to go on without it"
            )
        return self._emptied if tables else ""

    @property
    def _gone(self) -> str:
        return f"its write-ahead file {self._wal.name} is missing, with what was written last"

    @property
    def _emptied(self) -> str:
        return f"whatever was in {self._wal.name}, which is empty: the process died at a snapshot, or it was emptied"

    def _unfinished(self, tail: WalTail) -> str:
        said = f"{tail.loose} bytes of an unfinished write at the end of {self._wal.name}"
        return said if tail.loose else ""

    @staticmethod
    def _take(db: sqlite3.Connection) -> None:
        """Note in the main file that the journal is open, and start a write-ahead file that is not empty."""
        for statement in (*_USED, "UPDATE used SET now = 1"):
            db.execute(statement)
        _empty_log(db)

    def _read(self, db: sqlite3.Connection, torn: str) -> Stored:
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise BadJournal(f"{self.name} is a database, but not a poker_actors journal")
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
        """Describe the damage, with the first record lost, without touching a file."""
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

    def salvage(self) -> Stored:
        """Read a copy in memory; see `Storage.salvage`."""
        try:
            with self.path.open("rb") as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    raise BadJournal(f"{self.name} is not a journal: it is not an SQLite file")
            there, tail = self._wal.exists(), inspect_wal(self._wal)
            data, log = self.path.read_bytes(), self._wal.read_bytes() if there else b""
        except OSError as error:
            raise StorageFailed(f"{self.name}: {_reason(error)}") from error
        self._check_unused()
        data, count = rightly_long(data, _PAGE)
        end = len(data)
        # a copy that ended early: SQLite opens whole pages only, and as many as the file's head says
        data += bytes(max(-len(data) % _PAGE, told_bytes(data, _PAGE) - len(data)))
        if tail.bad_header and tail.loose <= _PAGE:
            log = b""  # a start cuts it off, as `load` does
        data, said = salvaged(data, log, self._best)
        # a page that the write-ahead file brings is not missed
        gone = sum(
            at < end or not any(data[at : at + _PAGE]) for at in range(end - end % _PAGE, len(data), _PAGE)
        )
        unfinished, told = "" if said else self._unfinished(tail), [count]
        try:
            stored = self._read_there(data)
            used = _in_use_there(data)
            if used is None:
                told.append("the page that says whether it was closed is damaged")
            elif used and not (tail.whole or tail.loose):
                said, unfinished = (said, self._emptied) if there else (self._gone, "")
        except sqlite3.DatabaseError as error:
            raise BadJournal(f"{self.name} cannot be read: {error}") from None
        if gone:
            last = max(
                [0 if stored.snapshot is None else stored.snapshot.seq, *[row.seq for row in stored.rows]]
            )
            told.append(f"{gone} KiB at the end of the file are missing, and records after {last}, if any")
        torn = "; ".join(filter(None, [*told, said]))
        return attrs.evolve(stored, torn=torn, unfinished=unfinished)

    def _read_there(self, data: bytes) -> Stored:
        """Read a database in memory, as far as it goes; raises `sqlite3.DatabaseError`."""
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(data)
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                raise BadJournal(f"{self.name} is a database, but not a poker_actors journal")
            version: int = db.execute("PRAGMA user_version").fetchone()[0]
            snapshot = _snapshot_there(db)
            return Stored(version, snapshot, _rows_there(db, 0 if snapshot is None else snapshot.seq))

    def _best(self, databases: Iterable[bytes]) -> int:
        """Return the number of the database whose records are right by their own checksums; see `salvaged`.

        Raises `BadJournal` if several are as right as each other, with different records.
        """
        found: list[tuple[int, int, int, Stored]] = []
        for number, data in enumerate(databases):
            with suppress(sqlite3.DatabaseError, BadJournal):
                one = self._read_there(data)
                wrong = len(list(faults(one))) + (not 0 < one.format <= FORMAT)
                found.append((wrong, -len(one.rows), number, one))
        if not found:
            return 0  # which is refused with its reason
        least = min(found, key=itemgetter(0, 1, 2))
        if any(one[:2] == least[:2] and one[3] != least[3] for one in found):
            raise BadJournal(
                f"{self.name}: in {self._wal.name} one bit of a frame is wrong, and neither its sums nor the records'"
                " checksums tell which, so nothing is repaired"
            )
        return least[2]

    def _check_unused(self) -> None:
        """Refuse a journal that another process has open; raises `StorageFailed`.

        Asking SQLite would make files beside it. On Windows, which has no such locks, the copy shows what was there.
        """
        try:
            import fcntl
        except ImportError:
            return
        with self.path.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, *_LOCKED)
            except BlockingIOError:
                text = f"{self.name}: database is locked: another process has this journal open"
                raise StorageFailed(text) from None

    def begin_anew(self, snapshot: Snapshot) -> str:
        """Replace this file with a new one; see `Storage.begin_anew`."""
        self._check_unused()
        number = 1
        while (copy := self.path.with_name(f"{self.path.name}.before-{number}")).exists():
            number += 1
        handle, made = tempfile.mkstemp(prefix=f"{self.path.name}.", dir=self.path.parent)
        os.close(handle)
        try:
            self._fill(made)
            fresh = SQLiteStorage(made)
            fresh.compact(snapshot, FORMAT)
            fresh.close()
            shutil.copy2(self.path, copy)
            if self._wal.exists():
                shutil.copy2(self._wal, copy.with_name(f"{copy.name}-wal"))
            # the write-ahead file first: beside the new file, SQLite would play it into that
            self._wal.unlink(missing_ok=True)
            Path(made).replace(self.path)
        except OSError as error:
            raise StorageFailed(f"{self.name}: {_reason(error)}") from error
        finally:
            for left in (made, f"{made}-wal"):
                Path(left).unlink(missing_ok=True)
        return str(copy)

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Commit `rows`; see `Storage.write`."""
        try:
            db = self._opened()
            if len(rows) <= _AT_ONCE and not self._unsure:
                _insert(db, rows)  # a transaction by itself
            else:
                db.execute("BEGIN IMMEDIATE")
                if self._unsure:
                    # the failed commit may have reached the disk, and its numbers would be there twice
                    db.execute("DELETE FROM record WHERE seq > ?", (after,))
                for at in range(0, len(rows), _AT_ONCE):
                    _insert(db, rows[at : at + _AT_ONCE])
                db.execute("COMMIT")
        except sqlite3.Error as error:
            self._failed()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error
        self._unsure = False

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace the records that `snapshot` covers, and clear their cards out of the write-ahead file."""
        values = (snapshot.seq, snapshot.chain, snapshot.payload, snapshot.checksum)
        try:
            db = self._opened()
            db.execute("BEGIN IMMEDIATE")
            if self._unsure:
                # refused, but may have been stored
                db.execute("DELETE FROM record WHERE seq > ?", (snapshot.seq,))
            db.execute("DELETE FROM snapshot")
            db.execute("DELETE FROM record WHERE seq <= ?", (snapshot.seq,))
            db.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?)", values)
            db.execute(f"PRAGMA user_version={version}")
            db.execute("COMMIT")
            # after the commit: until then only this file may hold the records that the snapshot covers
            _empty_log(db)
        except sqlite3.Error as error:
            self._failed()
            raise StorageFailed(f"{self.name}: {_words(error)}") from error

    def _failed(self) -> None:
        """Roll back; if that fails too, close the connection."""
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
                if db.in_transaction:  # an interrupt came in the middle of it
                    db.execute("ROLLBACK")
                if self._taken:
                    db.execute("UPDATE used SET now = 0")  # from here on the write-ahead file may be missing
            with suppress(sqlite3.Error):
                db.close()

    def __del__(self) -> None:
        """Close the file if the program forgot to: then SQLite removes the write-ahead file."""
        self.close()


def _in_use(db: sqlite3.Connection) -> bool:
    """Whether a journal was left open; early versions did not record it."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'used'").fetchone() is None:
        return False
    if (row := db.execute("SELECT now FROM used").fetchone()) is None:
        raise sqlite3.DatabaseError("it does not say whether it was closed")
    return bool(row[0])


def _in_use_there(data: bytes) -> bool | None:
    """Return whether a journal in memory was left open; None if it cannot be read."""
    with closing(sqlite3.connect(":memory:")) as db, suppress(sqlite3.DatabaseError):
        db.deserialize(data)
        return _in_use(db)
    return None


def _empty_log(db: sqlite3.Connection) -> None:
    """Empty the write-ahead file, then write to it: a file of 0 bytes would be taken for a loss."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    db.execute("UPDATE used SET times = times + 1")


def _snapshot_there(db: sqlite3.Connection) -> Snapshot | None:
    """Return the snapshot; if a page of it is lost, without a checksum and with as much of its text as can be read."""
    with suppress(sqlite3.DatabaseError):
        kept = db.execute("SELECT seq, chain, payload, checksum FROM snapshot").fetchone()
        if kept is None:
            return None
        if list(map(type, kept)) == [int, bytes, str, bytes] and "\0" not in kept[2]:
            return Snapshot(*kept)
    begun = db.execute("SELECT seq, chain FROM snapshot").fetchone()
    if begun is None or list(map(type, begun)) != [int, bytes]:
        raise sqlite3.DatabaseError("the snapshot is damaged")
    text = bytearray()
    with suppress(sqlite3.DatabaseError), db.blobopen("snapshot", "payload", begun[0], readonly=True) as blob:
        while piece := blob.read(_PIECE):
            text += piece
    # a lost page reads as zeros, which are not JSON
    seq, chain = begun
    return Snapshot(seq, chain, bytes(text).partition(b"\0")[0].decode("ascii", "replace"), b"")


def _rows_there(db: sqlite3.Connection, after: int) -> list[Row]:
    """Return the records that can be read; where a page is damaged, each is looked up by itself."""
    columns = "SELECT seq, kind, payload, checksum FROM record"
    try:
        found = db.execute(f"{columns} WHERE seq > ? ORDER BY seq", (after,)).fetchall()
    except sqlite3.DatabaseError:
        found, missed = [], 0
        while missed < _MISSED:
            after += 1
            try:
                row = db.execute(f"{columns} WHERE seq = ?", (after,)).fetchone()
            except sqlite3.DatabaseError:
                row = None
            missed = missed + 1 if row is None else 0
            if row is not None:
                found.append(row)
    # a damaged page may hold something other than text: that is no record
    return [Row(*row) for row in found if list(map(type, row)) == [int, str, str, bytes]]


def _insert(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Insert rows with one statement.

    Each statement releases the GIL and must wait to get it back. Beside a busy thread, writing row by row would
    cost one such wait per row.
    """
    places = ", ".join(["(?, ?, ?, ?)"] * len(rows))
    values = [value for row in rows for value in (row.seq, row.kind, row.payload, row.checksum)]
    db.execute(f"INSERT INTO record VALUES {places}", values)


def _reason(error: OSError) -> str:
    """Return the system's words, without the path."""
    return (error.strerror or str(error)).lower()


def _words(error: sqlite3.Error) -> str:
    """Return SQLite's message, explained where it is unclear."""
    return f"{error}: another process has this journal open" if "locked" in str(error) else str(error)
