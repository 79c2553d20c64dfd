"""Playing on an OPP server inside a running event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Self

from poker_actors.closing import AsyncClosing
from poker_actors.wire.framing import CHUNK, silent
from poker_actors.wire.opp.client import ClientSeat
from poker_actors.wire.opp.protocol import ActionCode, Message

__all__ = ["OppClient"]

Answer = ActionCode | int | None
Decide = Callable[["OppClient", int, int, int], Answer | Awaitable[Answer]]
"""(client, to_call, min_bet, max_bet) -> the move or an awaitable of it; None to send it later with `act`."""
Status = Callable[["OppClient", Message], object]
"""(client, message) -> nothing, or an awaitable."""


class OppClient(ClientSeat, AsyncClosing):
    """Connect, join, play: one seat at one server in one event loop; see `poker_actors.wire.opp.OppClient`.

    Reading goes on while a coroutine decides, so that pings are answered. `decide` and `status`
    may be plain functions or coroutines.
    """

    _stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    _deciding: asyncio.Task[None] | None = None

    async def joingame(self) -> bool:
        """Log in: True on success, False for a wrong password; raises like the blocking client."""
        return await self._join()

    async def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called."""
        await self._play(callback, status)

    async def close(self) -> None:
        """Hang up."""
        stream = self._stream
        await self._close()
        if stream is not None:
            with suppress(OSError):
                await stream[1].wait_closed()

    async def connect(self) -> None:
        """Open the connection."""
        try:
            async with asyncio.timeout(self._timeout):
                self._stream = await asyncio.open_connection(self.host, self.port)
        except TimeoutError:
            raise silent(self.host, self.port) from None

    _connect = connect

    async def _read(self, seconds: float) -> bytes:
        if self._stream is None:
            raise ConnectionResetError
        async with asyncio.timeout(seconds):
            return await self._stream[0].read(CHUNK)

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _write(self, data: bytes) -> None:
        if self._stream is None:
            raise self._unconnected()
        # else asyncio would log a line for each answer to a server that has gone
        if not self._stream[1].is_closing():
            self._stream[1].write(data)

    def _end_writing(self) -> None:
        if self._stream is not None:
            self._stream[1].write_eof()

    def _hang_up(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream[1].close()

    def _decided(self, answer: Any) -> None:
        if inspect.isawaitable(answer):
            self._deciding = asyncio.ensure_future(self._decide_later(answer))
        else:
            super()._decided(answer)

    async def _decide_later(self, answer: Awaitable[Answer]) -> None:
        super()._decided(await answer)

    async def _stop_deciding(self) -> None:
        """Cancel a decision whose turn is over; raises the error of one that has failed."""
        task, self._deciding = self._deciding, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def __aenter__(self) -> Self:
        await self.connect()
        return self
