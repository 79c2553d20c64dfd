"""A client of an OPP server, with the interface of the 2003 article."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self, TypeVar, assert_never

from poker_actors.closing import Closing
from poker_actors.errors import PokerError, RoomClosed
from poker_actors.wire.framing import CHUNK, connected
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
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.connection import Signal
from poker_actors.wire.opp.protocol.opcodes import ActionCode

__all__ = ["OppClient"]

Decide = Callable[["OppClient", int, int, int], ActionCode | int | None]
"""(client, to_call, min_bet, max_bet) -> the move; None to say it later with `OppClient.act`."""
Status = Callable[["OppClient", Message], None]
T = TypeVar("T")


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
        return self._pump(self._joining())

    def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called.

        A broken connection counts as closed: the protocol has no other end of a session.
        `callback` is called on each turn of this client. `status` gets every message after it is booked:
        chatter and information always, the rest from the first game on. Pings are answered automatically.
        """
        self._pump(self._playing(), callback, status)

    def _pump(self, script: Script[T], decide: Decide | None = None, status: Status | None = None) -> T:
        """Carry out a script's effects until it returns."""
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
                answer = self._carry_out(effect, decide, status)
            except (OSError, PokerError) as raised:
                error = raised

    def _carry_out(self, effect: Effect, decide: Decide | None, status: Status | None) -> object:
        match effect:
            case Send(data):
                self._write(data)
            case Receive(seconds):
                return self._receive(seconds)
            case Sleep(seconds):
                return self._over.wait(seconds)
            case Connect():
                self.connect()
            case HangUp():
                self._hang_up()
            case Show(message):
                if status is not None:
                    status(self, message)
            case Ask(message):
                move = None if decide is None else decide(self, *message.values[1:])
                if move is not None:
                    with suppress(ConnectionError, RoomClosed):  # the server has gone: receiving will say so
                        self.act(move)
            case _:
                assert_never(effect)
        return None

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

    def _receive(self, seconds: float) -> bytes | Signal:
        opened = self._socket
        if opened is None:
            return Signal.CLOSED
        try:
            opened.settimeout(seconds)
            return opened.recv(CHUNK)
        except TimeoutError:
            return Signal.NEED_DATA
        except OSError as error:
            # `close` in another thread makes the read fail in any of several ways: that is an end, not an error.
            if self._socket is None or isinstance(error, ConnectionError):
                return Signal.CLOSED
            raise

    def __enter__(self) -> Self:
        self.connect()
        return self
