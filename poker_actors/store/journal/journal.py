"""The journal: what happened is on the disk before anybody is told that it happened.

Whoever appends waits until its facts are stored. The first in line writes for all that are
waiting by then, so that many tables share one wait for the disk (group commit). A room in an event
loop has nobody who could wait: its journal writes behind, and what it tells others waits instead.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.frozen import value
from poker_actors.store.journal.behind import Due, WriteBehind
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
        """Wait for the facts to be written; returns whether the waiting one has to do it itself."""
        self._gate.acquire()
        return self.leads

    def wake(self) -> None:
        self._gate.release()


class Journal:
    """An append-only record of a room in a `Storage`, and the `RoomImage` it comes to.

    Opening replays it: `replayed` says how that went. Raises `BadJournal` for a journal that is
    damaged, naming the record, or of a newer format; `StorageFailed` when it cannot be read.

    One that writes `behind` stores in a thread what `append` has taken: nothing may leave the process
    before `durable` is what `appended` was when it was made. `on_progress` is called, from that thread,
    when `durable` has grown and when writing has `failed`; then whatever was made from the image is to
    be thrown away, and made anew from that of `again()`.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        snapshot_every: int = SNAPSHOT_EVERY,
        behind: bool = False,
        stored: Stored | None = None,
    ) -> None:
        self.behind: Final = behind
        self.on_progress: Callable[[], None] = _nobody
        self._storage = storage
        self._every = snapshot_every
        self._due = Due(snapshot_every)
        self._writer: WriteBehind | None = None
        self._works = False
        """whether a record could be written"""
        self._together = 0
        self._kept_back: list[tuple[Fact, Row]] = []
        self._replaced = False
        """whether another one writes to the storage now"""
        self._line: list[_Ticket] = []
        # Two locks, never held together: a write waits for the disk, and whoever comes meanwhile must be able to
        # line up. The next in line then writes for all of them by one sync.
        self._lining_up = threading.Lock()
        self._led = False
        """whether somebody is writing, who will see to those in line"""
        self._writing = threading.Lock()
        if stored is None:
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
        if snapshot is not None:
            self._due.made(snapshot)
        self._due.count(stored.rows)
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
        """Make `facts` durable, all or none, and then part of the image; see the class for one that writes behind.

        Raises `StorageFailed` when that is not possible; then nothing has happened. Without facts there is nothing to do.
        """
        if not facts:
            return
        ticket = _Ticket(facts)
        if self._writer is not None:
            with self._writing:
                self._queue(self._writer, [ticket])
            return
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
                # in one step: were `_led` false with somebody in line, a newcomer would lead and so would the successor
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
        if self._writer is not None:
            self._queue(self._writer, tickets)  # somebody was quicker, and that was the first one
            return
        rows = self._rows(tickets)
        try:
            if self._replaced:
                raise StorageFailed(f"{self.name} has been opened anew")
            self._storage.write(rows, self._seq)
        except StorageFailed as failed:
            _log.error("nothing is written: %s", failed)
            for ticket in tickets:
                # its own exception: a traceback belongs to one thread
                ticket.error = StorageFailed(str(failed))
            return
        # the image after the disk: what is read from it is told, and nothing may be told that a crash unmakes
        self._seq, self._chain = rows[-1].seq, rows[-1].checksum
        for ticket in tickets:
            for fact in ticket.facts:
                self._image.apply(fact)
            ticket.error = None
        if self._due.count(rows):
            self._compact_or_later()
        self._works = True
        self._fall_behind()

    def _fall_behind(self) -> None:
        """Begin to write behind, if that is wanted.

        Not before a record could be written: until then all are refused at once, and change nothing.
        """
        if self.behind and self._works and not self._together and self._writer is None:
            durable = self._image.copy()
            self._writer = WriteBehind(
                self._storage, durable, self._seq, self._chain, self._due, self._progressed
            )

    def _queue(self, writer: WriteBehind, tickets: Sequence[_Ticket]) -> None:
        """Make facts part of the image, and have them written."""
        rows = self._rows(tickets)
        facts = [fact for ticket in tickets for fact in ticket.facts]
        writer.check_open()
        try:
            for fact in facts:
                self._image.apply(fact)
        except BaseException as error:
            # some of them are in the image and none in the queue: it is of no use any more
            writer.doom(error)
            raise
        self._seq, self._chain = rows[-1].seq, rows[-1].checksum
        self._kept_back += zip(facts, rows, strict=True)
        self._put(writer)
        for ticket in tickets:
            ticket.error = None

    def _put(self, writer: WriteBehind) -> None:
        if not self._together and self._kept_back:
            entries, self._kept_back = self._kept_back, []
            writer.put(entries)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Have all that is appended in the block written whole or not at all, where it is written behind.

        So a command that cannot be written leaves nothing, not even its own record without what followed.
        """
        with self._writing:
            self._together += 1
        try:
            yield
        finally:
            with self._writing:
                self._together -= 1
                if self._writer is not None:
                    self._put(self._writer)
                else:
                    self._fall_behind()

    def _progressed(self) -> None:
        self.on_progress()

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
        snapshot = sealed(self._seq, self._chain, self._image.to_json())
        self._storage.compact(snapshot, FORMAT)
        self._due.made(snapshot)

    def _compact_or_later(self) -> None:
        try:
            self._compact()
        except StorageFailed as error:
            _log.warning("no snapshot at record %d: %s", self._seq, error)
            self._due.put_off()

    # -- what is durable --------------------------------------------------------------------

    @property
    def appended(self) -> int:
        """The number of the last record that is part of the image."""
        return self._seq

    @property
    def durable(self) -> int:
        """The number of the last record that is stored."""
        return self._seq if self._writer is None else self._writer.seq

    @property
    def failed(self) -> StorageFailed | None:
        """Why a journal that writes behind writes no more."""
        return None if self._writer is None else self._writer.failure

    def wait(self) -> None:
        """Wait until all that was appended so far is durable; raises `StorageFailed` when it cannot be."""
        if self._writer is not None:
            self._writer.wait(self._seq)

    def again(self) -> Journal:
        """Return what is durable as a journal opened anew, to be used in place of this one.

        It writes to the same storage, which takes away what it may hold of writes that failed. As long
        as writing goes on to fail, its commands are refused at once, and nothing has changed.
        """
        with self._writing:
            self._replaced = True
            seq, chain, image = self._seq, self._chain, self._image
            if self._writer is not None:
                self._writer.close()
                seq, chain, image = self._writer.seq, self._writer.chain, self._writer.image
        stored = Stored(FORMAT, sealed(seq, chain, image.to_json()), ())
        return Journal(self._storage, snapshot_every=self._every, behind=self.behind, stored=stored)

    # -- looking ----------------------------------------------------------------------------

    def look(self, at: Callable[[RoomImage], R]) -> R:
        """Return what `at` makes of the image, while nothing is being written."""
        with self._writing:
            return at(self._image)

    def close(self) -> None:
        """Leave a snapshot, so that the next opening is short, and let go of the storage."""
        with self._writing:
            if self._writer is not None:
                self._writer.close()
            if self._due.records and self.failed is None and not self._replaced:
                self._compact_or_later()
            self._storage.close()

    def __repr__(self) -> str:
        return f"<Journal: {self.name}, {self._seq} records>"


def open_journal(
    place: str | Path | Storage, *, snapshot_every: int = SNAPSHOT_EVERY, behind: bool = False
) -> Journal:
    """Open the journal at `place`: a SQLite file, made if there is none, or a `postgresql://` URL.

    `behind` is for a room in an event loop whose servers hold back what is not durable yet; see `Journal`.

    Raises `BadJournal`, `StorageFailed`, and `MissingExtra` for PostgreSQL without its driver.
    """
    return Journal(_storage(place), snapshot_every=snapshot_every, behind=behind)


def _nobody() -> None:
    """Tell nobody."""


def _storage(place: str | Path | Storage) -> Storage:
    if isinstance(place, Path):
        return SQLiteStorage(place)
    if not isinstance(place, str):
        return place
    return PostgresStorage(place) if place.startswith(SCHEMES) else SQLiteStorage(place)
