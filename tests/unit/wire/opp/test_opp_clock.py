"""The Room's time in an event loop: whatever a loop's handles know and however early it rings."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from poker_actors.actors import Room, StepRuntime
from poker_actors.wire.opp.server.clock import LoopClock


class Handle:
    """As plain as a handle may be: it can be cancelled."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """An event loop whose time stands still until it is moved, and whose alarms ring when the test says."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.soon: list[Callable[[], Any]] = []
        self.alarms: list[tuple[float, Callable[[], Any], Handle]] = []

    def time(self) -> float:
        return self.seconds

    def call_soon(self, callback: Callable[[], Any]) -> None:
        self.soon.append(callback)

    def call_at(self, at: float, callback: Callable[[], Any]) -> Handle:
        handle = Handle()
        self.alarms.append((at, callback, handle))
        return handle

    def run(self) -> None:
        while self.soon:
            self.soon.pop(0)()

    def ring(self) -> float:
        """Ring the last alarm that is set; gives when it was set for."""
        at, callback, handle = self.alarms.pop()
        assert not handle.cancelled
        callback()
        self.run()
        return at


def test_an_alarm_that_rings_early_is_set_again() -> None:
    """uvloop counts milliseconds: a turn of 0.05 s may be rung for when 0.0499 s have passed."""
    loop = Loop()
    with Room(StepRuntime(), seed=1) as room:
        clock = LoopClock(room)
        clock.start(cast(asyncio.AbstractEventLoop, loop))
        runtime = room.runtime
        player = room.player("ann")
        runtime.later(0.05, player.address, "time")
        clock.wake()
        loop.run()
        for early in (0.0499, 0.04999):
            loop.seconds = 1_000 + early
            assert abs(loop.ring() - 1_000.05) < 1e-9
            assert len(loop.alarms) == 1, "nobody would wake the table again"
        loop.seconds = 1_000.051
        loop.ring()
        assert loop.alarms == []
        clock.stop()
