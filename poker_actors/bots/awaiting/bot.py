"""A coroutine function as a bot, with a deadline and a budget, on the running event loop or its own."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs

from poker_actors.bots.deciding import OutsideBot
from poker_actors.bots.faults import BotFault, FaultLimits
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, View

if TYPE_CHECKING:
    import asyncio

    from poker_actors.bots.hearing import HandEnd, HandStart

T = TypeVar("T")
Asked = TypeVar("Asked", bound=Callable[..., Any])

_MARK: Final = "__poker_limits__"
_SECONDS: Final = 30.0
"""Default deadline of a decision in seconds."""
_LEAVING_SECONDS: Final = 1.0
"""Seconds that cancelled decisions get to clean up when their loop is closed."""


@attrs.frozen
class Priced:
    """An action and its cost, in any unit: an awaited bot may return one instead of an action."""

    action: Action
    cost: float


@attrs.frozen
class _Marked:
    seconds: float
    limits: FaultLimits


def limited(
    *,
    seconds: float = _SECONDS,
    match_seconds: float | None = None,
    calls: int | None = None,
    cost: float | None = None,
    late: int = FaultLimits().stops,
) -> Callable[[Asked], Asked]:
    """Decorate a coroutine function, or a class of such bots, with a deadline and a budget for a match.

    `seconds` limits one decision; `match_seconds`, `calls` and `cost` (see `Priced`) limit a whole match; after `late`
    late answers the bot is ejected. Raises `BadSpec` for a value of 0 or less.
    """
    given = {"seconds": seconds, "match_seconds": match_seconds, "calls": calls, "cost": cost, "late": late}
    for name, value in given.items():
        if value is not None and not value > 0:
            raise BadSpec(f"{name} {value!r:.20} must be above 0")
    marked = _Marked(seconds, FaultLimits(stops=late, calls=calls, seconds=match_seconds, cost=cost))

    def mark(function: Asked) -> Asked:
        setattr(function, _MARK, marked)
        return function

    return mark


def is_awaited(bot: object) -> bool:
    """Whether calling `bot` returns an awaitable."""
    return inspect.iscoroutinefunction(bot) or inspect.iscoroutinefunction(type(bot).__call__)


def awaited(bot: Callable[[View], Awaitable[Any]], factory: object) -> AwaitedBot:
    """Wrap a coroutine function as a bot, with the limits that `limited` set on `factory`, if any."""
    marked: _Marked = getattr(factory, _MARK, _Marked(_SECONDS, FaultLimits()))
    return AwaitedBot(bot, marked.seconds, marked.limits)


class AwaitedBot(OutsideBot):
    """A coroutine function of a view as a bot: async code awaits `answer`, other code calls the bot.

    A late answer is cancelled and no longer awaited. A coroutine that blocks its thread instead of awaiting cannot be
    stopped.
    """

    def __init__(
        self,
        function: Callable[[View], Awaitable[Any]],
        seconds: float = _SECONDS,
        limits: FaultLimits | None = None,
    ) -> None:
        self.limits = FaultLimits() if limits is None else limits
        super().__init__()
        self._function = function
        self.hears = hasattr(function, "hand_started") or hasattr(function, "hand_over")
        self.aside: Callable[[Coroutine[Any, Any, Any], Callable[[Any], None]], None] | None = None
        """starts a task on the running loop, in a room that must not wait"""
        self._seconds = seconds
        self._loop: asyncio.AbstractEventLoop | None = None

    async def answer(self, view: View) -> Action:
        """Decide within the deadline and the budget; raises `BotFault`, and whatever the function raises."""
        import asyncio

        account = self.account
        account.check_budget()
        account.used.calls += 1
        start = monotonic()
        thinking = asyncio.ensure_future(self._function(view))
        thinking.add_done_callback(_heard)
        try:
            await asyncio.wait({thinking}, timeout=self._seconds)
        finally:
            account.used.seconds += monotonic() - start
            late = not thinking.done()
            thinking.cancel()  # of no effect once it is done
        if late:
            await asyncio.sleep(0)  # lets it handle the cancellation; a cleanup that awaits is not waited for
            raise BotFault("late", f"no answer in {self._seconds:g} s")
        if thinking.cancelled():
            raise BotFault("raised", "raised CancelledError")
        found = thinking.result()
        if isinstance(found, Priced):
            account.used.cost += found.cost
            found = found.action
        action: Action = found
        return action

    def hand_started(self, start: HandStart) -> None:
        """Tell the bot, and wait if its method is a coroutine function."""
        self._tell("hand_started", start)

    def hand_over(self, end: HandEnd) -> None:
        """Tell the bot, and wait if its method is a coroutine function."""
        self._tell("hand_over", end)

    def _tell(self, method: str, news: HandStart) -> None:
        heard = getattr(self._function, method, None)
        found = None if heard is None else heard(news)
        if inspect.iscoroutine(found):
            if self.aside is None:
                self._run(found)
            else:
                self.aside(found, _heard)

    def __call__(self, view: View) -> Action:
        """Decide, running the bot's own event loop until done."""
        return self._run(self.answer(view))

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        import asyncio

        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.new_event_loop()
            weakref.finalize(self, loop.close)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return loop.run_until_complete(coroutine)
        # a caller inside a running loop, as in a notebook: loops do not nest, so run ours on another thread and wait
        return _elsewhere(lambda: loop.run_until_complete(coroutine))

    def close(self) -> None:
        """Cancel pending decisions and close the loop."""
        import asyncio

        loop = self._loop
        if loop is None:
            return
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        self._run(_leave(left))
        self._loop = None
        loop.close()


async def _leave(left: set[asyncio.Task[Any]]) -> None:
    import asyncio

    if left:
        await asyncio.wait(left, timeout=_LEAVING_SECONDS)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    # bounded, because a thread started by `to_thread` may never end
    await asyncio.wait({asyncio.ensure_future(loop.shutdown_default_executor())}, timeout=_LEAVING_SECONDS)


def _heard(thinking: asyncio.Future[Any]) -> None:
    """Retrieve the exception: nobody awaits a late decision, and asyncio would log it as never retrieved."""
    if not thinking.cancelled():
        thinking.exception()


def _elsewhere(run: Callable[[], T]) -> T:
    """Call `run` on a new thread and wait for its result."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, thread_name_prefix="poker-actors awaited bot") as pool:
        return pool.submit(run).result()
