"""A client of an OPP server, in the shape the 2003 article gave it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from poker_actors.errors import BadSpec, Refused, RoomClosed
from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.client.picture import Picture
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.connection import Connection, Signal
from poker_actors.wire.opp.protocol.opcodes import Move, Op, Side
from poker_actors.wire.opp.protocol.session import Phase

__all__ = ["OppClient"]

PROTOCOL_VERSION: Final = 1
PROGRAM: Final = "poker_actors"
_CHUNK: Final = 64 * 1024
_TALK: Final = frozenset({Op.CHATTER, Op.INFORMATION})

Decide = Callable[["OppClient", int, int, int], Move | int | None]
"""(client, to_call, min_bet, max_bet) -> the move; None to say it later with `OppClient.act`."""
Status = Callable[["OppClient", Message], None]


class OppClient:
    """Connect, join, play: one seat at one server. Amounts are chips, times seconds.

    Use it as a context manager, or `close` it. `act`, `chat` and `quit` may be called from any
    thread while `playgame` runs. Errors of the network are `OSError`; a server that breaks the
    protocol raises `RemoteProtocolError`.
    """

    def __init__(self, host: str, port: int, user: str, password: str, *, timeout: float = 10.0) -> None:
        self.host: Final = host
        self.port: Final = port
        self.user: Final = user
        self._password = password
        self._timeout = timeout
        self._socket: socket.socket | None = None
        self._connection = Connection(Side.CLIENT)
        self._sending = threading.Lock()
        self.picture: Final = Picture()

    def connect(self) -> None:
        """Open the connection."""
        opened = socket.create_connection((self.host, self.port), self._timeout)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = opened

    def joingame(self) -> bool:
        """Log in: True when let in, False for a wrong password.

        Raises `Refused` (`bad_nick`) when the server does not like the name, `RoomClosed` when it
        hangs up.
        """
        self._send(Op.JOIN_GAME, self.user, self._password, PROTOCOL_VERSION, PROGRAM)
        answer = self._receive()
        if answer is None:
            raise RoomClosed(f"{self.host}:{self.port} has closed the connection")
        if answer.op in (Op.BADNICK, Op.ILLNICK):
            raise Refused(f"the server does not accept the name {self.user!r:.40}", code="bad_nick")
        if answer.op is Op.GOODPASS:
            self._opened().settimeout(None)
            return True
        return False

    def playgame(self, callback: Decide, status: Status | None = None) -> None:
        """Play until the server closes, says goodbye, or `quit` or `close` is called.

        A connection that breaks is a server that has closed: the protocol knows no other end.
        `callback` is asked on each own turn. `status` is told every message once it is booked,
        chatter and information always, the rest from the first game on; pings are answered unasked.
        """
        while True:
            message = self._receive()
            if message is None or message.op is Op.GOODBYE:
                return
            if message.op is Op.PING:
                with suppress(ConnectionError):  # it has gone: the next message says so
                    self._send(Op.PONG)
                continue
            if self._connection.phase is not Phase.PLAYING and message.op not in _TALK:
                continue
            self.picture.hear(message)
            if status is not None:
                status(self, message)
            if message.op is Op.NEXT_TO_ACT and message.values[0] == self.picture.position:
                move = callback(self, *message.values[1:])
                if move is not None:
                    with suppress(ConnectionError):
                        self.act(move)

    def act(self, move: Move | int) -> None:
        """Say what to do on an open turn; raises `BadSpec` for what is no move."""
        if move not in tuple(Move):
            raise BadSpec(f"{move!r:.40} is no move: 0 folds, 1 checks or calls, 2 bets or raises")
        self._send(Op.ACTION, int(move))

    def chat(self, text: str) -> None:
        """Say something to everybody."""
        self._send(Op.CHAT, text)

    def quit(self) -> None:
        """Leave the table; the server closes, and `playgame` returns."""
        with suppress(OSError, Refused):
            self._send(Op.QUIT_GAME)

    def close(self) -> None:
        """Hang up."""
        opened, self._socket = self._socket, None
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()

    @property
    def state(self) -> HoldemState | None:
        """The hand as the article's object; None before the first."""
        return self.picture.state

    def _opened(self) -> socket.socket:
        if self._socket is None:
            raise RoomClosed(f"there is no connection to {self.host}:{self.port}")
        return self._socket

    def _send(self, op: Op, *values: Any) -> None:
        with self._sending:
            self._opened().sendall(self._connection.send(op, *values))

    def _receive(self) -> Message | None:
        """Wait for a message; None when the other side, or `close`, has ended the session."""
        while True:
            event = self._connection.next_event()
            if event is Signal.CLOSED:
                return None
            if isinstance(event, Message):
                return event
            opened = self._socket
            if opened is None:
                return None
            try:
                data = opened.recv(_CHUNK)
            except OSError as error:
                if self._socket is None or isinstance(error, ConnectionError):
                    return None
                raise
            self._connection.receive_data(data)

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<OppClient: {self.user} at {self.host}:{self.port}>"
