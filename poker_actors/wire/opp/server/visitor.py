"""One TCP connection of the OPP server: its bytes, log-in and limits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, cast

import attrs

from poker_actors.errors import PokerError, RemoteProtocolError
from poker_actors.guard import Allowance, DoorLimits, Guard, address_key, in_range
from poker_actors.wire.opp.protocol.connection import Connection, Phase
from poker_actors.wire.opp.protocol.messages import Message, Op, Side
from poker_actors.wire.opp.server.telling import PERL_PROGRAM, Chunk, HandTelling, PerlProfile, chunk, inform

_log: Final = logging.getLogger("poker_actors.opp")

_JOIN_GAME, _CHAT, _PONG = Op.JOIN_GAME, Op.CHAT, Op.PONG  # an Enum's members are slow to look up
_PIECE: Final = 4 * 1024
"""Bytes per read; a client's messages have about twelve, apart from chat."""


@attrs.frozen(kw_only=True)
class ConnectionLimits(DoorLimits):
    """Limits of connections, so that no client can stop a table, and limits of all servers. Times in seconds."""

    join_seconds: float = attrs.field(default=30.0, validator=in_range)
    """from connecting to the log-in"""
    ping_seconds: float = attrs.field(default=60.0, validator=in_range)
    """of silence before a PING; three times as much closes the connection"""
    chats_per_second: int = attrs.field(default=5, validator=in_range)
    unsent_bytes: int = attrs.field(default=1024 * 1024, validator=in_range)
    """bytes queued for a client that does not read; above it the connection is aborted"""


class Visitor(asyncio.BufferedProtocol):
    """A connection from accept to end.

    `came` is called with it once its `place` is known, and says whether it may stay; `join` with a name and a
    password; `went` at the end. Programs whose names begin with one of `perl` get hands in the form for
    `PERL_PROGRAM`.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        limits: ConnectionLimits,
        guard: Guard,
        *,
        came: Callable[[Visitor], bool],
        join: Callable[[Visitor, str, str], None],
        went: Callable[[Visitor], None],
        perl: tuple[str, ...] = (),
    ) -> None:
        self._loop = loop
        self._limits = limits
        self._came = came
        self._join = join
        self._went = went
        self._perl_programs = (PERL_PROGRAM, *perl)
        self._connection = Connection(Side.SERVER)
        self._piece = bytearray(_PIECE)
        self._transport: asyncio.Transport | None = None
        self._paused: asyncio.Handle | None = None
        self._messages = guard.allowance(loop.time)
        self._chats = Allowance(limits.chats_per_second, loop.time)
        self.since = self.heard_at = loop.time()
        self.place = ""
        """the address it comes from, as the guard counts it"""
        self._perl: PerlProfile | None = None
        self.pinged_at = 0.0
        self.user = ""
        self.program = ""
        self.heard: Callable[[Visitor, Message], None] | None = None
        """the table's handler of its messages; None before it is at a table"""
        self.gone: Callable[[Visitor], None] | None = None
        """the table's handler of its end"""
        self.following: HandTelling | None = None
        """the hand whose start it was sent; it gets no messages of any other"""

    # -- asyncio's calls ---------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport; close it when there are too many already."""
        # asyncio types it as a BaseTransport; a TCP connection's can also write.
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=self._limits.unsent_bytes)
        peer = transport.get_extra_info("peername")
        self.place = address_key(str(peer[0])) if peer else ""
        if not self._came(self):
            self.close()

    def pause_writing(self) -> None:
        """Abort: the client has left more data unread than it may."""
        if self._transport is not None:
            _log.info("%s does not read: %d bytes are waiting", self, self._transport.get_write_buffer_size())
            self._transport.abort()

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the read buffer; asyncio's own would be 256 KiB for each message of twelve bytes."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        """Handle as many messages as this connection may send now."""
        self._receive(self._piece[:nbytes])

    def eof_received(self) -> None:
        """Handle the messages still buffered; asyncio then closes the connection."""
        self._receive(b"")

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the end, to the table and the server."""
        self._transport = None
        if self._paused is not None:
            self._paused.cancel()
        if self.gone is not None:
            self.gone(self)
        self._went(self)

    @property
    def _open(self) -> asyncio.Transport | None:
        """The transport, as long as it takes messages."""
        transport = self._transport
        return None if transport is None or transport.is_closing() else transport

    # -- in ----------------------------------------------------------------------------------

    def _receive(self, data: bytes | bytearray) -> None:
        self._connection.receive_data(data)
        if self._paused is None:
            self._read()

    def _read(self) -> None:
        self._paused = None
        wait = 0.0
        try:
            while not wait and self._open is not None:
                event = self._connection.next_event()
                if not isinstance(event, Message):
                    return
                wait = self._messages.take()
                self._hear(event)
        except RemoteProtocolError as error:
            _log.info("%s: %s", self, error)
            if self.user:
                # written directly: `say` is refused in a session that is over
                assert self._transport is not None, "the client was there one message ago"
                self._transport.write(inform(str(error)).data)
            self.close()
            return
        transport = self._open
        if transport is not None:
            # until the allowance is back for some ten messages: TCP then makes the sender wait
            transport.pause_reading()
            self._paused = self._loop.call_later(10 * wait, self._go_on)

    def _go_on(self) -> None:
        transport = self._open
        if transport is not None:
            transport.resume_reading()
            self._read()

    def _hear(self, message: Message) -> None:
        self.heard_at = self._loop.time()
        op = message.op
        if op is _JOIN_GAME:
            user, password, _, self.program = message.values
            self._perl = PerlProfile(user) if self.program.startswith(self._perl_programs) else None
            self._join(self, user, password)
        elif op is _CHAT and not self._chats.take_if_any():
            self.inform(f"you may say {self._limits.chats_per_second} things a second")
        elif op is not _PONG and self.heard is not None:
            try:
                self.heard(self, message)
            except PokerError as error:
                self.inform(str(error))

    # -- out ---------------------------------------------------------------------------------

    def say(self, what: Chunk) -> None:
        """Send encoded messages; they are dropped if the client has gone."""
        transport = self._open
        if transport is not None:
            if self._perl is not None:
                what = self._perl.put(what)
            transport.write(self._connection.pass_on(what.ops, what.data))

    def inform(self, text: str) -> None:
        """Send a text once the client is logged in: earlier, some clients would crash on it."""
        if self._connection.phase in (Phase.JOINED, Phase.PLAYING):
            self.say(inform(text))

    def answer_join(self, verdict: Op) -> None:
        """Answer JOIN_GAME; any answer but GOODPASS closes the connection."""
        if self._connection.phase is Phase.JOINING:
            self.say(chunk(verdict))
            if verdict is not Op.GOODPASS:
                self.close()

    def ping(self, now: float) -> None:
        """Ping a silent client; hang up on one that stays silent, or did not log in in time."""
        limits = self._limits
        silent = now - self.heard_at
        if self._connection.phase in (Phase.OPEN, Phase.JOINING):
            if now - self.since > limits.join_seconds:
                self.close()
        elif silent > 3 * limits.ping_seconds:
            self.close()
        elif silent > limits.ping_seconds and now - self.pinged_at > limits.ping_seconds:
            self.pinged_at = now
            self.say(chunk(Op.PING))

    def close(self) -> None:
        """Hang up once all messages are sent."""
        if self._transport is not None:
            self._transport.close()

    @property
    def waiting_for_join(self) -> bool:
        """Whether a log-in is waiting for its answer."""
        return self._connection.phase is Phase.JOINING and self._transport is not None

    @property
    def reads_minus_one(self) -> bool:
        """Whether the client understands position -1, for not being dealt in.

        The Perl client reads -1 as 4294967295: it would believe that it sits in seat 0, and act for it.
        """
        return self._perl is None

    def __str__(self) -> str:
        return f"connection of {self.user or 'nobody yet'}"
