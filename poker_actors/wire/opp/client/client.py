"""A client of an OPP server, in the shape the 2003 article gave it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from poker_actors.errors import BadSpec, PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.client.picture import Picture
from poker_actors.wire.opp.client.session import ClientSession, Retries, Server
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import Move, Op

__all__ = ["OppClient", "checked_move"]

_CHUNK: Final = 64 * 1024

Decide = Callable[["OppClient", int, int, int], Move | int | None]
"""(client, to_call, min_bet, max_bet) -> the move; None to say it later with `OppClient.act`."""
Status = Callable[["OppClient", Message], None]


def checked_move(move: Move | int) -> int:
    """Give a move's number; raises `BadSpec` for what is no move."""
    if move not in tuple(Move):
        raise BadSpec(f"{move!r:.40} is no move: 0 folds, 1 checks or calls, 2 bets or raises")
    return int(move)


class OppClient:
    """Connect, join, play: one seat at one server. Amounts are chips, times seconds.

    Use it as a context manager, or `close` it. `act`, `chat` and `quit` may be called from any
    thread while `playgame` runs. Errors of the network are `OSError`; a server that does not
    answer, to connecting or joining for `timeout`, or to anything for `silence`, is a
    `TimeoutError`. A lost connection is tried again for `reconnect`, and the seat taken again.

    What a server says beyond the protocol is passed over and counted in `oddities`; with `strict`
    it raises `RemoteProtocolError`, which names the byte.
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
        self._skipped: dict[str, int] = {}
        self._server = Server(host, port)
        self._password = password
        self._timeout = timeout
        self._silence = silence
        self._retries = Retries(reconnect)
        self._strict = strict
        self._socket: socket.socket | None = None
        self._session = ClientSession(self.picture, strict=strict)
        self._sending = threading.Lock()
        self._over = threading.Event()

    def connect(self) -> None:
        """Open the connection."""
        try:
            opened = socket.create_connection((self.host, self.port), self._timeout)
        except TimeoutError:
            raise self._server.silent() from None
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = opened

    def joingame(self) -> bool:
        """Log in: True when let in, False for a wrong password.

        Raises `Refused` (`bad_nick`) when the server does not like the name, `RoomClosed` when it
        hangs up, `TimeoutError` when it does not answer.
        """
        self._write(self._session.join(self.user, self._password))
        until = time.monotonic() + self._timeout
        while True:
            answer = self._receive(until)
            if answer is None:
                raise RoomClosed(f"{self._server} has closed the connection")
            verdict = self._session.verdict(answer, self.user)
            if verdict is not None:
                return verdict

    def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called.

        A connection that breaks is a server that has closed: the protocol knows no other end.
        `callback` is asked on each own turn. `status` is told every message once it is booked,
        chatter and information always, the rest from the first game on; pings are answered unasked.
        """
        while True:
            lost: Exception | None = None
            try:
                self._play(callback, status)
            except (TimeoutError, RemoteProtocolError) as error:
                lost = error
            if self._over.is_set() or self._session.farewell:
                return
            if isinstance(lost, RemoteProtocolError) and self._strict:
                raise lost
            if not self._come_back():
                if lost is not None:
                    raise lost
                return

    def _play(self, callback: Decide, status: Status | None) -> None:
        """Play on one connection to its end."""
        while (message := self._receive()) is not None:
            if status is not None:
                status(self, message)
            if message.op is Op.NEXT_TO_ACT and message.values[0] == self.picture.position:
                move = callback(self, *message.values[1:])
                if move is not None:
                    with suppress(ConnectionError, RoomClosed):  # it has gone: the next message says so
                        self.act(move)

    def _come_back(self) -> bool:
        """Connect and join again; gives whether that has worked."""
        for wait in self._retries.delays(self._session.hands):
            if self._over.wait(wait):
                return False
            self._hang_up()
            self._skipped = self.oddities
            self._session = ClientSession(self.picture, strict=self._strict)
            try:
                self.connect()
                if not self.joingame():
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
        self._over.set()
        with suppress(OSError, Refused, RoomClosed):
            self._write(self._session.send(Op.QUIT_GAME))

    def close(self) -> None:
        """Hang up."""
        self._over.set()
        self._hang_up()

    def _hang_up(self) -> None:
        opened, self._socket = self._socket, None
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

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
        if not data:
            return
        with self._sending:
            if self._socket is None:
                raise RoomClosed(f"there is no connection to {self._server}")
            self._socket.sendall(data)

    def _receive(self, until: float | None = None) -> Message | None:
        """Wait for a message, to a time of the monotonic clock or for `silence`; None when the session is over.

        Somebody logged in is asked something half-way through the silence, which any answer ends.
        """
        asked = False
        while True:
            message = self._session.next_message()
            with suppress(ConnectionError, RoomClosed):
                self._write(self._session.outgoing())
            opened = self._socket
            if message is not None or self._session.ended or opened is None:
                return message
            left = self._silence / 2 if until is None else until - time.monotonic()
            try:
                opened.settimeout(max(left, 0.001))
                self._session.receive_data(opened.recv(_CHUNK))
                asked = False
            except TimeoutError:
                if until is not None or asked:
                    raise self._server.silent() from None
                asked = True
                with suppress(OSError, PokerError):
                    self._write(self._session.send(Op.GET_FACE, self.user))
            except OSError as error:
                if self._socket is None or isinstance(error, ConnectionError):
                    return None
                raise

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<OppClient: {self.user} at {self._server}>"
