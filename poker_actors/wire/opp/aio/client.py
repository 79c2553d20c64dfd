"""The OPP client for asyncio: the same methods as the blocking client, as coroutines."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Self

from poker_actors.closing import AsyncClosing
from poker_actors.errors import PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.wire.framing import CHUNK, silent
from poker_actors.wire.opp.client import ClientSeat
from poker_actors.wire.opp.protocol import ActionCode, Message, Op

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
        self._write(self._session.join(self.user, self._password))
        try:
            async with asyncio.timeout(self._timeout):
                while (answer := await self._receive()) is not None:
                    verdict = self._session.verdict(answer, self.user)
                    if verdict is not None:
                        return verdict
        except TimeoutError:
            raise silent(self.host, self.port) from None
        raise self._closed()

    async def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called."""
        while True:
            lost: Exception | None = None
            try:
                await self._play(callback, status)
            except (TimeoutError, RemoteProtocolError) as error:
                lost = error
            if self._has_ended(lost):
                return
            if not await self._come_back():
                if lost is not None:
                    raise lost
                return

    async def _play(self, callback: Decide, status: Status | None) -> None:
        """Play on one connection to its end."""
        try:
            while (message := await self._receive(probe=True)) is not None:
                if status is not None:
                    said = status(self, message)
                    if inspect.isawaitable(said):
                        await said
                if self._is_mine(message):
                    answer = callback(self, *message.values[1:])
                    if inspect.isawaitable(answer):
                        await self._stop_deciding()
                        self._deciding = asyncio.ensure_future(self._act_when(answer))
                    elif answer is not None:
                        self._try_to_act(answer)
        finally:
            await self._stop_deciding()

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

    async def _come_back(self) -> bool:
        """Connect and log in again; returns whether that worked."""
        for wait in self._delays():
            await asyncio.sleep(wait)
            if self._over.is_set():
                return False
            self._hang_up()
            self._renew()
            try:
                await self.connect()
                if not await self.joingame():
                    return False
            except Refused:
                return False
            except (OSError, PokerError):
                continue
            self.returns += 1
            return True
        return False

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

    async def _receive(self, *, probe: bool = False) -> Message | None:
        """Wait for a message; None when the session is over. With `probe`, a silent server is asked something."""
        asked = False
        while True:
            message = self._session.next_message()
            reader = self._reader
            if reader is None or message is not None or self._session.ended:
                return message
            self._write(self._session.outgoing())
            try:
                async with asyncio.timeout(self._silence / 2 if probe else None):
                    self._session.receive_data(await reader.read(CHUNK))
                asked = False
            except TimeoutError:
                if asked:
                    raise silent(self.host, self.port) from None
                asked = True
                with suppress(PokerError):
                    self._write(self._session.send(Op.GET_FACE, self.user))
            except ConnectionError:
                return None

    async def __aenter__(self) -> Self:
        await self.connect()
        return self
