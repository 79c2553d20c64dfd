"""A client's side of OPP without a socket: one session per connection, and the seat that outlives connections.

A seat's work is written once, as a generator of effects: send these bytes, receive within that time, sleep, connect
again, show a message, ask for a decision. A client carries the effects out, blocking or in an event loop, and nothing
else: what happens when is decided here.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from typing import Any, Final, TypeVar

from poker_actors.errors import BadSpec, PokerError, Refused, RemoteProtocolError, RoomClosed
from poker_actors.frozen import value
from poker_actors.wire.framing import named, silent
from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.connection import Connection, Signal
from poker_actors.wire.opp.protocol.hand import Bookkeeper
from poker_actors.wire.opp.protocol.opcodes import ActionCode, Op, Side
from poker_actors.wire.opp.protocol.session import Phase

__all__ = [
    "Ask",
    "ClientSeat",
    "ClientSession",
    "Connect",
    "Effect",
    "HangUp",
    "Receive",
    "Script",
    "Send",
    "Show",
    "Sleep",
]

PROTOCOL_VERSION: Final = 1
PROGRAM: Final = "poker_actors"
_TALK: Final = frozenset({Op.CHATTER, Op.INFORMATION})
_MOST_IN_VAIN: Final = 3
"""Reconnections in a row without a hand before giving up: someone else may have joined under the name, and two clients
would otherwise take the seat from each other for ever."""


@value
class Connect:
    """Open the connection; raises `OSError`."""


@value
class HangUp:
    """Close the connection, and forget a decision that is still being made."""


@value
class Send:
    """Write these bytes; raises `OSError`, or `RoomClosed` without a connection."""

    data: bytes


@value
class Receive:
    """Wait for bytes; answered with them, `Signal.NEED_DATA` after `seconds`, or `Signal.CLOSED` if the connection broke."""

    seconds: float


@value
class Sleep:
    """Wait; answered with whether the client has been closed meanwhile."""

    seconds: float


@value
class Show:
    """Tell whoever listens of this message."""

    message: Message


@value
class Ask:
    """Ask for a decision: this message says that it is the client's turn."""

    message: Message


Effect = Connect | HangUp | Send | Receive | Sleep | Show | Ask
T = TypeVar("T")
Script = Generator[Effect, Any, T]


class _Retries:
    """The schedule of reconnections: for at most `seconds`, ever more slowly, and only a few times in vain."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._in_vain = 0

    def delays(self, hands: int) -> list[float]:
        """Return the seconds to wait before each try, after a connection that brought `hands` hands; empty to give up."""
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
    """The messages of one connection: decodes bytes received; `outgoing` has bytes to send.

    `books` has every hand it was told. Unless `strict`, messages outside the protocol are skipped and counted in
    `connection.skipped`.
    """

    def __init__(self, books: Bookkeeper, *, strict: bool = False) -> None:
        self.connection: Final = Connection(Side.CLIENT, tolerant=not strict, books=books)
        self.ended = False
        """whether the server has closed or said goodbye, and all its messages were returned"""
        self.hands = 0
        """hands that were announced"""
        self.farewell = False
        """whether the server said goodbye"""
        self._out = bytearray()

    def join(self, user: str, password: str) -> bytes:
        """Return the bytes of a log-in."""
        return self.connection.send(Op.JOIN_GAME, user, password, PROTOCOL_VERSION, PROGRAM)

    def send(self, op: Op, *values: Any) -> bytes:
        """Return the bytes of a message."""
        return self.connection.send(op, *values)

    def receive_data(self, data: bytes) -> None:
        """Buffer bytes from the server; ``b""`` means that it has closed."""
        self.connection.receive_data(data)

    def outgoing(self) -> bytes:
        """Return and clear the bytes to send, such as answers to pings."""
        out, self._out = bytes(self._out), bytearray()
        return out

    def next_message(self) -> Message | None:
        """Return the next message to show; None when there is none yet, or no more (`ended`).

        Pings are answered. After the log-in only chat and information are shown until the first game
        begins. Raises `RemoteProtocolError` for what cannot be decoded.
        """
        while not self.ended:
            event = self.connection.next_event()
            if event is Signal.NEED_DATA:
                return None
            if not isinstance(event, Message) or event.op is Op.GOODBYE:
                self.ended = True
                self.farewell = isinstance(event, Message)
            elif event.op is Op.PING:
                with suppress(Refused):  # a strict session may not send PONG before the log-in
                    self._out += self.connection.send(Op.PONG)
            elif self._shown(event):
                self.hands += event.op is Op.START_NEW_GAME
                return event
        return None

    def _shown(self, message: Message) -> bool:
        phase = self.connection.phase
        return message.op in _TALK or phase in (Phase.PLAYING, Phase.OVER) or message.op is Op.GOODPASS

    @staticmethod
    def verdict(message: Message, user: str) -> bool | None:
        """Return whether a message accepts (True) or rejects (False) the log-in; None if it does neither.

        Raises `Refused` (`bad_nick`) when the server refuses the name.
        """
        if message.op in (Op.BADNICK, Op.ILLNICK):
            raise Refused(f"the server does not accept the name {user!r:.40}", code="bad_nick")
        return {Op.GOODPASS: True, Op.BADPASS: False}.get(message.op)


class ClientSeat(ABC):
    """A seat at one server without the transport: what the blocking and the asyncio client carry out."""

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
        self._retries = _Retries(reconnect)
        self._strict = strict
        self._skipped: Counter[str] = Counter()
        self._session = ClientSession(self.books, strict=strict)
        self._sending = threading.Lock()
        self._over = threading.Event()
        self._has_quit = False

    def act(self, move: ActionCode | int) -> None:
        """Send a move for the open turn; raises `BadSpec` for an unknown one."""
        if move not in tuple(ActionCode):
            raise BadSpec(f"{move!r:.40} is no move: 0 folds, 1 checks or calls, 2 bets or raises")
        self._write(self._session.send(Op.ACTION, int(move)))

    def chat(self, text: str) -> None:
        """Send a chat message to the table."""
        self._write(self._session.send(Op.CHAT, text))

    def quit(self) -> None:
        """Leave the table; the server closes, and `playgame` returns."""
        self._over.set()  # first: the server closes on QUIT_GAME, and the reader must not reconnect then
        with suppress(OSError, Refused, RoomClosed):
            self._write(self._session.send(Op.QUIT_GAME))
            self._has_quit = True

    @property
    def state(self) -> HoldemState | None:
        """The current hand as the article's object; None before the first."""
        return None if self.books.hand is None else HoldemState.of(self.books.hand)

    @property
    def oddities(self) -> dict[str, int]:
        """What was skipped so far, over all connections: reason -> how often."""
        return dict(self._skipped + self._session.connection.skipped)

    @abstractmethod
    def _write(self, data: bytes) -> None:
        """Send bytes; raises `RoomClosed` without a connection."""

    # -- what a client does, without doing it --------------------------------------------------

    def _joining(self) -> Script[bool]:
        """Log in; returns whether the password is right. Raises what `OppClient.joingame` raises."""
        yield Send(self._session.join(self.user, self._password))
        until = time.monotonic() + self._timeout
        while (answer := (yield from self._hearing(until))) is not None:
            verdict = self._session.verdict(answer, self.user)
            if verdict is not None:
                return verdict
        raise RoomClosed(f"{self._place} has closed the connection")

    def _playing(self) -> Script[None]:
        """Play to the end, over as many connections as it takes."""
        while True:
            lost: Exception | None = None
            try:
                while (message := (yield from self._hearing())) is not None:
                    yield Show(message)
                    if message.op is Op.NEXT_TO_ACT and message.values[0] == self.books.position:
                        yield Ask(message)
            except (TimeoutError, RemoteProtocolError) as error:
                lost = error
            if self._has_ended(lost):
                return
            if not (yield from self._coming_back()):
                if lost is not None:
                    raise lost
                return

    def _coming_back(self) -> Script[bool]:
        """Connect and log in again; returns whether that worked."""
        for wait in self._retries.delays(self._session.hands):
            if (yield Sleep(wait)):
                return False
            yield HangUp()
            self._skipped += self._session.connection.skipped
            self._session = ClientSession(self.books, strict=self._strict)
            try:
                yield Connect()
                if not (yield from self._joining()):
                    return False
            except Refused:
                return False
            except (OSError, PokerError):
                continue
            self.returns += 1
            return True
        return False

    def _hearing(self, until: float | None = None) -> Script[Message | None]:
        """Wait for a message until a monotonic time, or for `silence` seconds; return None when the session is over.

        Without `until`, the server is probed with a GET_FACE half-way through the silence: any answer ends it.
        """
        asked = False
        while True:
            message = self._session.next_message()
            if out := self._session.outgoing():
                with suppress(OSError, RoomClosed):  # the server has gone: receiving will say so
                    yield Send(out)
            if message is not None or self._session.ended:
                return message
            left = self._silence / 2 if until is None else until - time.monotonic()
            data = yield Receive(max(left, 0.001))  # for a socket 0 means not to wait, and less is an error
            if data is Signal.CLOSED:
                return None
            if data is not Signal.NEED_DATA:
                self._session.receive_data(data)
                asked = False
            elif until is not None or asked:
                raise silent(self.host, self.port)
            else:
                asked = True
                with suppress(OSError, PokerError):
                    yield Send(self._session.send(Op.GET_FACE, self.user))

    def _has_ended(self, lost: Exception | None) -> bool:
        """Whether to stop rather than reconnect; raises a strict client's `RemoteProtocolError`."""
        if self._over.is_set() or self._session.farewell:
            return True
        if self._strict and isinstance(lost, RemoteProtocolError):
            raise lost
        return False

    def _unconnected(self) -> RoomClosed:
        return RoomClosed(f"there is no connection to {self._place}")

    @property
    def _place(self) -> str:
        return named(self.host, self.port)

    def __repr__(self) -> str:
        return f"<OppClient: {self.user} at {self._place}>"
