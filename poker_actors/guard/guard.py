"""Checks made before a server lets anybody in, with their counts; all servers of a process share them."""

from __future__ import annotations

import asyncio
import enum
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from poker_actors.errors import RoomBusy
from poker_actors.guard.waits import Backoff, DoorLimits, Quota

R = TypeVar("R")

_AT_ONCE: Final = 2
"""Digests computed at once: each takes tens of milliseconds and megabytes, by design."""
_WAITING: Final = 64
"""Log-ins that may wait for a digest; more are refused, so that a flood of guesses cannot make everybody queue."""
_BEHIND: Final = 10
"""The nice value of threads that compute digests."""


class Full(enum.Enum):
    """Why a connection is refused."""

    ALL = "too many connections"
    ADDRESS = "too many connections from its address"


class Crowd:
    """The open connections of all servers, in total and by address. Calls may come from any thread."""

    def __init__(self, limits: DoorLimits) -> None:
        self._most = limits.connections
        self._most_each = limits.connections_per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0
        self._lock = threading.Lock()

    def enter(self, address: str | None, *, most: int | None = None) -> Full | None:
        """Count a connection, or return why it is refused and count nothing.

        An `address` of None is a trusted proxy's connection, counted in the total only. `most` lowers the total for
        this server.
        """
        with self._lock:
            if self._count >= (self._most if most is None else most):
                return Full.ALL
            if address is not None:
                if self._by_address[address] >= self._most_each:
                    return Full.ADDRESS
                self._by_address[address] += 1
            self._count += 1
            return None

    def leave(self, address: str | None) -> None:
        """Stop counting a connection that was let in."""
        with self._lock:
            self._count -= 1
            if address is not None:
                self._by_address[address] -= 1
                if not self._by_address[address]:
                    del self._by_address[address]

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<Crowd: {len(self)} of {len(self._by_address)} addresses>"


class Allowance:
    """The messages that one connection may still send now: `per_second`, saved up for at most a second."""

    def __init__(self, per_second: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second: Final = float(per_second)
        self._now = now
        self._left = self._per_second
        self._at = now()

    def take(self) -> float:
        """Use one; return the seconds to wait before reading the next message, 0 while any are left."""
        self._fill()
        self._left -= 1
        return 0.0 if self._left >= 0 else -self._left / self._per_second

    def take_if_any(self, count: int = 1) -> bool:
        """Use `count` if that many are left, otherwise none; return whether they were used."""
        self._fill()
        there = self._left >= count
        self._left -= count * there
        return there

    def _fill(self) -> None:
        now = self._now()
        self._left = min(self._per_second, self._left + (now - self._at) * self._per_second)
        self._at = now


def _step_back() -> None:
    """Lower this thread's priority below the event loop's: a flood of log-ins must not slow any game."""
    if sys.platform == "linux":  # elsewhere this would lower the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _BEHIND)


class Digests:
    """Threads in which passwords are checked, a few at a time. Calls come from the event loop."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(_AT_ONCE, "log-in", _step_back)
        self._waiting = 0

    def submit(self, function: Callable[[str, str], R], name: str, password: str) -> asyncio.Future[R]:
        """Call `function` with name and password in a thread; raises `RoomBusy` if too many are waiting."""
        if self._waiting >= _WAITING:
            raise RoomBusy(f"{_WAITING} log-ins are already waiting: try again later")
        self._waiting += 1
        asked = asyncio.get_running_loop().run_in_executor(self._executor, function, name, password)
        asked.add_done_callback(self._answered)
        return asked

    def _answered(self, _: object) -> None:
        self._waiting -= 1

    def close(self) -> None:
        """Stop the threads."""
        self._executor.shutdown(wait=True, cancel_futures=True)


class Guard:
    """One guard for all servers of a process, so that a count at one holds at the others.

    Every server keeps the same promises: owners are never locked out at addresses where they have logged in before;
    during a wait no answer tells a right password from a wrong one; no single address can take every place.
    """

    def __init__(
        self, limits: DoorLimits | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        limits = limits or DoorLimits()
        self.limits: Final = limits
        self.now: Final = now
        self.waits: Final = Backoff(
            free=limits.guesses,
            free_address=limits.guesses_per_address,
            longest=limits.wait_seconds,
            forget=limits.forget_seconds,
            now=now,
        )
        self.registrations: Final = Quota("users from one address", limits.users_per_hour, now=now)
        self.lines: Final = Quota("lines of one user", limits.lines_per_minute, now=now, minute=True)
        """said at tables"""
        self.crowd: Final = Crowd(limits)
        self.digests: Final = Digests()

    def allowance(self, now: Callable[[], float] | None = None) -> Allowance:
        """Return a new connection's allowance of messages, timed by `now` if given."""
        return Allowance(self.limits.messages_per_second, now or self.now)

    def close(self) -> None:
        """Stop the threads that check passwords."""
        self.digests.close()

    def __repr__(self) -> str:
        return f"<Guard: {self.crowd!r}, {self.waits!r}>"
