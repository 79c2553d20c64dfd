"""The journal: everything is on disk before anybody is told of it.

A thread that appends waits until its facts are stored. The first in line writes for all that wait, so that many tables
share one sync (group commit). In an event loop nothing may block: there the journal writes behind, and outgoing
messages are held back until their records are stored.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import attrs

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.frozen import value
from poker_actors.store.journal.behind import Due, WriteBehind
from poker_actors.store.journal.facts import Fact, decode, encode
from poker_actors.store.journal.image import RoomImage
from poker_actors.store.journal.postgres import SCHEMES, PostgresStorage
from poker_actors.store.journal.record import (
    FORMAT,
    Row,
    Storage,
    Stored,
    chained,
    check_chain,
    sealed,
)
from poker_actors.store.journal.repair import Salvage, salvaged_from
from poker_actors.store.journal.sqlite import SQLiteStorage

R = TypeVar("R")

_log: Final = logging.getLogger("poker_actors.store")

SNAPSHOT_EVERY: Final = 4_000
"""Records between snapshots: replaying as many takes a tenth of a second."""


@value
class Replayed:
    """How a journal was opened.

    `torn` describes an unfinished write that was cut off at its end, empty if there was none;
    `migrated_from` is the format it was in, None for the current one.
    """

    name: str
    records: int
    """records read after the snapshot"""
    snapshot: int
    """the last record that the snapshot covers; 0 without a snapshot"""
    torn: str
    migrated_from: int | None

    @property
    def last(self) -> int:
        """The number of the last record."""
        return self.snapshot + self.records


class _Ticket:
    """Facts in line to be written, and the outcome."""

    __slots__ = ("_gate", "error", "facts", "leads", "texts")

    def __init__(self, facts: tuple[Fact, ...]) -> None:
        self.facts: Final = facts
        self.texts: Final = [encode(fact) for fact in facts]
        self.error: Exception | None = StorageFailed("the thread that wrote for this command has crashed")
        self.leads = False
        """whether the waiting thread is to write for the line"""
        self._gate = threading.Lock()
        self._gate.acquire()

    def wait(self) -> bool:
        """Wait until the facts are written; return whether this thread must write them itself."""
        self._gate.acquire()
        return self.leads

    def wake(self) -> None:
        if self._gate.locked():  # otherwise it was woken before
            self._gate.release()


class Journal:
    """An append-only record of a room in a `Storage`, and the `RoomImage` of its facts.

    Opening replays it; `replayed` is the report. Raises `BadJournal` if it is damaged, naming the record, or
    has a newer format, and `StorageFailed` if it cannot be read.

    A journal that writes `behind` stores appended facts in a thread of its own. A message may leave the
    process only once `durable` has reached the value of `appended` at the time the message was made.
    `on_progress` is called from that thread whenever `durable` has grown, and when writing has `failed`;
    then everything made from the image must be discarded and rebuilt from that of `again()`.
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
        self._writer: WriteBehind | None = None
        self._works = False
        """whether a record has been written successfully"""
        self._together = 0
        self._kept_back: list[tuple[Fact, Row]] = []
        self._replaced = False
        """whether `again` has put another journal in this one's place"""
        self._begun: tuple[Sequence[_Ticket], Sequence[Row]] | None = None
        """a write that has begun: an interrupt may have come before or after the commit, or in the image"""
        self._line: list[_Ticket] = []
        self._taken: Sequence[_Ticket] = ()
        """those that the leader writes for"""
        # Two locks, never held together: while one thread waits for the disk, others must be able to line up. The
        # next in line then writes for all of them with one sync.
        self._lining_up = threading.Lock()
        self._led = False
        """whether a thread is writing, which will wake the next in line"""
        self._writing = threading.Lock()
        self._image = RoomImage()
        if stored is None:
            stored = storage.load()
        try:
            self.replayed: Final = self._replay(stored)
        except BaseException:
            storage.close()
            raise

    @staticmethod
    def salvage(place: str | Path | Storage) -> Salvage:
        """Read a damaged journal as far as possible, changing nothing; raises `BadJournal`, `StorageFailed`.

        The caller closes its `storage`.
        """
        storage = _storage(place)
        try:
            return salvaged_from(storage)
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
        image = RoomImage() if snapshot is None else RoomImage.from_json(snapshot.payload, stored.format)
        self._due = Due(self._every)
        if snapshot is not None:
            self._due.made(snapshot)
        self._due.count(stored.rows)
        for row in stored.rows:
            try:
                image.apply(decode(row.kind, row.payload, stored.format))
            except BadJournal as error:
                raise BadJournal(f"{name}: record {row.seq}: {error}") from None
        self._image.take_over(image)
        self._seq, self._chain = stored.end
        migrated = None if stored.format == FORMAT else stored.format
        start = 0 if snapshot is None else snapshot.seq
        if stored.torn:
            _log.warning("%s ends with record %d: cut off %s", name, self._seq, stored.torn)
        if migrated is not None:
            self._compact()  # a long journal that is not migrated is compacted at the next append instead: opening must be quick
        return Replayed(name, len(stored.rows), start, stored.torn, migrated)

    # -- writing ----------------------------------------------------------------------------

    def append(self, *facts: Fact) -> None:
        """Make `facts` durable, all or none, then part of the image; one that writes behind only queues them.

        Raises `StorageFailed` if they cannot be written; then nothing has changed.
        """
        if not facts:
            return
        ticket = _Ticket(facts)
        if self._writer is not None:
            with self._writing:
                self._queue(self._writer, [ticket])
            return
        try:
            with self._lining_up:
                self._line.append(ticket)
                ticket.leads, self._led = not self._led, True
            if ticket.leads or ticket.wait():
                self._lead()
                self._leave(ticket)
        except BaseException:
            self._leave(ticket)
            raise
        if ticket.error is not None:
            raise ticket.error

    def _lead(self) -> None:
        """Write for all in line."""
        with self._lining_up:
            self._taken, self._line = self._line, []
        with self._writing:
            self._write(self._taken)

    def _leave(self, ticket: _Ticket) -> None:
        """Leave the line; a leader wakes those it has written for, and the first of the others to lead."""
        with self._lining_up:
            if ticket in self._line:
                self._line.remove(ticket)
            if ticket.leads:
                try:
                    self._hand_over(ticket)
                except BaseException:
                    self._hand_over(ticket)  # once more: a thread that is not woken waits for ever
                    raise

    def _hand_over(self, leader: _Ticket) -> None:
        for ticket in self._taken:
            ticket.wake()
        # in one step: if `_led` were false while a ticket waits, a newcomer and the successor would both lead
        self._led = bool(self._line)
        if self._line:
            self._line[0].leads = True
            self._line[0].wake()
        leader.leads = False

    def _write(self, tickets: Sequence[_Ticket]) -> None:
        if self._writer is not None:
            self._queue(
                self._writer, tickets
            )  # another thread has written first, and so has begun to write behind
            return
        try:
            self._settle()
            tickets = self._possible(tickets)
            if rows := self._rows(tickets):
                self._store(tickets, rows)
        except StorageFailed as failed:
            _log.error("nothing is written: %s", failed)
            for ticket in tickets:
                # an exception for each: raising one in several threads would mix their tracebacks
                ticket.error = StorageFailed(str(failed))
        except BaseException:
            with suppress(StorageFailed):
                self._settle()
            raise

    def _store(self, tickets: Sequence[_Ticket], rows: Sequence[Row]) -> None:
        if self._replaced:
            raise StorageFailed(f"{self.name} has been reopened")
        self._begun = tickets, rows
        try:
            self._storage.write(rows, self._seq)
        except StorageFailed:
            self._begun = None
            raise
        # the disk first, then the image: what the image says is told, and a crash must not undo it
        self._seq, self._chain = rows[-1].seq, rows[-1].checksum
        for ticket in tickets:
            for fact in ticket.facts:
                self._image.apply(fact)
            ticket.error = None
        if self._due.count(rows):
            self._compact_or_later()
        self._begun = None
        self._works = True
        self._fall_behind()

    def _settle(self) -> None:
        """Complete a write that an interrupt has cut short, by what the storage holds.

        Raises `StorageFailed` if that cannot be read; then it is tried again before anything else.
        """
        if self._begun is None:
            return
        tickets, rows = self._begun
        self._storage.close()  # which rolls back the open transaction
        stored = self._storage.load()
        written = stored.end == (rows[-1].seq, rows[-1].checksum)
        if not written:
            # what is left of a failed write before, which the next one removes
            stored = attrs.evolve(stored, rows=[row for row in stored.rows if row.seq < rows[0].seq])
        self._replay(stored)
        for ticket in tickets if written else ():
            ticket.error = None
        self._begun = None

    def _possible(self, tickets: Sequence[_Ticket]) -> Sequence[_Ticket]:
        """Return the tickets whose facts can follow the image; the others get their error and are not written.

        This comes before the write, because a fact stored and then refused would be refused at every start.
        """
        try:
            self._image.check([fact for ticket in tickets for fact in ticket.facts])
        except BadJournal:
            pass
        else:
            return tickets
        possible: list[_Ticket] = []
        for ticket in tickets:
            before = [fact for one in possible for fact in one.facts]
            try:
                self._image.check([*before, *ticket.facts])
            except BadJournal as error:
                _log.error("not written: %s", error)
                ticket.error = error
            else:
                possible.append(ticket)
        return possible

    def _fall_behind(self) -> None:
        """Start writing behind, if that is wanted.

        This waits until a record has been written: before that, a failing append fails at once and changes nothing.
        """
        if self.behind and self._works and not self._together and self._writer is None:
            durable = self._image.copy()
            self._writer = WriteBehind(
                self._storage, durable, self._seq, self._chain, self._due, self._progressed
            )

    def _queue(self, writer: WriteBehind, tickets: Sequence[_Ticket]) -> None:
        """Make facts part of the image, and queue them to be written."""
        rows = self._rows(tickets)
        facts = [fact for ticket in tickets for fact in ticket.facts]
        writer.check_open()
        try:
            for fact in facts:
                self._image.apply(fact)
            self._seq, self._chain = rows[-1].seq, rows[-1].checksum
            self._kept_back += zip(facts, rows, strict=True)
            self._put(writer)
        except BaseException as error:
            # some are in the image and none in the queue: the image can no longer be used
            writer.doom(error)
            raise
        for ticket in tickets:
            ticket.error = None

    def _put(self, writer: WriteBehind) -> None:
        if not self._together and self._kept_back:
            try:
                entries, self._kept_back = self._kept_back, []
                writer.put(entries)
            except BaseException as error:
                writer.doom(error)  # what comes after these must not be written without them
                raise

    @contextmanager
    def together(self) -> Iterator[None]:
        """When writing behind, write everything appended in this block whole or not at all.

        A command that cannot be written then leaves nothing, not even a first record without the rest.
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
        """The number of the last record in the image."""
        return self._seq

    @property
    def durable(self) -> int:
        """The number of the last record stored."""
        return self._seq if self._writer is None else self._writer.seq

    @property
    def failed(self) -> StorageFailed | None:
        """Why a journal that writes behind has stopped writing; None while it works."""
        return None if self._writer is None else self._writer.failure

    def wait(self) -> None:
        """Wait until everything appended so far is durable; raises `StorageFailed` if it cannot be."""
        if self._writer is not None:
            self._writer.wait(self._seq)

    def again(self) -> Journal:
        """Return a new journal with everything durable, to be used in place of this one.

        It writes to the same storage, which removes remains of failed writes. As long as writing keeps
        failing, appends to it are refused at once and change nothing.
        """
        with self._writing:
            self._settle()
            self._replaced = True
            seq, chain, image = self._seq, self._chain, self._image
            if self._writer is not None:
                self._writer.close()
                seq, chain, image = self._writer.seq, self._writer.chain, self._writer.image
        stored = Stored(FORMAT, sealed(seq, chain, image.to_json()), ())
        return Journal(self._storage, snapshot_every=self._every, behind=self.behind, stored=stored)

    # -- looking ----------------------------------------------------------------------------

    def look(self, at: Callable[[RoomImage], R]) -> R:
        """Return `at(image)`, called while nothing is being written.

        Raises `StorageFailed` after a write that was interrupted, as long as the storage cannot be read.
        """
        with self._writing:
            self._settle()
            return at(self._image)

    def close(self) -> None:
        """Write a snapshot, so that the next opening is quick, and close the storage."""
        with self._writing:
            if self._writer is not None:
                self._writer.close()
            whole = self.failed is None and self._begun is None
            if self._due.records and whole and not self._replaced:
                self._compact_or_later()
            self._storage.close()

    def __repr__(self) -> str:
        return f"<Journal: {self.name}, {self._seq} records>"


def open_journal(
    place: str | Path | Storage, *, snapshot_every: int = SNAPSHOT_EVERY, behind: bool = False
) -> Journal:
    """Open the journal at `place`: a `postgresql://` URL, or a SQLite file, which is made if there is none.

    `behind` is for rooms in an event loop whose servers hold back what is not durable yet; see `Journal`.

    Raises `BadJournal`, `StorageFailed`, and `MissingExtra` if PostgreSQL's driver is not installed.
    """
    return Journal(_storage(place), snapshot_every=snapshot_every, behind=behind)


def _nobody() -> None:
    """Do nothing: nobody has asked to be called."""


def _storage(place: str | Path | Storage) -> Storage:
    if isinstance(place, Path):
        return SQLiteStorage(place)
    if not isinstance(place, str):
        return place
    return PostgresStorage(place) if place.startswith(SCHEMES) else SQLiteStorage(place)
