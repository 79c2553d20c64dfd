"""Connect an event loop to a runtime: replies become futures, news a stream, and the loop never blocks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import News
from poker_actors.actors.runtime import ASK_SECONDS, Address, Reply, Runtime, StepRuntime
from poker_actors.errors import AskTimeout, RoomClosed

T = TypeVar("T")

_LEAVING_SECONDS: Final = 1.0
"""How long cancelled bots have to end when the room closes; a bot that ignores it must not hold up the room."""

TURN_SECONDS: Final = 0.005
"""How long messages are delivered before the loop's other tasks run: a third of a page's frame.

Each turn of the loop has a fixed cost (a selector, all callbacks), so a time between two turns, not a number
of messages, bounds the share lost to it.
"""

STEPS_BETWEEN_LOOKS: Final = 32
"""Messages delivered between two looks at the clock: `TURN_SECONDS` may be overrun by as many."""

STEPS_BETWEEN_RESTS: Final = 128
"""Messages delivered between two calls of `Bridge.rest`: a few thousand new objects.

Without it a server's young generation grew to a hundred thousand objects, and collecting them took a quarter
of a second in one callback.
"""


class Bridge:
    """One room's connection to the running loop; the actors' threads post to it."""

    def __init__(self) -> None:
        self.loop: Final = asyncio.get_running_loop()
        self.streams: Final[set[NewsStream]] = set()
        self.rest: Callable[[], object] | None = None
        """Called on a stepper after every `STEPS_BETWEEN_RESTS` messages, between two handlers, to collect garbage."""

    def post(self, callback: Callable[..., object], *args: object) -> None:
        """Schedule `callback` on the loop, from any thread; do nothing once the loop is closed."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(callback, *args)

    def wake(self) -> None:
        """Make sure that sent messages are delivered; threads do so by themselves."""

    def do(self, function: Callable[[], T]) -> T:
        """Call a function here, at the loop's present time, and deliver what it sends; on threads it must not block."""
        return function()

    def later(self, seconds: float, function: Callable[[], object]) -> asyncio.TimerHandle:
        """Make the loop `do` a function after `seconds`."""
        return self.loop.call_later(seconds, self.do, function)

    async def call(self, function: Callable[[], T]) -> T:
        """Call a function that may block, off the loop."""
        return await self.loop.run_in_executor(None, function)

    async def ask(self, address: Address, message: object, seconds: float = ASK_SECONDS) -> Any:
        """Send a message and await the reply, within `seconds`; see `Address.ask` for what it raises.

        Cancelling the await does not recall the command, which has been sent.
        """
        reply = _FutureReply(self)
        address.ask_into(message, reply)
        self.wake()
        try:
            async with asyncio.timeout(seconds):
                return await reply.future
        except AskTimeout:
            raise
        except TimeoutError:
            text = f"{address.name}, asked {type(message).__name__}, has not answered within {seconds} s"
            raise AskTimeout(text) from None

    async def close(self, function: Callable[[], None]) -> None:
        """Close the room with `function`, then end every stream of news."""
        try:
            await self.call(function)
        finally:
            for stream in list(self.streams):
                stream.end()

    def abandon(self) -> None:
        """End every stream of news, without closing the room."""
        for stream in list(self.streams):
            stream.end()


class StepBridge(Bridge):
    """The connection to a stepper, which the loop drains a few messages at a time; its clock follows the loop's."""

    def __init__(self, runtime: StepRuntime) -> None:
        super().__init__()
        self._runtime: Final = runtime
        self._zero = self.loop.time() - runtime.now()
        """The loop's time at which the runtime's clock began."""
        self._soon: asyncio.Handle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._asked: set[asyncio.Future[Any]] = set()
        """the answers that somebody awaits"""
        self._abandoned = False
        self._rested = runtime.steps
        runtime.awaits = self.start

    async def ask(self, address: Address, message: object, seconds: float = ASK_SECONDS) -> Any:
        """Send a message and await the reply, without a time limit: a stepper loses nothing on the way.

        A delivered message is answered and a dropped one refused; an abandoned room raises `RoomClosed`.
        """
        reply = _FutureReply(self)
        self._asked.add(reply.future)
        reply.future.add_done_callback(self._asked.discard)
        if self._abandoned:
            reply.future.set_exception(RoomClosed(f"{address.name}: the room was abandoned"))
        else:
            address.ask_into(message, reply)
            self.wake()
        return await reply.future

    def start(self, coroutine: Coroutine[Any, Any, Any], done: Callable[[asyncio.Task[Any]], None]) -> None:
        """Run a coroutine as a task of the loop, and deliver what follows when it is done."""

        def ended(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                done(task)
                self.wake()

        task = self.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(ended)

    def post(self, callback: Callable[..., object], *args: object) -> None:
        """Schedule `callback` on the loop; everything runs on its thread."""
        with suppress(RuntimeError):
            self.loop.call_soon(callback, *args)

    def wake(self) -> None:
        """Schedule the next delivery: soon if messages wait, else when the next deadline falls due."""
        if self.rest is not None and self._runtime.steps - self._rested >= STEPS_BETWEEN_RESTS:
            self._rested = self._runtime.steps
            self.rest()
        if self._soon is not None or self._abandoned:
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._runtime.quiescent:
            self._soon = self.loop.call_soon(self._drain)
        elif (due := self._runtime.next_deadline) is not None:
            self._later = self.loop.call_at(self._zero + due, self._drain)

    def _drain(self) -> None:
        # First: otherwise `wake` would take this call for a scheduled one, schedule no other, and the room would stall.
        self._soon = self._later = None
        try:
            end = perf_counter() + TURN_SECONDS
            self._runtime.catch_up(self.loop.time() - self._zero)
            while self._runtime.run(limit=STEPS_BETWEEN_LOOKS) and perf_counter() < end:
                pass
        finally:
            self.wake()

    def do(self, function: Callable[[], T]) -> T:
        """Call a function here, at the loop's present time, and deliver what it sends."""
        self._runtime.catch_up(self.loop.time() - self._zero)
        try:
            return function()
        finally:
            self.wake()

    async def call(self, function: Callable[[], T]) -> T:
        """Call the function here: on a stepper nothing waits for another thread."""
        return self.do(function)

    async def close(self, function: Callable[[], None]) -> None:
        """Close the room, and deliver nothing more."""
        try:
            await super().close(function)
        finally:
            self._stop()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=_LEAVING_SECONDS)

    def abandon(self) -> None:
        """Deliver nothing more, not even waiting messages; anything awaiting an answer gets `RoomClosed`."""
        super().abandon()
        self._abandoned = True
        self._stop()
        for future in self._asked:
            if not future.done():
                future.set_exception(RoomClosed("the room was abandoned"))

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


class _FutureReply(Reply):
    """A reply that lands in a future of the loop."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.future: asyncio.Future[Any] = bridge.loop.create_future()

    def _answer(self, value: Any, error: BaseException | None) -> None:
        self._bridge.post(self._settle, value, error)

    def _settle(self, value: Any, error: BaseException | None) -> None:
        if self.future.done():
            return  # answered already, or no longer awaited
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class NewsStream:
    """An async iterator of everything a player hears; it listens as long as its context is open.

    At most `limit` pieces of news wait for a slow reader. Beyond that the oldest are dropped and
    counted in `missed`: every `HandState` is complete, so the latest matters most. The stream ends
    when the room closes.
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
        self._listener.quick = True  # type: ignore[attr-defined]  # posting never waits; see `is_quick`

    def _put(self, news: News) -> None:
        if self._ended:
            return
        if len(self._waiting) >= self._limit:
            self._waiting.popleft()
            self.missed += 1
        self._waiting.append(news)
        self._changed.set()

    def end(self) -> None:
        """Stop listening; news heard before can still be read."""
        self._player.unlisten(self._listener)
        self._bridge.wake()
        self._bridge.streams.discard(self)
        # posted, not called: news that the actors' threads have posted already must come before the end
        self._bridge.post(self._finish)

    def _finish(self) -> None:
        self._ended = True
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._bridge.streams.add(self)
        self._player.listen(self._listener)
        self._bridge.wake()
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
            # no await between the look and this: `clear` would hide news put in between until the next came
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
