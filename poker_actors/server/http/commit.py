"""Output commit: nothing leaves the server before what it tells is durable."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from poker_actors.errors import StorageFailed
from poker_actors.store import Journal

__all__ = ["Held", "OutputCommit", "at_once"]


class Held(Protocol):
    """Waits until all that has happened so far may be told; raises `StorageFailed` when it has not happened."""

    async def __call__(self) -> None:
        """Wait."""


async def at_once() -> None:
    """Do not wait: without writing behind, what has happened is durable."""


class OutputCommit:
    """What waits for `journal` in `loop`: everything that is to be told, each until its own record is durable.

    `failed` is called, in the loop, once writing has failed.
    """

    def __init__(self, journal: Journal, loop: asyncio.AbstractEventLoop, failed: Callable[[], None]) -> None:
        self._journal: Final = journal
        self._loop: Final = loop
        self._failed = failed
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._awake = False
        """whether the loop has been asked to look"""
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
            # No progress is missed between the comparison and here: `_release` runs in this loop, so only after it.
            # Records only grow, so whoever waits is in order, and `_release` looks at the first alone.
            self._waiting.append((record, turn))
            await turn

    def _progressed(self) -> None:
        """Hear, in the journal's thread, that more is durable, or that no more will be."""
        if not self._awake:
            self._awake = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        """Release what is durable; refuse the rest once writing has failed."""
        # before the journal is read: progress in between wakes the loop once more. The other way round it would be
        # seen neither here nor by a call of its own, and who waits for the last record would wait for ever.
        self._awake = False
        failure = self._journal.failed
        durable = self._journal.durable
        waiting = self._waiting
        while waiting and (waiting[0][0] <= durable or failure is not None):
            record, turn = waiting.popleft()
            if turn.done():
                continue  # who asked has gone
            if record <= durable:
                turn.set_result(None)
            else:
                turn.set_exception(StorageFailed(str(failure)))
        if failure is not None:
            failed, self._failed = self._failed, _nobody
            failed()


def _nobody() -> None:
    """Tell nobody."""
