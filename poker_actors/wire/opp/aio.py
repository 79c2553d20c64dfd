"""Playing on an OPP server inside a running event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self, TypeVar, assert_never

from poker_actors.closing import AsyncClosing
from poker_actors.errors import PokerError, RoomClosed
from poker_actors.wire.framing import CHUNK, silent
from poker_actors.wire.opp.client.session import (
    Ask,
    ClientSeat,
    Connect,
    Effect,
    HangUp,
    Receive,
    Script,
    Send,
    Show,
    Sleep,
)
from poker_actors.wire.opp.protocol import ActionCode, Message, Signal

__all__ = [
    "OppClient",
]


Answer = ActionCode | int | None
Decide = Callable[["OppClient", int, int, int], Answer | Awaitable[Answer]]
"""(client, to_call, min_bet, max_bet) -> the move or an awaitable of it; None to send it later with `act`."""
Status = Callable[["OppClient", Message], object]
"""(client, message) -> nothing, or an awaitable."""
T = TypeVar("T")


class OppClient(ClientSeat, AsyncClosing):
    """Connect, join, play: one seat at one server in one event loop; see `poker_actors.wire.opp.OppClient`.

    Reading goes on while a coroutine decides, so that pings are answered. `decide` and `status`
    may be plain functions or coroutines.
    """

    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _deciding: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open the connection."""
        try:
            async with asyncio.timeout(self._timeout):
                self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
        except TimeoutError:
            raise silent(self.host, self.port) from None

    async def joingame(self) -> bool:
        """Log in: True on success, False for a wrong password; raises like the blocking client."""
        return await self._pump(self._joining())

    async def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called."""
        try:
            await self._pump(self._playing(), callback, status)
        finally:
            await self._stop_deciding()

    async def _pump(self, script: Script[T], decide: Decide | None = None, status: Status | None = None) -> T:
        """Carry out a script's effects until it returns, like the blocking client."""
        answer: object = None
        error: Exception | None = None
        while True:
            try:
                effect = script.send(answer) if error is None else script.throw(error)
            except StopIteration as end:
                done: T = end.value
                return done
            answer = error = None
            try:
                answer = await self._carry_out(effect, decide, status)
            except (OSError, PokerError) as raised:
                error = raised

    async def _carry_out(self, effect: Effect, decide: Decide | None, status: Status | None) -> object:
        match effect:
            case Send(data):
                self._write(data)
            case Receive(seconds):
                return await self._receive(seconds)
            case Sleep(seconds):
                await asyncio.sleep(seconds)
                return self._over.is_set()
            case Connect():
                await self.connect()
            case HangUp():
                await self._stop_deciding()
                self._hang_up()
            case Show(message):
                said = None if status is None else status(self, message)
                if inspect.isawaitable(said):
                    await said
            case Ask(message):
                answer = None if decide is None else decide(self, *message.values[1:])
                if inspect.isawaitable(answer):
                    await self._stop_deciding()
                    self._deciding = asyncio.ensure_future(self._act_when(answer))
                elif answer is not None:
                    self._try_to_act(answer)
            case _:
                assert_never(effect)
        return None

    async def _act_when(self, answer: Awaitable[Answer]) -> None:
        move = await answer
        if move is not None:
            self._try_to_act(move)

    def _try_to_act(self, move: ActionCode | int) -> None:
        with suppress(
            ConnectionError, RoomClosed
        ):  # the server has gone: the next `_receive` ends the session
            self.act(move)

    async def _stop_deciding(self) -> None:
        """Cancel a decision whose turn is over; raises the error of one that has failed."""
        task, self._deciding = self._deciding, None
        if task is not None:
            if not task.done():
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def close(self) -> None:
        """Hang up."""
        self._over.set()
        reader, writer = self._reader, self._writer
        if self._has_quit and reader is not None and writer is not None:
            with suppress(OSError):
                await self._hear_out(reader, writer)
        self._hang_up()
        if writer is not None:
            with suppress(OSError):
                await writer.wait_closed()

    async def _hear_out(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read until the server closes, like the blocking client and for the same reason."""
        writer.write_eof()
        async with asyncio.timeout(self._timeout):
            while await reader.read(CHUNK):
                pass

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    def _write(self, data: bytes) -> None:
        if self._writer is None:
            raise self._unconnected()
        if data:
            self._writer.write(data)

    async def _receive(self, seconds: float) -> bytes | Signal:
        reader = self._reader
        if reader is None:
            return Signal.CLOSED
        try:
            async with asyncio.timeout(seconds):
                return await reader.read(CHUNK)
        except TimeoutError:
            return Signal.NEED_DATA
        except ConnectionError:
            return Signal.CLOSED

    async def __aenter__(self) -> Self:
        await self.connect()
        return self
