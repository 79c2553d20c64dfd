"""A client of an OPP server: its side of a session without a socket, the seat that outlives connections, and the blocking client.

A seat's work is written once, as coroutines over what a client can do: connect, read, sleep, write and hang up. A
client only does these, blocking or in an event loop (`poker_actors.wire.opp.aio`); the logic is here.
"""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Final, Generic, Self, TypeVar

from poker_actors.closing import Closing
from poker_actors.errors import BadSpec, PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.wire.framing import CHUNK, at_once, connected, named, silent, steps
from poker_actors.wire.opp.protocol.connection import Connection, Phase, Signal
from poker_actors.wire.opp.protocol.hand import Bookkeeper, HoldemState
from poker_actors.wire.opp.protocol.messages import ActionCode, Message, Op, Side

PROTOCOL_VERSION: Final = 1
PROGRAM: Final = "poker_actors"
_SHOWN: Final = frozenset({Op.CHATTER, Op.INFORMATION, Op.GOODPASS})
"""Shown before the first game begins, too."""
_MOST_IN_VAIN: Final = 3
"""Reconnections in a row without a hand before giving up: someone else may have joined under the name, and two clients
would otherwise take the seat from each other for ever."""

T = TypeVar("T")
Link = TypeVar("Link")
Answer = ActionCode | int | None
Decide = Callable[[Any, int, int, int], Answer | Awaitable[Answer]]
"""(client, to_call, min_bet, max_bet) -> the move, in an event loop also a coroutine; None to say it later with `act`."""
Status = Callable[[Any, Message], object]
"""(client, message) -> nothing, in an event loop also a coroutine."""


class ClientSeat(ABC, Generic[Link]):
    """Connect, join, play: one seat at one server. Amounts are chips, times seconds.

    Its methods return when they are done; those of the client in `poker_actors.wire.opp.aio` are awaited. Use it as a
    context manager or `close` it. `act`, `chat` and `quit` may be called from any thread while `playgame` runs. Network
    errors are `OSError`; `TimeoutError` is raised for a server that takes longer than `timeout` to accept the connection
    or the log-in, or is silent for `silence`. A lost connection is retried for `reconnect` seconds, and the seat taken
    again.

    Messages outside the protocol are skipped and counted in `oddities`; with `strict`
    they raise `RemoteProtocolError`, which names the byte.
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
        self.books: Final = Bookkeeper()
        """the hands it was told, over all connections"""
        self.returns = 0
        """times a lost connection was restored"""
        self._password = password
        self._timeout = timeout
        self._silence = silence
        self._reconnect = reconnect
        self._in_vain = 0
        """connections in a row that brought no hand"""
        self._strict = strict
        self._skipped: Counter[str] = Counter()
        self._begin_session()
        self._link: Link | None = None
        self._sending = threading.Lock()
        self._deciding: tuple[asyncio.Future[None], Awaitable[Answer]] | None = None
        """a decision that is being made while reading goes on"""
        self._over = threading.Event()
        self._has_quit = False

    def _begin_session(self) -> None:
        self._connection = Connection(Side.CLIENT, tolerant=not self._strict, books=self.books)
        self._ended = False
        """whether the server has closed or said goodbye, and all its messages were shown"""
        self._farewell = False
        self._brought = False
        """whether a hand was announced"""

    @steps
    async def connect(self) -> None:
        """Open the connection."""
        try:
            self._link = await self._open()
        except TimeoutError:
            raise silent(self.host, self.port) from None

    @steps
    async def joingame(self) -> bool:
        """Log in: True on success, False for a wrong password.

        Raises `Refused` (`bad_nick`) when the server does not like the name, `RoomClosed` when it
        hangs up, `TimeoutError` when it does not answer.
        """
        self._send(Op.JOIN_GAME, self.user, self._password, PROTOCOL_VERSION, PROGRAM)
        until = time.monotonic() + self._timeout
        while (answer := await self._hear(until)) is not None:
            if answer.op in (Op.BADNICK, Op.ILLNICK):
                raise Refused(f"the server does not accept the name {self.user!r:.40}", code="bad_nick")
            if answer.op in (Op.GOODPASS, Op.BADPASS):
                return answer.op is Op.GOODPASS
        raise RoomClosed(f"{self._place} has closed the connection")

    @steps
    async def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called.

        A broken connection counts as closed: the protocol has no other end of a session.
        `callback` is called on each turn of this client. `status` gets every message after it is booked:
        chatter and information always, the rest from the first game on. Pings are answered automatically.
        """
        try:
            while True:
                lost: Exception | None = None
                try:
                    await self._play_on(callback, status)
                except (TimeoutError, RemoteProtocolError) as error:
                    lost = error
                if self._over.is_set() or self._farewell:
                    return
                strict = self._strict and isinstance(lost, RemoteProtocolError)
                if strict or not await self._come_back():
                    if lost is not None:
                        raise lost
                    return
        finally:
            await self._stop_deciding()

    def act(self, move: ActionCode | int) -> None:
        """Send a move for the open turn; raises `BadSpec` for an unknown one."""
        if move not in tuple(ActionCode):
            raise BadSpec(f"{move!r:.40} is not a move: 0 folds, 1 checks or calls, 2 bets or raises")
        self._send(Op.ACTION, int(move))

    def chat(self, text: str) -> None:
        """Send a chat message to the table."""
        self._send(Op.CHAT, text)

    def quit(self) -> None:
        """Leave the table; the server closes, and `playgame` returns."""
        self._over.set()  # first: the server closes on QUIT_GAME, and the reader must not reconnect then
        with suppress(OSError, Refused, RoomClosed):
            self._send(Op.QUIT_GAME)
            self._has_quit = True

    @property
    def state(self) -> HoldemState | None:
        """The current hand as the article's object; None before the first."""
        return self.books.hand

    @property
    def oddities(self) -> dict[str, int]:
        """Messages skipped so far, over all connections: reason -> count."""
        return dict(self._skipped + self._connection.skipped)

    # -- what a client does ------------------------------------------------------------------

    @abstractmethod
    def _aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None] | None:
        """Run a callback while reading continues, or at once."""

    @abstractmethod
    async def _open(self) -> Link:
        """Return an open connection; raises `OSError`."""

    @abstractmethod
    async def _read(self, link: Link, seconds: float) -> bytes:
        """Wait for bytes, ``b""`` at their end; raises `TimeoutError`, or another `OSError` for a broken connection."""

    @abstractmethod
    async def _sleep(self, seconds: float) -> None:
        """Sleep, but only until `_over` is set."""

    @abstractmethod
    def _write(self, link: Link, data: bytes) -> None:
        """Send bytes; raises `OSError`."""

    @abstractmethod
    def _end_writing(self, link: Link) -> None:
        """Tell the server that nothing follows."""

    @abstractmethod
    def _drop(self, link: Link) -> None:
        """Close a connection."""

    # -- what happens when -------------------------------------------------------------------

    async def _play_on(self, callback: Decide, status: Status | None) -> None:
        while (message := await self._hear()) is not None:
            if status is not None:
                said = status(self, message)
                if inspect.isawaitable(said):
                    await said
            if message.op is Op.NEXT_TO_ACT and message.values[0] == self.books.position:
                await self._stop_deciding()
                answer = callback(self, *message.values[1:])
                if inspect.isawaitable(answer):
                    task = self._aside(self._decided(answer))
                    self._deciding = None if task is None else (task, answer)
                else:
                    await self._decided(answer)

    async def _decided(self, answer: Answer | Awaitable[Answer]) -> None:
        """Send a decision, once it is made; None means that it will be sent later."""
        if inspect.isawaitable(answer):
            answer = await answer
        if answer is not None:
            with suppress(ConnectionError, RoomClosed):  # the server has gone: reading will say so
                self.act(answer)

    async def _stop_deciding(self) -> None:
        """Cancel a decision whose turn is over; raises the error of one that has failed."""
        deciding, self._deciding = self._deciding, None
        if deciding is not None:
            task, answer = deciding
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            if inspect.iscoroutine(answer):
                answer.close()  # else Python would complain of one that was never begun

    async def _come_back(self) -> bool:
        """Connect and log in again; returns whether that worked."""
        self._in_vain = 0 if self._brought else self._in_vain + 1
        for wait in _delays(self._reconnect) if self._in_vain <= _MOST_IN_VAIN else ():
            await self._sleep(wait)
            if self._over.is_set():
                return False
            await self._stop_deciding()
            self._hang_up()
            self._skipped += self._connection.skipped
            self._begin_session()
            try:
                self._link = await self._open()
                if not await ClientSeat.joingame(self):
                    return False
            except Refused:
                return False
            except (OSError, PokerError):
                continue
            self.returns += 1
            return True
        return False

    async def _hear(self, until: float | None = None) -> Message | None:
        """Wait for a message until a monotonic time, or for `silence` seconds; return None when the session is over.

        Without `until`, the server is probed with a GET_FACE half-way through the silence: any answer ends it.
        """
        asked = False
        while True:
            message = self._next_message()
            if message is not None or self._ended:
                return message
            left = self._silence / 2 if until is None else until - time.monotonic()
            data = await self._receive(max(left, 0.001))  # 0 would be a socket's word for not waiting
            if data is Signal.CLOSED:
                return None
            if data is not Signal.NEED_DATA:
                self._connection.receive_data(data)
                asked = False
            elif until is not None or asked:
                raise silent(self.host, self.port)
            else:
                asked = True
                with suppress(OSError, PokerError):
                    self._send(Op.GET_FACE, self.user)

    def _next_message(self) -> Message | None:
        """Return the next message to show; None when there is none yet, or no more (`_ended`).

        Pings are answered. After the log-in only chat and information are shown until the first game begins.
        """
        while not self._ended:
            event = self._connection.next_event()
            if event is Signal.NEED_DATA:
                return None
            if not isinstance(event, Message) or event.op is Op.GOODBYE:
                self._ended = True
                self._farewell = isinstance(event, Message)
            elif event.op is Op.PING:
                # the server has gone: reading will say so; or a strict session may not send it before the log-in
                with suppress(OSError, Refused, RoomClosed):
                    self._send(Op.PONG)
            elif event.op in _SHOWN or self._connection.phase in (Phase.PLAYING, Phase.OVER):
                self._brought |= event.op is Op.START_NEW_GAME
                return event
        return None

    async def _receive(self, seconds: float) -> bytes | Signal:
        """Return the next bytes, or why there are none: a broken connection counts as closed."""
        link = self._link
        try:
            return Signal.CLOSED if link is None else await self._read(link, seconds)
        except TimeoutError:
            return Signal.NEED_DATA
        except OSError as error:
            # `close` makes a read in another thread fail in any of several ways: that is an end, not an error
            if self._over.is_set() or isinstance(error, ConnectionError):
                return Signal.CLOSED
            raise

    def _send(self, op: Op, *values: Any) -> None:
        data, link = self._connection.send(op, *values), self._link
        if link is None:
            raise RoomClosed(f"there is no connection to {self._place}")
        with self._sending:
            self._write(link, data)

    async def _close(self) -> None:
        """Hang up; after QUIT_GAME read to the end first: closing with unread data sends a reset, which can overtake it."""
        self._over.set()
        link = self._link
        if self._has_quit and link is not None:
            until = time.monotonic() + self._timeout
            with suppress(OSError):
                self._end_writing(link)
                while await self._read(link, max(until - time.monotonic(), 0.001)):
                    pass
        self._hang_up()

    def _hang_up(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            self._drop(link)

    @property
    def _place(self) -> str:
        return named(self.host, self.port)

    def __repr__(self) -> str:
        return f"<OppClient: {self.user} at {self._place}>"


def _delays(seconds: float) -> Iterator[float]:
    """Yield the ever longer waits, in seconds, before each attempt to reconnect; `seconds` in all."""
    wait = 0.1
    while seconds > 0:
        yield min(wait, seconds)
        seconds -= wait
        wait = min(2 * wait, 5.0)


class OppClient(ClientSeat[socket.socket], Closing):
    """The blocking client."""

    def __enter__(self) -> Self:
        self.connect()
        return self

    def close(self) -> None:
        """Hang up."""
        at_once(self._close())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return at_once(work)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        at_once(work)

    async def _open(self) -> socket.socket:
        return connected(self.host, self.port, self._timeout)

    async def _read(self, link: socket.socket, seconds: float) -> bytes:
        link.settimeout(seconds)
        return link.recv(CHUNK)

    async def _sleep(self, seconds: float) -> None:
        self._over.wait(seconds)

    def _write(self, link: socket.socket, data: bytes) -> None:
        link.sendall(data)

    def _end_writing(self, link: socket.socket) -> None:
        link.shutdown(socket.SHUT_WR)

    def _drop(self, link: socket.socket) -> None:
        with link, suppress(OSError):
            link.shutdown(socket.SHUT_RDWR)
