"""Playing on an OPP server inside a running event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Self, TypeVar

from poker_actors.closing import AsyncClosing
from poker_actors.guard import naming
from poker_actors.wire.framing import CHUNK
from poker_actors.wire.opp.client import ClientSeat

__all__ = ["OppClient"]

T = TypeVar("T")
Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class OppClient(ClientSeat[Link], AsyncClosing):
    """The asyncio client: `connect`, `joingame`, `playgame` and `close` are awaited, in one event loop.

    Reading goes on while a coroutine decides, so that pings are answered.
    """

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def close(self) -> None:
        """Hang up."""
        link = self._link
        await self._close()
        if link is not None:
            with suppress(OSError):
                await link[1].wait_closed()

    def _run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        return work

    def _aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.create_task(work)

    async def _open(self) -> Link:
        async with asyncio.timeout(self._timeout):
            with naming(self.host):
                return await asyncio.open_connection(self.host, self.port)

    async def _read(self, link: Link, seconds: float) -> bytes:
        async with asyncio.timeout(seconds):
            return await link[0].read(CHUNK)

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _write(self, link: Link, data: bytes) -> None:
        _, writer = link
        # else asyncio would log a line for each answer to a server that has gone
        if not writer.is_closing():
            writer.write(data)

    def _end_writing(self, link: Link) -> None:
        link[1].write_eof()

    def _drop(self, link: Link) -> None:
        link[1].close()
