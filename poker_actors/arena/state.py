"""The state of an arena in one SQLite file: its root, the admissions, and the score of every match."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Final, Self

import attrs

from poker_actors.atomic import HeldFile
from poker_actors.bots import drawn_seed
from poker_actors.errors import BadSpec, StorageFailed
from poker_actors.jsontext import parse_json

FORMAT: Final = 1
APPLICATION: Final = 0x506B4172
"""Marks the file as ours: `PkAr`, in its header."""
_SCHEMA: Final = (
    "CREATE TABLE root (value TEXT NOT NULL)",
    "CREATE TABLE admission (key TEXT, name TEXT, digest TEXT, value TEXT NOT NULL, PRIMARY KEY (key, name, digest))",
    "CREATE TABLE score (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE standing (run INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, value TEXT NOT NULL)",
)


_PLAYED: Final = "CREATE TABLE IF NOT EXISTS played (key TEXT, name TEXT, version TEXT, PRIMARY KEY (key, name, version)) WITHOUT ROWID"
"""Who played a match. Files of earlier versions lack this table, and those versions ignore it."""


@attrs.frozen(kw_only=True)
class Admission:
    """The outcome of building and checking an entrant's version."""

    refused: str = ""
    """why it does not play; empty if it does"""
    refused_code: str = ""
    """the same as an error code: `build_failed`, `build_too_slow`, `build_too_large`, `check_failed`, or that of
    another error; one of `machine_failed` is not kept"""
    remark: str = ""
    """remarks for its author, such as faults in the check"""
    seconds: float | None = None
    """seconds for a decision, on average over the check"""


@attrs.frozen(kw_only=True)
class Score:
    """The result of a match; tuples are by player."""

    hands: int = 0
    tournaments: int = 0
    """tournaments to which its hands belong; 0 for a match of hands"""
    digest: str = ""
    units: int = 0
    """decks, or tournaments"""
    freedom: int = 0
    """degrees of freedom of the covariance"""
    means: tuple[float, ...] = ()
    """bb/100, without the luck of the cards if so set; in tournaments, percent of a buy-in for each"""
    covariance: tuple[tuple[float, ...], ...] | None = None
    """covariance of the means"""
    raw_means: tuple[float, ...] = ()
    net: tuple[int, ...] = ()
    """chips; in tournaments, prizes less buy-ins in percent of one"""
    won: tuple[float, ...] = ()
    """decks won, a tie counting half; in tournaments, those won"""
    beaten: tuple[tuple[float, ...], ...] = ()
    """at tables of more than two: by player, the decks or tournaments in which it did better than each of the others,
    ties counting half"""
    curve: tuple[tuple[float, ...], ...] = ()
    """bb/100 of the hands so far, at most `POINTS` times"""
    largest: tuple[tuple[int, ...], ...] = ()
    """the hands that moved most chips, largest first: number and each player's winnings (of two, only the first's)"""
    positions: tuple[dict[str, list[Any]], ...] = ()
    """position -> hands, chips, and the counters that are not 0"""
    faults: tuple[dict[str, Any], ...] = ()
    seconds: tuple[float, ...] = ()
    """seconds of all decisions by the real clock, which differ from run to run"""
    void: str = ""
    """the reason there is no result; empty if there is one"""

    @property
    def weight(self) -> int:
        """The weight of the match in a rating."""
        return self.tournaments or self.hands

    @property
    def moved(self) -> dict[int, tuple[int, ...]]:
        """Each player's winnings in the hands that moved most chips, by hand number, largest first."""
        return {number: (won[0], -won[0]) if len(won) == 1 else tuple(won) for number, *won in self.largest}

    def to_text(self) -> str:
        """Return JSON from which `of` restores the score exactly: boards are compared byte by byte."""
        return json.dumps(attrs.asdict(self))

    @classmethod
    def of(cls, text: str) -> Score:
        """Read what `to_text` wrote."""
        value = parse_json(text)
        known = value["covariance"]
        value["covariance"] = None if known is None else tuple(map(tuple, known))
        for name in ("curve", "largest", "beaten"):
            value[name] = tuple(map(tuple, value.get(name, ())))
        for name in ("means", "raw_means", "net", "won", "positions", "faults", "seconds"):
            value[name] = tuple(value[name])
        return cls(**value)


class State(HeldFile):
    """The state of an arena in `path`, used by one process at a time; a context manager.

    Everything is on the disk before a method returns, so a crash costs only the work under way. The root, from which
    all decks derive, is drawn when the file is made; no other user can read the file. Raises `BadSpec` if another
    arena is using the file or it is not an arena's state, and `StorageFailed` if it cannot be written.
    """

    IN_USE: ClassVar[str] = "is in use by another arena"

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(path)
        self._db: sqlite3.Connection | None = None
        self.root: int = 0

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            self._open()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.close()
        super().__exit__(kind, error, trace)

    def _open(self) -> None:
        if not self.path.exists():
            self.path.touch(mode=0o600)  # before it holds a root
        with self._writing() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
            if (
                not version
                and not ours
                and not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            ):
                self._make(db)
            elif not ours:
                raise BadSpec(f"{self.path} is not an arena's state")
            elif version != FORMAT:
                raise BadSpec(f"{self.path} has format {version}: this version reads {FORMAT}")
            db.execute(_PLAYED)
            self.root = int(db.execute("SELECT value FROM root").fetchone()[0])

    @staticmethod
    def _make(db: sqlite3.Connection) -> None:
        # one transaction: a file with tables has a root
        db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute("INSERT INTO root VALUES (?)", (str(drawn_seed()),))
        db.execute(f"PRAGMA application_id={APPLICATION}")
        db.execute(f"PRAGMA user_version={FORMAT}")
        db.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the database, opened if need be; its errors become ours."""
        try:
            if self._db is None:
                self._db = sqlite3.connect(self.path, isolation_level=None)
                for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
                    self._db.execute(f"PRAGMA {pragma}")
            yield self._db
        except sqlite3.OperationalError as error:
            raise StorageFailed(f"{self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise BadSpec(f"{self.path} is not an arena's state, or is damaged: {error}") from None

    # -- what is kept -----------------------------------------------------------------------------

    def seed(self, key: str, root: int = 0) -> int:
        """Return a match's 128-bit seed, derived from `root` or the root drawn, without revealing that root."""
        drawn = blake2b(
            key.encode(), key=str(root or self.root).encode(), digest_size=16, person=b"arena match"
        )
        return 1 << 128 | int.from_bytes(drawn.digest(), "little")

    def admission(self, key: str, name: str, digest: str) -> Admission | None:
        """Return the admission of an entrant's version under the settings `key`, if any."""
        with self._writing() as db:
            row = db.execute(
                "SELECT value FROM admission WHERE key = ? AND name = ? AND digest = ?", (key, name, digest)
            ).fetchone()
        return None if row is None else Admission(**parse_json(row[0]))

    def admit(self, key: str, name: str, digest: str, admission: Admission) -> None:
        """Keep the outcome of a version's check."""
        with self._writing() as db:
            text = json.dumps(attrs.asdict(admission))
            db.execute("INSERT OR REPLACE INTO admission VALUES (?, ?, ?, ?)", (key, name, digest, text))

    def forget_failures(self) -> int:
        """Forget refused entrants and void matches, so that they are tried again; return their number."""
        count = 0
        with self._writing() as db:
            for table, word in (("admission", "refused"), ("score", "void")):
                rows = db.execute(f"SELECT rowid, value FROM {table}").fetchall()
                failed = [(row,) for row, value in rows if parse_json(value)[word]]
                db.executemany(f"DELETE FROM {table} WHERE rowid = ?", failed)
                count += len(failed)
        return count

    def scores(self) -> dict[str, Score]:
        """Return all scores by the keys of their matches."""
        with self._writing() as db:
            return {key: Score.of(text) for key, text in db.execute("SELECT key, value FROM score")}

    def note(self, matches: Mapping[str, Collection[tuple[str, str]]]) -> None:
        """Record names and versions of each match's players, by its key, before it is played."""
        rows = [(key, name, version) for key, players in matches.items() for name, version in players]
        with self._writing() as db:
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT OR IGNORE INTO played VALUES (?, ?, ?)", rows)
            db.execute("COMMIT")

    def replaced(self, versions: Mapping[str, str]) -> list[str]:
        """Return the matches in which these entrants played in a version other than the given one."""
        with self._writing() as db:
            rows = db.execute("SELECT key, name, version FROM played ORDER BY key").fetchall()
        return list(
            dict.fromkeys(key for key, name, version in rows if versions.get(name, version) != version)
        )

    def forget(self, keys: Collection[str], *, files: bool) -> None:
        """Forget the scores of matches, or with `files` (once the files are removed) who played them."""
        with self._writing() as db:
            db.execute("BEGIN IMMEDIATE")
            table = "played" if files else "score"
            db.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])
            db.execute("COMMIT")

    def keep(self, key: str, score: Score) -> None:
        """Keep the score of a match."""
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO score VALUES (?, ?)", (key, score.to_text()))

    def stand(self, digest: str, value: dict[str, Any]) -> None:
        """Keep a board under its digest, unless it equals the last one kept."""
        with self._writing() as db:
            text = json.dumps(value, sort_keys=True)
            db.execute("INSERT OR IGNORE INTO standing (digest, value) VALUES (?, ?)", (digest, text))

    def standings(self) -> list[dict[str, Any]]:
        """Return the boards kept, oldest first."""
        with self._writing() as db:
            return [parse_json(text) for (text,) in db.execute("SELECT value FROM standing ORDER BY run")]
