"""Messages to be delivered later, sorted by when they fall due; both clocks keep theirs in one of these."""

from __future__ import annotations

import heapq
import itertools
import threading
from typing import Final

from poker_actors.actors.runtime.actor import Address

__all__ = ["Alarm", "Alarms"]

_FEW: Final = 64
"""Below this many entries, sorting out the cancelled ones is not worth a look."""


class Alarm:
    """A message for `address`; a cancelled one is never delivered."""

    __slots__ = ("_alarms", "address", "message", "over")

    def __init__(self, alarms: Alarms, address: Address, message: object) -> None:
        self._alarms = alarms
        self.address = address
        self.message = message
        self.over = False
        """taken out, or cancelled"""

    def cancel(self) -> None:
        """Never deliver it, unless it has been taken out already."""
        self._alarms.cancel(self)


class Alarms:
    """Alarms by time, in seconds. Each turn sets one and cancels it: those do not pile up."""

    def __init__(self) -> None:
        self.lock: Final = threading.RLock()
        self._due: list[tuple[float, int, Alarm]] = []
        self._count = itertools.count()
        self._cancelled = 0

    def add(self, due: float, address: Address, message: object) -> Alarm:
        """Set one for the time `due`; alarms of one time ring in the order set."""
        alarm = Alarm(self, address, message)
        with self.lock:
            heapq.heappush(self._due, (due, next(self._count), alarm))
        return alarm

    @property
    def next_due(self) -> float | None:
        """When the first alarm falls due; None when there is none."""
        with self.lock:
            while self._due and self._due[0][2].over:
                heapq.heappop(self._due)
                self._cancelled -= 1
            return self._due[0][0] if self._due else None

    def take(self) -> Alarm:
        """Take out the first alarm, under the `lock` under which `next_due` has said that there is one."""
        with self.lock:
            alarm = heapq.heappop(self._due)[2]
            alarm.over = True
            return alarm

    def cancel(self, alarm: Alarm) -> None:
        """Cancel one; throw the cancelled out when they are more than half."""
        with self.lock:
            if alarm.over:
                return
            alarm.over = True
            self._cancelled += 1
            if self._cancelled * 2 > len(self._due) > _FEW:
                self._due = [entry for entry in self._due if not entry[2].over]
                heapq.heapify(self._due)
                self._cancelled = 0

    def drop_closed(self) -> None:
        """Drop those of addresses that are closed."""
        with self.lock:
            self._due = [entry for entry in self._due if not (entry[2].over or entry[2].address.closed)]
            heapq.heapify(self._due)
            self._cancelled = 0

    def clear(self) -> None:
        """Drop them all."""
        with self.lock:
            self._due.clear()
            self._cancelled = 0

    def __len__(self) -> int:
        return len(self._due)
