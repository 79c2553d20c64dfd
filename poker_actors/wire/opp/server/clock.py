"""The event loop as a table uses it: calls soon and later, in step with the room's own clock."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from poker_actors.actors import Room, StepRuntime

__all__ = ["LoopClock"]


class LoopClock:
    """Runs a Room's actors in an event loop, where they are on a `StepRuntime`, and calls what was posted."""

    def __init__(self, room: Room) -> None:
        self._stepper: Final = room.runtime if isinstance(room.runtime, StepRuntime) else None
        self._posted: deque[Callable[[], None]] = deque()
        self._scheduled = False
        self._stopped = False
        self._alarm: asyncio.Handle | None = None
        self._alarm_at = 0.0
        """when the alarm rings; kept here, since a loop's handles need not know"""
        self._began_at = 0.0

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin, in this loop."""
        self._loop = loop
        self._began_at = loop.time() - (self._stepper.now() if self._stepper else 0.0)

    def stop(self) -> None:
        """Call nothing more."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()

    def now(self) -> float:
        """Seconds of the clock."""
        return self._loop.time()

    def later(self, seconds: float, callback: Callable[[], None]) -> asyncio.Handle:
        """Have `callback` called in the loop after `seconds`."""
        return self._loop.call_later(seconds, callback)

    def post(self, callback: Callable[[], None]) -> None:
        """Have `callback` called in the loop, soon and in order; from any thread."""
        if self._stopped:
            return
        self._posted.append(callback)
        if self._stepper is None:
            self._loop.call_soon_threadsafe(self._turn)
        else:
            self.wake()

    def wake(self) -> None:
        """See to it that the Room's actors get on with what they have been told."""
        if self._stepper is not None and not self._scheduled and not self._stopped:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        """Deliver the Room's messages, then do what was posted meanwhile."""
        self._scheduled = False
        stepper = self._stepper
        if stepper is not None:
            stepper.advance(max(0.0, self._loop.time() - self._began_at - stepper.now()))
        for _ in range(len(self._posted)):
            self._posted.popleft()()
        if stepper is not None:
            if self._posted or not stepper.quiescent:
                self.wake()
            self._set_alarm(stepper)

    def _set_alarm(self, stepper: StepRuntime) -> None:
        """Wake up for the Room's next deadline, unless an alarm is still ahead and early enough for it."""
        due = stepper.next_deadline
        if due is None:
            return
        at = self._began_at + due
        if self._alarm is None or not self._loop.time() < self._alarm_at <= at:
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm_at = at
            self._alarm = self._loop.call_at(at, self._ring)

    def _ring(self) -> None:
        # a loop may be early, as uvloop's, which counts milliseconds: then the alarm is set once more
        self._alarm = None
        self.wake()
