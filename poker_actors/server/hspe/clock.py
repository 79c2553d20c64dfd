"""The lobby's clock: the time, and calls to make later, in the room's thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from poker_actors.actors.aio import AsyncRoom


class Alarm(Protocol):
    """A call to make later."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """The lobby's source of time."""

    def now(self) -> float:
        """Seconds since 1970, for clients to read."""

    def later(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Call `callback` after some seconds, behind everything under way."""


class LoopClock:
    """The clock of a room on a `StepRuntime` in the running event loop."""

    def __init__(self, room: AsyncRoom) -> None:
        self._bridge = room.bridge

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def later(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Have the loop call `callback`, then let the room handle its effects."""
        return self._bridge.loop.call_later(seconds, self._call, callback)

    def _call(self, callback: Callable[[], None]) -> None:
        try:
            callback()
        finally:
            self._bridge.wake()
