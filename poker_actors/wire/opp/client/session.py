"""A client's side of an OPP session without a socket: what a player is shown, and what is answered unasked."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import Any, Final

from poker_actors.errors import Refused
from poker_actors.wire.opp.client.picture import Picture
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.connection import Connection, Signal
from poker_actors.wire.opp.protocol.opcodes import Op, Side
from poker_actors.wire.opp.protocol.session import Phase

__all__ = ["ClientSession", "Retries", "Server"]

PROTOCOL_VERSION: Final = 1
PROGRAM: Final = "poker_actors"
_TALK: Final = frozenset({Op.CHATTER, Op.INFORMATION})
_MOST_IN_VAIN: Final = 3
"""Times a connection is made again without a hand heard of: somebody else may have joined under the name,
and two that take the seat from each other would do so for ever."""


class Server:
    """Where a server is; says what is wrong with it in one line."""

    def __init__(self, host: str, port: int) -> None:
        self.host: Final = host
        self.port: Final = port

    def silent(self) -> TimeoutError:
        """Give the error of a server that does not answer."""
        return TimeoutError(errno.ETIMEDOUT, "does not answer", str(self))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Retries:
    """How a lost connection is made again: for `seconds` at most, more and more slowly, and not for ever in vain."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._in_vain = 0

    def delays(self, hands: int) -> list[float]:
        """Give the waits before each try, after a connection on which so many hands were heard of."""
        self._in_vain = 0 if hands else self._in_vain + 1
        if self._in_vain > _MOST_IN_VAIN:
            return []
        waits, wait, left = [], 0.1, self._seconds
        while left > 0:
            waits.append(min(wait, left))
            left -= wait
            wait = min(2 * wait, 5.0)
        return waits


class ClientSession:
    """One connection's talk: bytes in, messages out, and `outgoing` what is to be sent.

    `picture` is booked from every message of a hand. Unless `strict`, what the protocol does not
    know is passed over and counted in `connection.skipped`.
    """

    def __init__(self, picture: Picture, *, strict: bool = False) -> None:
        self.connection: Final = Connection(Side.CLIENT, tolerant=not strict)
        self.picture: Final = picture
        self.ended = False
        """whether the server has closed, or said goodbye, and everything it sent was given"""
        self.hands = 0
        """hands that were announced"""
        self.farewell = False
        """whether it said goodbye"""
        self._out = bytearray()

    def join(self, user: str, password: str) -> bytes:
        """Give the bytes of a log-in."""
        return self.connection.send(Op.JOIN_GAME, user, password, PROTOCOL_VERSION, PROGRAM)

    def send(self, op: Op, *values: Any) -> bytes:
        """Give the bytes of a message."""
        return self.connection.send(op, *values)

    def receive_data(self, data: bytes) -> None:
        """Take bytes from the server; ``b""`` means that it has closed."""
        self.connection.receive_data(data)

    def outgoing(self) -> bytes:
        """Give what is to be sent unasked, and forget it."""
        out, self._out = bytes(self._out), bytearray()
        return out

    def next_message(self) -> Message | None:
        """Give the next message a player is shown; None when there is none yet, or no more (`ended`).

        Pings are answered. Before the log-in everything is shown, then talk, and the rest from the
        first game on. Raises `RemoteProtocolError` for what cannot be read.
        """
        while not self.ended:
            event = self.connection.next_event()
            if event is Signal.NEED_DATA:
                return None
            if not isinstance(event, Message) or event.op is Op.GOODBYE:
                self.ended = True
                self.farewell = isinstance(event, Message)
            elif event.op is Op.PING:
                with suppress(Refused):  # a strict session has no word for it before the log-in
                    self._out += self.connection.send(Op.PONG)
            elif self._shown(event):
                self.picture.hear(event)
                self.hands += event.op is Op.START_NEW_GAME
                return event
        return None

    def _shown(self, message: Message) -> bool:
        phase = self.connection.phase
        return message.op in _TALK or phase in (Phase.PLAYING, Phase.OVER) or message.op is Op.GOODPASS

    @staticmethod
    def verdict(message: Message, user: str) -> bool | None:
        """Say what a message means to somebody who waits to be let in; None when nothing.

        Raises `Refused` (`bad_nick`) when the server does not like the name.
        """
        if message.op in (Op.BADNICK, Op.ILLNICK):
            raise Refused(f"the server does not accept the name {user!r:.40}", code="bad_nick")
        return {Op.GOODPASS: True, Op.BADPASS: False}.get(message.op)
