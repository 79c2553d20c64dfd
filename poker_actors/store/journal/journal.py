"""The journal: what happened is on the disk before anybody is told that it happened.

Whoever appends waits until its facts are stored. The first in line writes for all that are
waiting by then, so that many tables share one wait for the disk (group commit).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.frozen import value
from poker_actors.store.journal.facts import Fact, decode, encode
from poker_actors.store.journal.image import RoomImage
from poker_actors.store.journal.postgres import SCHEMES, PostgresStorage
from poker_actors.store.journal.record import (
    FORMAT,
    GENESIS,
    Row,
    Storage,
    Stored,
    chained,
    check_chain,
    sealed,
)
from poker_actors.store.journal.sqlite import SQLiteStorage

__all__ = ["Journal", "Replayed", "open_journal"]

R = TypeVar("R")

_log: Final = logging.getLogger("poker_actors.store")

SNAPSHOT_EVERY: Final = 4_000
"""Records between snapshots: replaying as many takes a tenth of a second."""


@value
class Replayed:
    """How a journal was opened.

    `torn` says in words what was cut off at its end, empty for nothing; `migrated_from` is the
    format it was in, None for the present one.
    """

    name: str
    records: int
    """read one by one, after the snapshot"""
    snapshot: int
    """the record the snapshot was made after; 0 without one"""
    torn: str
    migrated_from: int | None

    @property
    def last(self) -> int:
        """The number of the last record."""
        return self.snapshot + self.records


class _Ticket:
    """Facts in line to be written, and what became of them."""

    __slots__ = ("_gate", "error", "facts", "leads", "texts")

    def __init__(self, facts: tuple[Fact, ...]) -> None:
        self.facts: Final = facts
        self.texts: Final = [encode(fact) for fact in facts]
        self.error: Exception | None = StorageFailed("whoever wrote for this command has crashed")
        self.leads = False
        """whether the one who waits is to write for the line"""
        self._gate = threading.Lock()
        self._gate.acquire()

    def wait(self) -> bool:
        """Wait for the facts to be written; gives whether the waiting one has to do it itself."""
        self._gate.acquire()
        return self.leads

    def wake(self) -> None:
        self._gate.release()


class Journal:
    """An append-only record of a room in a `Storage`, and the `RoomImage` it comes to.

    Opening replays it: `replayed` says how that went. Raises `BadJournal` for a journal that is
    damaged, naming the record, or of a newer format; `StorageFailed` when it cannot be read.
    """

    def __init__(self, storage: Storage, *, snapshot_every: int = SNAPSHOT_EVERY) -> None:
        self._storage = storage
        self._every = snapshot_every
        self._line: list[_Ticket] = []
        self._lining_up = threading.Lock()
        self._led = False
        """whether somebody is writing, who will see to those in line"""
        self._writing = threading.Lock()
        stored = storage.load()
        try:
            self.replayed: Final = self._replay(stored)
        except BaseException:
            storage.close()
            raise

    @property
    def name(self) -> str:
        """Where the journal is kept."""
        return self._storage.name

    def _replay(self, stored: Stored) -> Replayed:
        name = self.name
        if stored.format > FORMAT:
            raise BadJournal(f"{name} has format {stored.format}: this version reads up to {FORMAT}")
        check_chain(name, stored)
        snapshot = stored.snapshot
        self._image = (
            RoomImage() if snapshot is None else RoomImage.from_json(snapshot.payload, stored.format)
        )
        self._seq = 0 if snapshot is None else snapshot.seq
        self._chain = GENESIS if snapshot is None else snapshot.chain
        self._since = len(stored.rows)
        for row in stored.rows:
            try:
                self._image.apply(decode(row.kind, row.payload, stored.format))
            except BadJournal as error:
                raise BadJournal(f"{name}: record {row.seq}: {error}") from None
            self._seq, self._chain = row.seq, row.checksum
        migrated = None if stored.format == FORMAT else stored.format
        start = 0 if snapshot is None else snapshot.seq
        if stored.torn:
            _log.warning("%s ends with record %d: cut off %s", name, self._seq, stored.torn)
        if migrated is not None:
            self._compact()  # a long journal waits for the next append: opening is to be quick
        return Replayed(name, len(stored.rows), start, stored.torn, migrated)

    # -- writing ----------------------------------------------------------------------------

    def append(self, *facts: Fact) -> None:
        """Make `facts` durable, all or none, and then part of the image.

        Raises `StorageFailed` when that is not possible; then nothing has happened.
        """
        ticket = _Ticket(facts)
        with self._lining_up:
            self._line.append(ticket)
            leads, self._led = not self._led, True
        if leads or ticket.wait():
            self._lead(ticket)
        if ticket.error is not None:
            raise ticket.error

    def _lead(self, leader: _Ticket) -> None:
        """Write for all in line, and let the first of those who have come meanwhile go on."""
        with self._lining_up:
            tickets, self._line = self._line, []
        try:
            with self._writing:
                self._write(tickets)
        finally:
            with self._lining_up:
                successor = self._line[0] if self._line else None
                self._led = successor is not None
            for ticket in tickets:
                if ticket is not leader:
                    ticket.leads = False
                    ticket.wake()
            if successor is not None:
                successor.leads = True
                successor.wake()

    def _write(self, tickets: Sequence[_Ticket]) -> None:
        rows = self._rows(tickets)
        try:
            self._storage.write(rows, self._seq)
        except StorageFailed as failed:
            _log.error("nothing is written: %s", failed)
            for ticket in tickets:
                # its own exception: a traceback belongs to one thread
                ticket.error = StorageFailed(str(failed))
            return
        self._seq, self._chain = rows[-1].seq, rows[-1].checksum
        for ticket in tickets:
            for fact in ticket.facts:
                self._image.apply(fact)
            ticket.error = None
        self._since += len(rows)
        if self._since >= self._every:
            self._compact_or_later()

    def _rows(self, tickets: Sequence[_Ticket]) -> list[Row]:
        rows = []
        seq, chain = self._seq, self._chain
        for ticket in tickets:
            for kind, payload in ticket.texts:
                seq += 1
                chain = chained(chain, seq, kind, payload)
                rows.append(Row(seq, kind, payload, chain))
        return rows

    def _compact(self) -> None:
        self._storage.compact(sealed(self._seq, self._chain, self._image.to_json()), FORMAT)
        self._since = 0

    def _compact_or_later(self) -> None:
        try:
            self._compact()
        except StorageFailed as error:
            _log.warning("no snapshot at record %d: %s", self._seq, error)
            self._since -= self._every // 4

    # -- looking ----------------------------------------------------------------------------

    def look(self, at: Callable[[RoomImage], R]) -> R:
        """Give what `at` makes of the image, while nothing is being written."""
        with self._writing:
            return at(self._image)

    def close(self) -> None:
        """Leave a snapshot, so that the next opening is short, and let go of the storage."""
        with self._writing:
            if self._since:
                self._compact_or_later()
            self._storage.close()

    def __repr__(self) -> str:
        return f"<Journal: {self.name}, {self._seq} records>"


def open_journal(place: str | Path | Storage, *, snapshot_every: int = SNAPSHOT_EVERY) -> Journal:
    """Open the journal at `place`: a SQLite file, made if there is none, or a `postgresql://` URL.

    Raises `BadJournal`, `StorageFailed`, and `MissingExtra` for PostgreSQL without its driver.
    """
    return Journal(_storage(place), snapshot_every=snapshot_every)


def _storage(place: str | Path | Storage) -> Storage:
    if isinstance(place, Path):
        return SQLiteStorage(place)
    if not isinstance(place, str):
        return place
    return PostgresStorage(place) if place.startswith(SCHEMES) else SQLiteStorage(place)
