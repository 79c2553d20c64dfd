"""Output commit: no answer leaves the server before the state it reports is durable."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from poker_actors.errors import StorageFailed
from poker_actors.store import Journal


class Held(Protocol):
    """Wait until everything that has happened so far may be reported; raise `StorageFailed` if it is lost."""

    async def __call__(self) -> None:
        """Wait."""


async def at_once() -> None:
    """Return at once: without write-behind, everything that has happened is durable."""


class OutputCommit:
    """Let answers in `loop` wait for `journal`, each until its own record is durable.

    `failed` is called once, in the loop, after a write has failed.
    """

    def __init__(self, journal: Journal, loop: asyncio.AbstractEventLoop, failed: Callable[[], None]) -> None:
        self._journal: Final = journal
        self._loop: Final = loop
        self._failed = failed
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._awake = False
        """whether `_release` is scheduled in the loop"""
        journal.on_progress = self._progressed

    async def held(self) -> None:
        """Wait until everything that has happened so far is durable; see `Held`."""
        journal = self._journal
        record = journal.appended
        failure = journal.failed
        if failure is not None:
            raise StorageFailed(str(failure))
        if journal.durable < record:
            turn: asyncio.Future[None] = self._loop.create_future()
            # No progress is missed between the comparison and here: `_release` runs in this loop, so only later.
            # Record numbers only grow, so the queue is sorted, and `_release` need only look at its head.
            self._waiting.append((record, turn))
            await turn

    def _progressed(self) -> None:
        """Schedule `_release`; called in the journal's thread after progress or failure."""
        if not self._awake:
            self._awake = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        """Release waiters whose record is durable; fail the rest once writing has failed."""
        # Clear the flag before reading the journal, so that progress in between schedules another call. In the
        # other order it would be missed, and the waiter for the last record would wait for ever.
        self._awake = False
        failure = self._journal.failed
        durable = self._journal.durable
        waiting = self._waiting
        while waiting and (waiting[0][0] <= durable or failure is not None):
            record, turn = waiting.popleft()
            if turn.done():
                continue  # cancelled: its client has gone
            if record <= durable:
                turn.set_result(None)
            else:
                turn.set_exception(StorageFailed(str(failure)))
        if failure is not None:
            failed, self._failed = self._failed, _nobody
            failed()


def _nobody() -> None:
    """Do nothing, in place of `failed` once it has been called."""
