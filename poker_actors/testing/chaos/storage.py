"""A journal's storage that fails: a full disk, and a process that dies once the record is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from poker_actors.errors import StorageFailed
from poker_actors.store import MemoryStorage
from poker_actors.testing.chaos.faults import FaultRates, ProcessDied

__all__ = ["ChaosStorage"]


class ChaosStorage(MemoryStorage):
    """Keeps what was written when the process dies, and takes nothing from a dead process."""

    def __init__(self, luck: Random, rates: FaultRates, what_happened: Counter[str]) -> None:
        super().__init__()
        self.luck = luck
        self.rates = rates
        self.what_happened = what_happened
        self.quiet = True
        self.dead = False

    def write(self, rows: Sequence[object], after: int) -> None:
        """Write, unless the disk is full; then perhaps die before anybody hears of it."""
        if self.dead:
            raise StorageFailed("the process is dead")
        if not self.quiet and self.luck.random() < self.rates.disk_full:
            self.what_happened["disk full"] += 1
            raise StorageFailed("no space left")
        super().write(rows, after)  # type: ignore[arg-type]  # rows are the journal's own
        if not self.quiet and self.luck.random() < self.rates.die_writing:
            self.what_happened["died after a write"] += 1
            self.dead = True
            raise ProcessDied
