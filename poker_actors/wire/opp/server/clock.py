"""The event loop as tables use it: immediate and delayed calls, in step with the Room's clock."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from poker_actors.actors import Room, StepRuntime

__all__ = ["LoopClock"]


class LoopClock:
    """Runs posted calls in an event loop, and the Room's actors too if they are on a `StepRuntime`."""

    def __init__(self, room: Room) -> None:
        self._stepper: Final = room.runtime if isinstance(room.runtime, StepRuntime) else None
        self._posted: deque[Callable[[], None]] = deque()
        self._scheduled = False
        self._stopped = False
        self._alarm: asyncio.Handle | None = None
        self._alarm_at = 0.0
        """loop time of the alarm; kept here, since not every loop's handles can tell it"""
        self._began_at = 0.0

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Attach to this loop."""
        self._loop = loop
        self._began_at = loop.time() - (self._stepper.now() if self._stepper else 0.0)

    def stop(self) -> None:
        """Make no more calls."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()

    def now(self) -> float:
        """Return the loop's time in seconds."""
        return self._loop.time()

    def later(self, seconds: float, callback: Callable[[], None]) -> asyncio.Handle:
        """Call `callback` in the loop after `seconds`."""
        return self._loop.call_later(seconds, callback)

    def post(self, callback: Callable[[], None]) -> None:
        """Call `callback` in the loop soon, in the order of posting; may be used from any thread."""
        if self._stopped:
            return
        self._posted.append(callback)
        if self._stepper is None:
            self._loop.call_soon_threadsafe(self._turn)
        else:
            self.wake()

    def wake(self) -> None:
        """Schedule a turn, so that the Room's actors process their messages."""
        if self._stepper is not None and not self._scheduled and not self._stopped:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        """Deliver the Room's messages, then make the posted calls."""
        self._scheduled = False
        stepper = self._stepper
        if stepper is not None:
            stepper.advance(max(0.0, self._loop.time() - self._began_at - stepper.now()))
        # Only as many as are there now: calls that post calls must not keep the sockets from being served.
        for _ in range(len(self._posted)):
            self._posted.popleft()()
        if stepper is not None:
            if self._posted or not stepper.quiescent:
                self.wake()
            self._set_alarm(stepper)

    def _set_alarm(self, stepper: StepRuntime) -> None:
        """Set an alarm for the Room's next deadline, unless one is already set for that time or before."""
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
        # A loop may ring early (uvloop counts in milliseconds): the turn then sets the alarm again.
        self._alarm = None
        self.wake()
