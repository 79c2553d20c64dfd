"""A journal in PostgreSQL, over a connection that may break and be made again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from poker_actors.errors import BadJournal, StorageFailed, from_extra
from poker_actors.store.journal.record import FORMAT, Row, Snapshot, Stored

if TYPE_CHECKING:
    import psycopg

SCHEMES: Final = ("postgresql://", "postgres://")

PATIENCE: Final = 3.0
"""Seconds that a write waits for a server to restart: less than an ask waits for its answer."""
_PAUSE: Final = 0.05
"""Seconds between two attempts to connect or to get the lock."""
_CONNECT_SECONDS: Final = 2
"""The least that libpq accepts; writes wait this long for a host that does not answer."""
_LOCK_SECONDS: Final = 1.0
"""Time for the server to notice that the lock's previous holder is gone."""
_LOCK: Final = 0x506B4163
"""First key of a journal's advisory lock; the second is the number of its table."""
_SCHEMA: Final = (
    "CREATE TABLE poker_record (seq bigint PRIMARY KEY, kind text NOT NULL,"
    " payload text NOT NULL, checksum bytea NOT NULL);"
    "CREATE TABLE poker_snapshot (seq bigint PRIMARY KEY, chain bytea NOT NULL,"
    " payload text NOT NULL, checksum bytea NOT NULL);"
    "CREATE TABLE poker_format (version integer NOT NULL)"
)
_INSERT: Final = (
    "INSERT INTO poker_record SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::bytea[])"
)


class PostgresStorage:
    """Records in the tables `poker_record`, `poker_snapshot` and `poker_format` of a database.

    The tables are made in the first schema of the search path, so each schema can hold a room. A lock
    keeps a second room out. If the connection breaks, a write connects again for `PATIENCE` seconds,
    looks whether it was committed, and if not repeats it.
    """

    def __init__(self, url: str) -> None:
        with from_extra("postgres", "psycopg"):
            import psycopg
        self._psycopg = psycopg
        self._url = url
        self._db: psycopg.Connection[Any] | None = None
        self._down = False
        """the server did not answer last time, so writes do not wait for it again"""
        self._refused: set[bytes] = set()
        """checksums of records whose write failed but may have been committed"""
        self._unsure = False

    @property
    def name(self) -> str:
        """The URL's host and database, without user or password."""
        found = self._psycopg.conninfo.conninfo_to_dict(self._url)
        return f"postgresql://{found.get('host', '')}/{found.get('dbname', '')}"

    def load(self) -> Stored:
        """Connect and read; see `Storage.load`."""
        try:
            return self._read(self._connected())
        except self._psycopg.Error as error:
            self.close()
            raise StorageFailed(f"{self.name}: {_words(error)}") from None
        except BadJournal:
            self.close()
            raise

    def _connected(self) -> psycopg.Connection[Any]:
        if self._db is not None and not self._db.closed:
            return self._db
        db = self._psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            tcp_user_timeout=int(PATIENCE * 1000),
            application_name="poker-actors",
        )
        try:
            db.execute("SET synchronous_commit = on")
            if db.execute("SELECT to_regclass('poker_format')").fetchone() == (None,):
                with db.transaction():
                    db.execute(_SCHEMA)
                    db.execute("INSERT INTO poker_format VALUES (%s)", (FORMAT,))
            self._take_lock(db)
        except BaseException:
            db.close()
            raise
        self._db = db
        return db

    def _take_lock(self, db: psycopg.Connection[Any]) -> None:
        """Take the lock; retry while the server notices that its previous holder is gone."""
        end = time.monotonic() + _LOCK_SECONDS
        lock = "SELECT pg_try_advisory_lock(%s, 'poker_record'::regclass::oid::int)"
        while db.execute(lock, (_LOCK,)).fetchone() != (True,):
            if time.monotonic() >= end:
                raise self._psycopg.OperationalError("another process has this journal open")
            time.sleep(_PAUSE)

    def _read(self, db: psycopg.Connection[Any]) -> Stored:
        found = db.execute("SELECT version FROM poker_format").fetchone()
        if found is None:
            raise BadJournal(f"{self.name}: the journal does not say which format it has")
        if found[0] > FORMAT:
            return Stored(found[0], None, ())
        kept = db.execute("SELECT seq, chain, payload, checksum FROM poker_snapshot").fetchone()
        rows = db.execute("SELECT seq, kind, payload, checksum FROM poker_record ORDER BY seq")
        return Stored(
            found[0], None if kept is None else Snapshot(*kept), [Row(*row) for row in rows.fetchall()]
        )

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Commit `rows`; see `Storage.write`."""
        columns = [
            [row.seq for row in rows],
            [row.kind for row in rows],
            [row.payload for row in rows],
            [row.checksum for row in rows],
        ]

        def insert(db: psycopg.Connection[Any]) -> None:
            if self._unsure and self._last(db, after) == rows[-1].checksum:
                return  # it was committed; only the answer was lost
            if not self._unsure:
                db.execute(_INSERT, columns)  # a transaction by itself: one round trip
                return
            with db.transaction():
                db.execute("DELETE FROM poker_record WHERE seq > %s", (after,))
                db.execute(_INSERT, columns)

        self._refused.update(row.checksum for row in rows)
        self._persist(insert)
        self._refused.clear()

    def _last(self, db: psycopg.Connection[Any], after: int) -> bytes | None:
        """Return the last checksum stored; raises `StorageFailed` if another room has written meanwhile."""
        found = db.execute(
            "SELECT seq, checksum FROM poker_record WHERE seq >= %s"
            " UNION ALL SELECT seq, chain FROM poker_snapshot WHERE seq >= %s ORDER BY 1",
            (after, after),
        ).fetchall()
        foreign = [seq for seq, checksum in found if seq > after and checksum not in self._refused]
        if foreign or (after and (not found or found[0][0] != after)):
            raise StorageFailed(f"{self.name}: another room has written to this journal meanwhile")
        return found[-1][1] if found else None

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace the records that `snapshot` covers; see `Storage.compact`."""

        def replace(db: psycopg.Connection[Any]) -> None:
            with db.transaction():
                if self._unsure:
                    self._last(db, snapshot.seq)
                    db.execute("DELETE FROM poker_record WHERE seq > %s", (snapshot.seq,))
                db.execute("DELETE FROM poker_snapshot")
                db.execute("DELETE FROM poker_record WHERE seq <= %s", (snapshot.seq,))
                db.execute(
                    "INSERT INTO poker_snapshot VALUES (%s, %s, %s, %s)",
                    (snapshot.seq, snapshot.chain, snapshot.payload, snapshot.checksum),
                )
                db.execute("UPDATE poker_format SET version = %s", (version,))

        self._persist(replace)

    def _persist(self, what: Callable[[psycopg.Connection[Any]], None]) -> None:
        """Call `what`, and again after a broken connection, for `PATIENCE` seconds."""
        end = time.monotonic() + (0 if self._down else PATIENCE)
        while True:
            try:
                what(self._connected())
            except self._psycopg.Error as error:
                self._unsure = True
                broken = self._db is None or self._db.closed or self._db.broken
                if broken:
                    self.close()
                if not broken or time.monotonic() >= end:
                    self._down = broken
                    raise StorageFailed(f"{self.name}: {_words(error)}") from None
                time.sleep(_PAUSE)
            else:
                self._down = self._unsure = False
                return

    def salvage(self) -> Stored:
        """Return everything that is there; see `Storage.salvage`."""
        return self.load()

    def begin_anew(self, snapshot: Snapshot) -> str:
        """Rename the tables, and make new ones; see `Storage.begin_anew`."""
        from psycopg.sql import SQL, Identifier

        values = (snapshot.seq, snapshot.chain, snapshot.payload, snapshot.checksum)
        try:
            db = self._connected()
            with db.transaction():
                number = 1
                while db.execute("SELECT to_regclass(%s)", (f"poker_record_before_{number}",)).fetchone() != (
                    None,
                ):
                    number += 1
                for name in ("record", "snapshot"):
                    kept, copy = Identifier(f"poker_{name}"), Identifier(f"poker_{name}_before_{number}")
                    db.execute(SQL("CREATE TABLE {} AS TABLE {}").format(copy, kept))
                    db.execute(SQL("DELETE FROM {}").format(kept))
                db.execute("INSERT INTO poker_snapshot VALUES (%s, %s, %s, %s)", values)
                db.execute("UPDATE poker_format SET version = %s", (FORMAT,))
        except self._psycopg.Error as error:
            raise StorageFailed(f"{self.name}: {_words(error)}") from None
        return f"poker_record_before_{number} and poker_snapshot_before_{number}"

    def close(self) -> None:
        """Close the connection, which releases the lock."""
        db, self._db = self._db, None
        if db is not None:
            db.close()


def _words(error: Exception) -> str:
    """Return the first line of an error of the server or driver."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
