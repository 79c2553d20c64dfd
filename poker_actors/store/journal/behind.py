"""Writing behind: a thread stores queued records in batches while the room goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final

from poker_actors.errors import StorageFailed
from poker_actors.store.journal.facts import Fact
from poker_actors.store.journal.image import RoomImage
from poker_actors.store.journal.record import FORMAT, Row, Snapshot, Storage, sealed

_log: Final = logging.getLogger("poker_actors.store")

MOST_QUEUED: Final = 20_000
"""Records that may wait for the disk; beyond that, `put` blocks."""

Queued = tuple[Fact, Row]


class Due:
    """When a snapshot is due: after `every` records, but only once they are as long as the last snapshot.

    So snapshots at most double what is written.
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._records = 0
        self._bytes = 0
        self._last = 0

    def count(self, rows: Sequence[Row]) -> bool:
        """Count written records; return whether a snapshot is due."""
        self._records += len(rows)
        self._bytes += sum([len(row.payload) for row in rows])
        return self._records >= self._every and self._bytes >= self._last

    @property
    def records(self) -> int:
        """Records since the last snapshot."""
        return self._records

    def made(self, snapshot: Snapshot) -> None:
        """Restart the count after a snapshot."""
        self._records = self._bytes = 0
        self._last = len(snapshot.payload)

    def put_off(self) -> None:
        """After a failed snapshot, make the next one due a quarter of the interval later."""
        self._records -= self._every // 4


class WriteBehind:
    """Writes records queued by `put` to `storage` in a thread of its own; each batch is one write and one sync.

    `image`, `seq` and `chain` describe what is durable; only the thread changes them while it runs. It calls
    `told` after each change, and once it has failed: then `failure` says why, and nothing more is written.
    """

    def __init__(
        self, storage: Storage, image: RoomImage, seq: int, chain: bytes, due: Due, told: Callable[[], None]
    ) -> None:
        self.image: Final = image
        self.seq = seq
        self.chain = chain
        self.failure: StorageFailed | None = None
        self._storage = storage
        self._due = due
        self._told = told
        self._queue: list[Queued] = []
        self._changed = threading.Condition()
        self._closing = False
        self._doom: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def put(self, entries: Sequence[Queued]) -> None:
        """Queue records; raises `StorageFailed` once writing has failed."""
        with self._changed:
            if len(self._queue) >= MOST_QUEUED:
                self._changed.wait_for(lambda: len(self._queue) < MOST_QUEUED or self.failure is not None)
            self.check_open()
            idle = not self._queue
            self._queue.extend(entries)
            if idle:  # otherwise the thread is awake, and looks at the queue again before it waits
                self._changed.notify_all()

    def check_open(self) -> None:
        """Raise `StorageFailed` if no more records will be written."""
        if self.failure is not None or self._doom is not None or self._closing:
            raise StorageFailed(str(self.failure or self._doom or "the journal is closed"))

    def wait(self, seq: int) -> None:
        """Wait until record `seq` is durable; raises `StorageFailed` if it cannot be."""
        with self._changed:
            self._changed.wait_for(lambda: self.seq >= seq or self.failure is not None)
            if self.seq < seq:
                raise StorageFailed(str(self.failure))

    def close(self) -> None:
        """Write what is queued, then end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def doom(self, error: BaseException) -> None:
        """Make the thread fail with `error` once it has written what is queued."""
        with self._changed:
            self._doom = error
            self._changed.notify_all()

    # -- in the thread -----------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while batch := self._next():
                self._store(batch)
                self._told()  # after the sync: people act on what they are told, so a crash must not undo it
                if self._due.count([row for _, row in batch]):
                    self._compact()
        except BaseException as error:  # noqa: BLE001  whatever it is, nobody may be told that this is durable
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """Stop writing for good; records not durable yet never happened."""
        known = isinstance(error, StorageFailed)
        text = str(error) if known else f"writing has crashed: {type(error).__name__}: {error}"
        _log.error("nothing is written: %s", text, exc_info=None if known else error)
        with self._changed:
            # both under one lock: a record queued in between would be neither written nor refused
            self.failure = StorageFailed(text)
            self._queue.clear()
            self._changed.notify_all()
        self._told()

    def _next(self) -> list[Queued]:
        """Wait for records and return them; empty at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing or self._doom is not None)
            if self._doom is not None and not self._queue:
                raise self._doom
            batch, self._queue = self._queue, []
            return batch

    def _store(self, batch: list[Queued]) -> None:
        rows = [row for _, row in batch]
        self._storage.write(rows, self.seq)
        for fact, _ in batch:
            self.image.apply(fact)
        self.chain = rows[-1].checksum
        # last: `wait` returns by it, and its callers must find the records in the image
        with self._changed:
            self.seq = rows[-1].seq
            self._changed.notify_all()

    def _compact(self) -> None:
        try:
            snapshot = sealed(self.seq, self.chain, self.image.to_json())
            self._storage.compact(snapshot, FORMAT)
        except StorageFailed as error:
            _log.warning("no snapshot at record %d: %s", self.seq, error)
            self._due.put_off()
        else:
            self._due.made(snapshot)
