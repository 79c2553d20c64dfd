"""Messages to be delivered later: sorted by due time, and delivered by a thread on the real clock."""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import threading
import time
from typing import Final

import attrs

from poker_actors.actors.runtime.actor import Address
from poker_actors.errors import BadSpec

__all__ = ["Alarm", "AlarmClock", "Alarms", "Pending"]

_log: Final = logging.getLogger("poker_actors.supervisor")


@attrs.frozen
class Pending:
    """A message to be delivered later: when (seconds on the runtime's clock), to whom, and what."""

    due: float
    receiver: str
    message: object


_FEW: Final = 64
"""With so few entries, removing the cancelled ones is not worth while."""


class Alarm:
    """A message to `address` at a set time; a cancelled one is never delivered."""

    __slots__ = ("_alarms", "address", "message", "over")

    def __init__(self, alarms: Alarms, address: Address, message: object) -> None:
        self._alarms = alarms
        self.address = address
        self.message = message
        self.over = False
        """taken or cancelled"""

    def cancel(self) -> None:
        """Never deliver it, unless it has been taken already."""
        self._alarms.cancel(self)


class Alarms:
    """Alarms by time, in seconds. Every turn sets one and cancels it; cancelled ones do not pile up."""

    def __init__(self) -> None:
        self.lock: Final = threading.RLock()
        self._due: list[tuple[float, int, Alarm]] = []
        self._count = itertools.count()
        self._cancelled = 0

    def add(self, due: float, address: Address, message: object) -> Alarm:
        """Set an alarm for the time `due`; alarms of the same time ring in the order set."""
        if not math.isfinite(due):
            # infinity would never come, and NaN has no order: in the heap it would block all others
            raise BadSpec(f"a message cannot be delivered at {due} s")
        alarm = Alarm(self, address, message)
        with self.lock:
            heapq.heappush(self._due, (due, next(self._count), alarm))
        return alarm

    @property
    def next_due(self) -> float | None:
        """When the first alarm falls due; None if there is none."""
        with self.lock:
            while self._due and self._due[0][2].over:
                heapq.heappop(self._due)
                self._cancelled -= 1
            return self._due[0][0] if self._due else None

    def take(self) -> Alarm:
        """Take the first alarm; hold `lock` from the look at `next_due` to here, or another thread may take it."""
        with self.lock:
            alarm = heapq.heappop(self._due)[2]
            alarm.over = True
            return alarm

    def cancel(self, alarm: Alarm) -> None:
        """Cancel an alarm; remove the cancelled ones once they are more than half."""
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
        """Drop the alarms of closed addresses."""
        with self.lock:
            self._due = [entry for entry in self._due if not (entry[2].over or entry[2].address.closed)]
            heapq.heapify(self._due)
            self._cancelled = 0

    def clear(self) -> None:
        """Drop all alarms."""
        with self.lock:
            self._due.clear()
            self._cancelled = 0

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The alarms neither taken nor cancelled, the first due first."""
        with self.lock:
            kept = sorted(entry for entry in self._due if not entry[2].over)
        return tuple(Pending(due, alarm.address.name, alarm.message) for due, _, alarm in kept)

    def __len__(self) -> int:
        return len(self._due)


_NAP: Final = 3600.0
"""Seconds the clock sleeps at most before it looks again: a lock's wait is limited (`threading.TIMEOUT_MAX`)."""

_MOST_RESTARTS: Final = 20
"""Restarts of the clock's thread: a fault that recurs at once must not start threads for ever."""


class AlarmClock:
    """One thread for all deadlines of a room, started with the first.

    If the thread ends for whatever reason, another is started, with the same alarms.
    """

    def __init__(self) -> None:
        self._alarms = Alarms()
        self._changed = threading.Condition(self._alarms.lock)
        self._thread: threading.Thread | None = None
        self._closed = False
        self.restarts = 0
        """Threads started to replace one that ended."""

    @property
    def down(self) -> tuple[str, ...]:
        """`clock` if its thread has ended and was not replaced."""
        with self._changed:
            thread = self._thread
            ended = thread is not None and thread.ident is not None and not thread.is_alive()
            return ("clock",) if ended and not self._closed else ()

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The alarms set, the first due first."""
        return self._alarms.pending

    def set_alarm(self, seconds: float, address: Address, message: object) -> Alarm:
        """Deliver `message` after `seconds`."""
        with self._changed:
            alarm = self._alarms.add(time.monotonic() + seconds, address, message)
            if (self._thread is None or not self._thread.is_alive()) and not self._closed:
                self._start()
            self._changed.notify()
        return alarm

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="poker-actors clock", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while self._wait():
                self._ring()
        except BaseException:  # noqa: BLE001  without a clock no turn would ever time out
            _log.exception("the clock has ended")
        finally:
            with self._changed:
                if not self._closed and self.restarts < _MOST_RESTARTS:
                    self.restarts += 1
                    self._start()

    def _wait(self) -> bool:
        """Wait until an alarm is due; return false once the clock is closed."""
        with self._changed:
            while not self._closed:
                due = self._alarms.next_due
                if due is not None and due <= time.monotonic():
                    return True
                self._changed.wait(_NAP if due is None else min(due - time.monotonic(), _NAP))
            return False

    def _ring(self) -> None:
        with self._changed:
            due = self._alarms.next_due
            if due is None or due > time.monotonic():
                return  # cancelled meanwhile
            alarm = self._alarms.take()
        # without the lock: a mailbox may be slow, and every actor needs the lock to set its alarms
        alarm.address.tell(alarm.message)

    def close(self) -> None:
        """Stop ringing, and wait for the thread."""
        with self._changed:
            self._closed = True
            self._alarms.clear()
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(1.0)
