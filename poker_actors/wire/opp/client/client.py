"""A client of an OPP server, with the interface of the 2003 article."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from poker_actors.closing import Closing
from poker_actors.errors import PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.wire.framing import CHUNK, connected, silent
from poker_actors.wire.opp.client.session import ClientSeat
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import ActionCode, Op

__all__ = ["OppClient"]

Decide = Callable[["OppClient", int, int, int], ActionCode | int | None]
"""(client, to_call, min_bet, max_bet) -> the move; None to say it later with `OppClient.act`."""
Status = Callable[["OppClient", Message], None]


class OppClient(ClientSeat, Closing):
    """Connect, join, play: one seat at one server. Amounts are chips, times seconds.

    Use it as a context manager or `close` it. `act`, `chat` and `quit` may be called from any
    thread while `playgame` runs. Network errors are `OSError`; `TimeoutError` is raised for a server
    that takes longer than `timeout` to accept the connection or the log-in, or is silent for
    `silence`. A lost connection is retried for `reconnect` seconds, and the seat taken again.

    Messages outside the protocol are skipped and counted in `oddities`; with `strict`
    they raise `RemoteProtocolError`, which names the byte.
    """

    _socket: socket.socket | None = None

    def connect(self) -> None:
        """Open the connection."""
        self._socket = connected(self.host, self.port, self._timeout)

    def joingame(self) -> bool:
        """Log in: True on success, False for a wrong password.

        Raises `Refused` (`bad_nick`) when the server does not like the name, `RoomClosed` when it
        hangs up, `TimeoutError` when it does not answer.
        """
        self._write(self._session.join(self.user, self._password))
        until = time.monotonic() + self._timeout
        while (answer := self._receive(until)) is not None:
            verdict = self._session.verdict(answer, self.user)
            if verdict is not None:
                return verdict
        raise self._closed()

    def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called.

        A broken connection counts as closed: the protocol has no other end of a session.
        `callback` is called on each turn of this client. `status` gets every message after it is booked:
        chatter and information always, the rest from the first game on. Pings are answered automatically.
        """
        while True:
            lost: Exception | None = None
            try:
                self._play(callback, status)
            except (TimeoutError, RemoteProtocolError) as error:
                lost = error
            if self._has_ended(lost):
                return
            if not self._come_back():
                if lost is not None:
                    raise lost
                return

    def _play(self, callback: Decide, status: Status | None) -> None:
        """Play on one connection to its end."""
        while (message := self._receive()) is not None:
            if status is not None:
                status(self, message)
            if self._is_mine(message):
                move = callback(self, *message.values[1:])
                if move is not None:
                    with suppress(
                        ConnectionError, RoomClosed
                    ):  # the server has gone: the next `_receive` ends the session
                        self.act(move)

    def _come_back(self) -> bool:
        """Connect and log in again; returns whether that worked."""
        for wait in self._delays():
            if self._over.wait(wait):
                return False
            self._hang_up()
            self._renew()
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

    def close(self) -> None:
        """Hang up."""
        self._over.set()
        self._hang_up()

    def _hang_up(self) -> None:
        opened, self._socket = self._socket, None
        if opened is not None:
            with suppress(OSError):
                if self._has_quit:
                    self._hear_out(opened)
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    def _hear_out(self, opened: socket.socket) -> None:
        """Read until the server closes: closing with data unread sends a reset, which can overtake the QUIT_GAME."""
        opened.shutdown(socket.SHUT_WR)
        until = time.monotonic() + self._timeout
        opened.settimeout(self._timeout)
        while opened.recv(CHUNK) and (left := until - time.monotonic()) > 0:
            opened.settimeout(left)

    def _write(self, data: bytes) -> None:
        if not data:
            return
        with self._sending:
            if self._socket is None:
                raise self._unconnected()
            self._socket.sendall(data)

    def _receive(self, until: float | None = None) -> Message | None:
        """Wait for a message until a monotonic time, or for `silence` seconds; return None when the session is over.

        Without `until`, the server is probed with a GET_FACE half-way through the silence: any answer ends it.
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
                opened.settimeout(max(left, 0.001))  # 0 would mean non-blocking, less raises ValueError
                self._session.receive_data(opened.recv(CHUNK))
                asked = False
            except TimeoutError:
                if until is not None or asked:
                    raise silent(self.host, self.port) from None
                asked = True
                with suppress(OSError, PokerError):
                    self._write(self._session.send(Op.GET_FACE, self.user))
            except OSError as error:
                # `close` in another thread makes the read fail in any of several ways: that is an end, not an error.
                if self._socket is None or isinstance(error, ConnectionError):
                    return None
                raise

    def __enter__(self) -> Self:
        self.connect()
        return self
