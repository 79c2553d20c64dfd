"""The client of an OPP server for programs with an event loop: the same calls, to await."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from poker_actors.errors import PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.wire.opp.client import HoldemState, Picture
from poker_actors.wire.opp.client.client import checked_move
from poker_actors.wire.opp.client.session import ClientSession, Retries, Server
from poker_actors.wire.opp.protocol import Message, Move, Op

__all__ = ["OppClient"]

_CHUNK: Final = 64 * 1024

Answer = Move | int | None
Decide = Callable[["OppClient", int, int, int], Answer | Awaitable[Answer]]
"""(client, to_call, min_bet, max_bet) -> the move, or a coroutine of it; None to say it later with `act`."""
Status = Callable[["OppClient", Message], object]
"""(client, message) -> nothing, or a coroutine."""


class OppClient:
    """Connect, join, play: one seat at one server, in one event loop; see `poker_actors.wire.opp.OppClient`.

    Messages are read while a coroutine decides, so that pings are answered. `decide` and `status`
    may be plain functions or coroutines.
    """

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        *,
        timeout: float = 10.0,
        silence: float = 180.0,
        reconnect: float = 0.0,
        strict: bool = False,
    ) -> None:
        self.host: Final = host
        self.port: Final = port
        self.user: Final = user
        self.picture: Final = Picture()
        self.returns = 0
        """times a lost connection was made again"""
        self._server = Server(host, port)
        self._password = password
        self._timeout = timeout
        self._silence = silence
        self._retries = Retries(reconnect)
        self._strict = strict
        self._session = ClientSession(self.picture, strict=strict)
        self._skipped: dict[str, int] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._over = False
        self._deciding: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Open the connection."""
        try:
            async with asyncio.timeout(self._timeout):
                self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
        except TimeoutError:
            raise self._server.silent() from None

    async def joingame(self) -> bool:
        """Log in: True when let in, False for a wrong password; raises as the plain client does."""
        self._write(self._session.join(self.user, self._password))
        try:
            async with asyncio.timeout(self._timeout):
                while (answer := await self._receive()) is not None:
                    verdict = self._session.verdict(answer, self.user)
                    if verdict is not None:
                        return verdict
        except TimeoutError:
            raise self._server.silent() from None
        raise RoomClosed(f"{self._server} has closed the connection")

    async def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called."""
        while True:
            lost: Exception | None = None
            try:
                await self._play(callback, status)
            except (TimeoutError, RemoteProtocolError) as error:
                lost = error
            if self._over or self._session.farewell:
                return
            if isinstance(lost, RemoteProtocolError) and self._strict:
                raise lost
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
                if message.op is Op.NEXT_TO_ACT and message.values[0] == self.picture.position:
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

    def _try_to_act(self, move: Move | int) -> None:
        with suppress(ConnectionError, RoomClosed):  # it has gone: the next message says so
            self.act(move)

    async def _stop_deciding(self) -> None:
        """Give up a decision that nobody waits for any more; raises what it raised."""
        task, self._deciding = self._deciding, None
        if task is not None:
            if not task.done():
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _come_back(self) -> bool:
        """Connect and join again; gives whether that has worked."""
        for wait in self._retries.delays(self._session.hands):
            await asyncio.sleep(wait)
            if self._over:
                return False
            self._hang_up()
            self._skipped = self.oddities
            self._session = ClientSession(self.picture, strict=self._strict)
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

    def act(self, move: Move | int) -> None:
        """Say what to do on an open turn; raises `BadSpec` for what is no move."""
        self._write(self._session.send(Op.ACTION, checked_move(move)))

    def chat(self, text: str) -> None:
        """Say something to everybody."""
        self._write(self._session.send(Op.CHAT, text))

    def quit(self) -> None:
        """Leave the table; the server closes, and `playgame` returns."""
        self._over = True
        with suppress(OSError, Refused, RoomClosed):
            self._write(self._session.send(Op.QUIT_GAME))

    async def close(self) -> None:
        """Hang up."""
        self._over = True
        writer = self._writer
        self._hang_up()
        if writer is not None:
            with suppress(OSError):
                await writer.wait_closed()

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    @property
    def state(self) -> HoldemState | None:
        """The hand as the article's object; None before the first."""
        return self.picture.state

    @property
    def oddities(self) -> dict[str, int]:
        """What was passed over since the beginning: the reason, and how often."""
        all_of_them = dict(self._skipped)
        for reason, count in self._session.connection.skipped.items():
            all_of_them[reason] = all_of_them.get(reason, 0) + count
        return all_of_them

    def _write(self, data: bytes) -> None:
        if self._writer is None:
            raise RoomClosed(f"there is no connection to {self._server}")
        if data:
            self._writer.write(data)

    async def _receive(self, *, probe: bool = False) -> Message | None:
        """Wait for a message; None when the session is over. A `probe` asks a silent server something."""
        asked = False
        while True:
            message = self._session.next_message()
            reader = self._reader
            if reader is None or message is not None or self._session.ended:
                return message
            self._write(self._session.outgoing())
            try:
                async with asyncio.timeout(self._silence / 2 if probe else None):
                    self._session.receive_data(await reader.read(_CHUNK))
                asked = False
            except TimeoutError:
                if asked:
                    raise self._server.silent() from None
                asked = True
                with suppress(PokerError):
                    self._write(self._session.send(Op.GET_FACE, self.user))
            except ConnectionError:
                return None

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<OppClient: {self.user} at {self._server}>"
