"""A journal in memory, for tests and fault benches: it outlives its room, not its process."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.store.journal.record import FORMAT, Row, Snapshot, Stored

__all__ = ["MemoryStorage"]


class MemoryStorage:
    """Records in a list."""

    name = "memory"

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.snapshot: Snapshot | None = None
        self.format = FORMAT
        self.before: tuple[Snapshot | None, list[Row]] = (None, [])
        """what `begin_anew` replaced"""

    def load(self) -> Stored:
        """Return everything written so far."""
        return Stored(self.format, self.snapshot, tuple(self.rows))

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Drop records after `after`, then append `rows`."""
        while self.rows and self.rows[-1].seq > after:
            self.rows.pop()
        self.rows.extend(rows)

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace the records that `snapshot` covers."""
        self.snapshot = snapshot
        self.format = version
        self.rows = [row for row in self.rows if row.seq > snapshot.seq]

    def salvage(self) -> Stored:
        """Return everything written so far."""
        return self.load()

    def begin_anew(self, snapshot: Snapshot) -> str:
        """Keep `snapshot` alone; the copy is an attribute of this object."""
        self.before = (self.snapshot, self.rows)
        self.snapshot, self.rows, self.format = snapshot, [], FORMAT
        return "memory"

    def close(self) -> None:
        """Do nothing."""
