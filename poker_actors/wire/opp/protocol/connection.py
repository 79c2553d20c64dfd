"""One side of an OPP session without a socket: decodes and encodes messages and checks their order, a table of phases."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final

from poker_actors.errors import Refused, RemoteProtocolError
from poker_actors.wire.framing import Incoming
from poker_actors.wire.opp.protocol.hand import Bookkeeper
from poker_actors.wire.opp.protocol.messages import (
    FRAME_LIMIT,
    HEADER,
    MESSAGES,
    OPS,
    Message,
    Op,
    Side,
    decode_data,
    decode_front,
    frame,
)


class Phase(enum.Enum):
    """How far a session has come: one state for both sides, moved on by either side's messages."""

    OPEN = "open"
    """connected, not logged in"""
    JOINING = "joining"
    """JOIN_GAME is waiting for its answer"""
    JOINED = "joined"
    """logged in; messages of a hand begun earlier are not for this client"""
    PLAYING = "playing"
    """a game has been announced"""
    LEAVING = "leaving"
    """the client has quit and still receives what was on its way"""
    OVER = "over"


def _staying(phase: Phase) -> dict[Op, Phase]:
    """Return the transitions while logged in: on anything but the messages of the log-in itself."""
    before = {Op.JOIN_GAME, Op.GOODPASS, Op.BADPASS, Op.ILLNICK, Op.BADNICK}
    moves = {op: phase for op in MESSAGES if op not in before}
    return moves | {Op.START_NEW_GAME: Phase.PLAYING, Op.QUIT_GAME: Phase.LEAVING, Op.GOODBYE: Phase.OVER}


SESSION: Final[dict[Phase, dict[Op, Phase]]] = {
    Phase.OPEN: {Op.JOIN_GAME: Phase.JOINING},
    Phase.JOINING: {
        Op.GOODPASS: Phase.JOINED,
        Op.BADPASS: Phase.OVER,
        Op.ILLNICK: Phase.OVER,
        Op.BADNICK: Phase.OVER,
    },
    Phase.JOINED: _staying(Phase.JOINED),
    Phase.PLAYING: _staying(Phase.PLAYING),
    Phase.LEAVING: {
        op: Phase.OVER if op is Op.GOODBYE else Phase.LEAVING
        for op, layout in MESSAGES.items()
        if layout.side is not Side.CLIENT
    },
    Phase.OVER: {},
}
"""Phase -> message -> the phase after it; a message that is not listed is out of order."""


class Signal(enum.Enum):
    """Returned by `Connection.next_event` when there is no message."""

    NEED_DATA = "need data"
    CLOSED = "closed"


Event = Message | Signal

_RECEIVED: Final = {
    role: {int(op): op for op, layout in MESSAGES.items() if layout.side is not role} for role in Side
}
"""Role -> the messages it may receive, by id."""
_SENT: Final = {
    role: frozenset(op for op, layout in MESSAGES.items() if layout.side in (role, Side.BOTH))
    for role in Side
}
_STAYS: Final = {
    (role, phase): frozenset(op for op in said if moves.get(op) is phase)
    for role, said in _SENT.items()
    for phase, moves in SESSION.items()
}
"""(role, phase) -> the messages it may send without ending the phase."""
_ANY_TIME: Final = frozenset({Op.PING, Op.INFORMATION, Op.CHATTER})
"""Messages that a tolerant client accepts even before its log-in."""
_MOST_REASONS: Final = 100


class Reasons(Counter[str]):
    """Counts by reason, those after the first hundred as others: whoever sends the bytes chooses the texts."""

    def note(self, reason: str) -> None:
        """Count a reason."""
        self[reason if reason in self or len(self) < _MOST_REASONS else "others"] += 1


class Connection(Incoming):
    """The protocol as one side (`Side.CLIENT` or `Side.SERVER`) sees it.

    `receive_data` takes bytes in pieces of any size, `next_event` returns the messages in them, `send`
    returns bytes to write. Messages in both directions move `phase`. Memory is bounded by one frame
    plus the bytes of one `receive_data`.

    A `tolerant` connection skips, and counts in `skipped`, what the table does not allow: unknown
    ids, messages that are malformed or out of order, bytes after a message's last field.
    Only an impossible length ends it, since the start of the next message is unknown then.
    """

    def __init__(self, role: Side, *, tolerant: bool = False, books: Bookkeeper | None = None) -> None:
        super().__init__()
        self.role: Final = role
        self.tolerant: Final = tolerant
        self.skipped: Final = Reasons()
        """reason -> how often a tolerant connection skipped something for it"""
        self._booked = Phase.PLAYING if role is Side.CLIENT else None  # a server sends the hand
        self._heard = _RECEIVED[role]
        self._said = _SENT[role]
        self.phase = Phase.OPEN
        self._error: RemoteProtocolError | None = None
        self.books: Final = books or Bookkeeper()
        """the hands that a client has heard; a server's stay empty"""

    @property
    def phase(self) -> Phase:
        """How far the session has come."""
        return self._phase

    @phase.setter
    def phase(self, phase: Phase) -> None:
        self._phase = phase
        self._moves = SESSION[phase]
        self._stays = _STAYS[self.role, phase]

    # -- in ----------------------------------------------------------------------------------

    def next_event(self) -> Event:
        """Return the next message, or a `Signal` that says why there is none.

        Raises `RemoteProtocolError`, naming the byte, for what the protocol does not allow; the
        session is over then, and every later call raises the same error.
        """
        if self._error is not None:
            raise self._error
        try:
            return self._next()
        except RemoteProtocolError as error:
            self._error = error
            self.phase = Phase.OVER
            raise

    def _next(self) -> Event:
        buffer = self._buffer
        while True:
            at = self._at
            left = len(buffer) - at
            if left < 8:
                return self._wait(left)
            number, length = HEADER.unpack_from(buffer, at)
            op = self._heard.get(number)
            after = None if op is None else self._moves.get(op)
            if after is None and not self.tolerant:
                raise self._not_admitted(number, at)
            if not 0 <= length <= FRAME_LIMIT:
                name = f"id {number}" if op is None or self.tolerant else op.name
                text = f"{name} of {length} bytes: a message has 0 to {FRAME_LIMIT}"
                raise RemoteProtocolError(text, offset=self._offset + at + 4)
            start = at + 8
            end = start + length
            if len(buffer) < end:
                return self._wait(left)
            if self.tolerant:
                received, after = self._read_tolerantly(number, op, after, start, end)
            else:
                assert op is not None, "what is not admitted was refused above"
                assert after is not None, "what is not admitted was refused above"
                received = decode_data(op, buffer, start, end, self._offset)
                if after is self._booked and (refusal := self.books.hear(received)) is not None:
                    raise RemoteProtocolError(f"{op.name}: {refusal}", offset=self._offset + start)
            self._at = end
            if received is not None:
                if after is not self._phase:
                    self.phase = after
                return received

    def _read_tolerantly(
        self, number: int, op: Op | None, after: Phase | None, start: int, end: int
    ) -> tuple[Message | None, Phase]:
        """Return the message of a whole frame and the phase after it; count it as skipped if it is not valid here."""
        phase = self._phase
        if op in _ANY_TIME and phase is not Phase.OVER:
            after = after or phase
        if op is None or after is None:
            self.skipped.note(
                f"id {number}" if op is None else f"{op.name} when the session is {phase.value}"
            )
            return None, phase
        front = None
        with suppress(RemoteProtocolError):
            front = decode_front(op, self._buffer, start, end, self._offset)
        if front is None or (after is self._booked and self.books.hear(front[0]) is not None):
            self.skipped.note(f"{op.name} that makes no sense")
            return None, phase
        received, rest = front
        if rest:
            self.skipped.note(f"bytes behind {op.name}")
        return received, after

    def _not_admitted(self, number: int, at: int) -> RemoteProtocolError:
        """Return the error for an id that is refused, which needs only the header, not the data."""
        op = OPS.get(number)
        if op is None:
            text = f"no message has the id {number}"
        elif number not in self._heard:
            text = f"{op.name} is not for a {self.role.value} to receive"
        else:
            text = f"{op.name} is out of order: the session is {self.phase.value}"
        return RemoteProtocolError(text, offset=self._offset + at)

    def _wait(self, left: int) -> Signal:
        if not self._ended:
            return Signal.NEED_DATA
        if left and self.tolerant:  # the caller sees a plain end
            self.skipped.note("the connection ended within a message")
        elif left:
            text = f"the connection ended {left} bytes into a message"
            raise RemoteProtocolError(text, offset=self._offset + len(self._buffer))
        self.phase = Phase.OVER
        return Signal.CLOSED

    # -- out ---------------------------------------------------------------------------------

    def send(self, op: Op, *values: Any) -> bytes:
        """Return the bytes of a message.

        Raises `Refused` (`out_of_order`) when this side may not send it now, `BadSpec` for values
        that do not fit; either way the session is unchanged.
        """
        after = self._allow(op, self._phase)
        data = frame(op, *values)  # may raise: `phase` moves only after it
        self.phase = after
        return data

    def pass_on(self, ops: Collection[Op], data: bytes) -> bytes:
        """Check and count as sent messages that are encoded already; returns `data`.

        For messages that many connections receive alike. Raises `Refused` like `send`.
        """
        if not self._stays.issuperset(ops):  # nearly all of a hand's messages stay
            phase = self._phase
            for op in ops:
                phase = self._allow(op, phase)
            self.phase = phase
        return data

    def _allow(self, op: Op, phase: Phase) -> Phase:
        """Return the phase after sending a message; raises `Refused`."""
        after = SESSION[phase].get(op)
        if op is Op.PONG and self.tolerant and phase is not Phase.OVER:
            return phase  # some servers ping before the log-in
        if after is None or op not in self._said:
            text = f"a {self.role.value} cannot send {op.name} when the session is {phase.value}"
            raise Refused(text, code="out_of_order")
        return after
