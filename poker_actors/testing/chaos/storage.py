"""A journal's storage that fails: the disk is full, or the process dies once a record is written."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.errors import StorageFailed
from poker_actors.store import MemoryStorage
from poker_actors.store.journal import Row, Snapshot
from poker_actors.testing.chaos.faults import Harm, ProcessDied

__all__ = ["ChaosStorage"]


class ChaosStorage(MemoryStorage):
    """Keeps what one process has written for the next, and refuses writes of a dead process."""

    def __init__(self, harm: Harm, before: ChaosStorage | None = None) -> None:
        super().__init__()
        self.harm = harm
        if before is not None:
            self.rows, self.snapshot, self.format = [*before.rows], before.snapshot, before.format

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Write, unless the disk is full; then the process may die before anybody hears of it."""
        harm = self.harm
        self._check_alive()
        if not harm.quiet and harm.luck.random() < harm.rates.disk_full:
            harm.what_happened["disk full"] += 1
            raise StorageFailed("no space left")
        harm.within()
        super().write(rows, after)
        if not harm.quiet and harm.luck.random() < harm.rates.die_writing:
            harm.what_happened["died after a write"] += 1
            harm.writes_end = True  # it dies once the journal's lock is free: see `Harm`
            raise ProcessDied

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace records by a snapshot."""
        self._check_alive()
        super().compact(snapshot, version)

    def _check_alive(self) -> None:
        if self.harm.writes_end:
            raise StorageFailed("the process is dead")

    def damaged(self) -> MemoryStorage | None:
        """Return a copy with one digit of the snapshot or of a record changed; None if there is no digit."""
        copy = MemoryStorage()
        copy.rows, copy.snapshot, copy.format = [*self.rows], self.snapshot, self.format
        luck = self.harm.luck
        if copy.snapshot is not None and (not copy.rows or luck.random() < 0.5):
            payload = self._changed(copy.snapshot.payload)
            copy.snapshot = attrs.evolve(copy.snapshot, payload=payload)
            return copy if payload else None
        if not copy.rows:
            return None
        place = luck.randrange(len(copy.rows))
        payload = self._changed(copy.rows[place].payload)
        if not payload:
            return None
        copy.rows[place] = attrs.evolve(copy.rows[place], payload=payload)
        return copy

    def _changed(self, payload: str) -> str:
        """Return `payload` with one digit changed; empty if it has none."""
        luck = self.harm.luck
        digits = [place for place, letter in enumerate(payload) if letter.isdigit()]
        if not digits:
            return ""
        place = luck.choice(digits)
        other = luck.choice([digit for digit in "123456789" if digit != payload[place]])
        return payload[:place] + other + payload[place + 1 :]
