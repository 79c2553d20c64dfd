"""Between an event loop and a runtime: replies become futures, news a stream, and the loop never waits."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from poker_actors.actors.player.face import Player
from poker_actors.actors.player.state import News
from poker_actors.actors.runtime import ASK_SECONDS, Address, Runtime, StepRuntime
from poker_actors.errors import AskTimeout, RoomClosed

__all__ = ["Bridge", "NewsStream", "StepBridge", "bridge_to"]

T = TypeVar("T")

_LEAVING_SECONDS: Final = 1.0
"""How long bots that are cancelled have to end when the room closes."""

TURN_SECONDS: Final = 0.005
"""How long messages are delivered before the loop's other tasks get their turn: a frame of a page has three.

A turn of the loop costs what it costs (a selector, everybody's callbacks), so it is the time between
two turns that bounds the share lost to them, not the number of messages.
"""

STEPS_BETWEEN_LOOKS: Final = 32
"""Messages delivered between two looks at the time."""

STEPS_BETWEEN_RESTS: Final = 128
"""Messages delivered between two calls of `Bridge.rest`: some thousand new objects."""


class Bridge:
    """One room's way into the running loop. What it posts comes from the actors' threads."""

    def __init__(self) -> None:
        self.loop: Final = asyncio.get_running_loop()
        self.streams: Final[set[NewsStream]] = set()
        self.rest: Callable[[], object] | None = None
        """Called on a stepper after every `STEPS_BETWEEN_RESTS` messages, between two handlers: to collect garbage in."""

    def post(self, callback: Callable[..., object], *args: object) -> None:
        """Schedule `callback` on the loop, from any thread; does nothing once the loop is closed."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(callback, *args)

    def wake(self) -> None:
        """See to it that what has been sent is delivered; threads need no telling."""

    async def call(self, function: Callable[[], T]) -> T:
        """Call what may block, away from the loop."""
        return await self.loop.run_in_executor(None, function)

    async def ask(self, address: Address, message: object) -> Any:
        """Send a message and await the reply; see `Address.ask` for what it raises.

        Cancelling the await does not recall the command: it is on its way.
        """
        reply = _FutureReply(self)
        address.ask_into(message, reply)
        self.wake()
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return await reply.future
        except AskTimeout:
            raise
        except TimeoutError:
            text = f"{address.name}, asked {type(message).__name__}, has not answered within {ASK_SECONDS} s"
            raise AskTimeout(text) from None

    async def close(self, function: Callable[[], None]) -> None:
        """Call what closes the room, then end every stream of news."""
        try:
            await self.call(function)
        finally:
            for stream in list(self.streams):
                stream.end()

    def abandon(self) -> None:
        """End every stream of news; nobody listens to the actors any more."""
        for stream in list(self.streams):
            stream.end()


class StepBridge(Bridge):
    """The loop drains a stepper, a few messages at a time; its virtual clock follows the loop's."""

    def __init__(self, runtime: StepRuntime) -> None:
        super().__init__()
        self._runtime: Final = runtime
        self._zero = self.loop.time() - runtime.now()
        """The loop's time at which the runtime's clock began."""
        self._soon: asyncio.Handle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._asked: set[asyncio.Future[Any]] = set()
        """those who await an answer"""
        self._abandoned = False
        self._rested = runtime.steps
        runtime.awaits = self.start

    async def ask(self, address: Address, message: object) -> Any:
        """Send a message and await the reply, however long the loop takes: nothing is lost on the way to it.

        What is delivered is answered, what is dropped is refused; a room that is let go of raises
        `RoomClosed`.
        """
        reply = _FutureReply(self)
        self._asked.add(reply.future)
        reply.future.add_done_callback(self._asked.discard)
        if self._abandoned:
            reply.future.set_exception(RoomClosed(f"{address.name} is let go of"))
        else:
            address.ask_into(message, reply)
            self.wake()
        return await reply.future

    def start(self, coroutine: Coroutine[Any, Any, Any], done: Callable[[asyncio.Task[Any]], None]) -> None:
        """Run what somebody awaits as a task of the loop, and deliver what follows from its end."""

        def ended(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                done(task)
                self.wake()

        task = self.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(ended)

    def post(self, callback: Callable[..., object], *args: object) -> None:
        """Schedule `callback` on the loop, on whose thread everything runs."""
        with suppress(RuntimeError):
            self.loop.call_soon(callback, *args)

    def wake(self) -> None:
        """Come back soon to deliver what is waiting, or when the next deadline falls due."""
        if self.rest is not None and self._runtime.steps - self._rested >= STEPS_BETWEEN_RESTS:
            self._rested = self._runtime.steps
            self.rest()
        if self._soon is not None or self._abandoned:
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        due = self._runtime.next_deadline
        if not self._runtime.quiescent:
            self._soon = self.loop.call_soon(self._drain)
        elif due is not None:
            self._later = self.loop.call_at(self._zero + due, self._drain)

    def _drain(self) -> None:
        # first, or `wake` would take this call for one to come, make no other, and the room would stand still
        self._soon = self._later = None
        try:
            end = perf_counter() + TURN_SECONDS
            self._runtime.catch_up(self.loop.time() - self._zero)
            while self._runtime.run(limit=STEPS_BETWEEN_LOOKS) and perf_counter() < end:
                pass
        finally:
            self.wake()

    async def call(self, function: Callable[[], T]) -> T:
        """Call it here: on a stepper nothing waits for another thread."""
        self._runtime.catch_up(self.loop.time() - self._zero)
        try:
            return function()
        finally:
            self.wake()

    async def close(self, function: Callable[[], None]) -> None:
        """Close, and deliver no more."""
        try:
            await super().close(function)
        finally:
            self._stop()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=_LEAVING_SECONDS)

    def abandon(self) -> None:
        """Deliver nothing more, whatever waits."""
        super().abandon()
        self._abandoned = True
        self._stop()
        for future in self._asked:
            if not future.done():
                future.set_exception(RoomClosed("the room is let go of"))

    def _stop(self) -> None:
        for handle in (self._soon, self._later):
            if handle is not None:
                handle.cancel()
        self._soon = self._later = None
        self._runtime.awaits = None
        for task in self._tasks:
            task.cancel()


def bridge_to(runtime: Runtime) -> Bridge:
    """Return the bridge from the running loop to `runtime`."""
    return StepBridge(runtime) if isinstance(runtime, StepRuntime) else Bridge()


class _FutureReply:
    """A reply that lands in a future of the loop."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.future: asyncio.Future[Any] = bridge.loop.create_future()

    def set(self, value: Any = None) -> None:
        self._bridge.post(self._settle, value, None)

    def set_exception(self, exc_info: Any = None) -> None:
        self._bridge.post(self._settle, None, (exc_info or sys.exc_info())[1])

    def _settle(self, value: Any, error: BaseException | None) -> None:
        if self.future.done():
            return  # answered before, or nobody awaits it any more
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class NewsStream:
    """What a player hears, to be iterated over; listens from entering its context to leaving it.

    At most `limit` pieces of news wait for a slow reader. Then the oldest go and are counted in
    `missed`: every `HandState` is whole, so the latest is worth more than the first. The stream
    ends when the room closes.
    """

    def __init__(self, bridge: Bridge, player: Player, limit: int) -> None:
        self.missed = 0
        """Pieces of news dropped because the reader was too slow."""
        self._bridge = bridge
        self._player = player
        self._limit = limit
        self._waiting: deque[News] = deque()
        self._changed = asyncio.Event()
        self._ended = False
        self._listener = partial(bridge.post, self._put)

    def _put(self, news: News) -> None:
        if self._ended:
            return
        if len(self._waiting) >= self._limit:
            self._waiting.popleft()
            self.missed += 1
        self._waiting.append(news)
        self._changed.set()

    def end(self) -> None:
        """Stop listening; what has been heard can still be read."""
        self._player.unlisten(self._listener)
        self._bridge.streams.discard(self)
        # after what is already posted
        self._bridge.post(self._finish)

    def _finish(self) -> None:
        self._ended = True
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._bridge.streams.add(self)
        self._player.listen(self._listener)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        self._finish()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> News:
        while not self._waiting:
            if self._ended:
                raise StopAsyncIteration
            # no await between the look and this: news put there would be forgotten until the next
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
