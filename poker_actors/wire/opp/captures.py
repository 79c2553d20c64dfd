"""Captured OPP sessions: read a file or listen as a proxy, make them readable, and turn them into hand histories."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadInput, PokerError, RemoteProtocolError
from poker_actors.guard import naming
from poker_actors.history import (
    UNKNOWN,
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    HandHistory,
    Showed,
    Step,
    replay,
)
from poker_actors.rules import GAMES
from poker_actors.wire.framing import CHUNK, Incoming, Listener
from poker_actors.wire.opp.guest import possible_stacks
from poker_actors.wire.opp.packets import Piece, is_packets, pieces
from poker_actors.wire.opp.protocol.connection import Reasons
from poker_actors.wire.opp.protocol.hand import Bookkeeper, HoldemState
from poker_actors.wire.opp.protocol.messages import FRAME_LIMIT, HEADER, OPS, Message, Op, Side, decode_data

__all__ = ["Analyser", "CapturedHands", "Finding", "Proxy", "capture_line", "read_capture"]

_SHOWN: Final = 32
"""Bytes shown of a message that cannot be decoded."""
_ARROWS: Final = {Side.CLIENT: ">", Side.SERVER: "<"}
_TEXT_CAPTURE: Final = re.compile(rb"\s*(?:[0-9]{0,6}[<>]|#)[^\n]*")
_TEXT_LINE: Final = re.compile(r"\s*([0-9]{0,6})([<>])([^#]*)")

_PERL: Final = "Games::Poker::OPP"
_UNKNOWN_HOLE: Final = (UNKNOWN, UNKNOWN)


@attrs.frozen
class Finding:
    """One decoded message, or a description of undecodable bytes."""

    sender: Side
    offset: int
    """bytes of this sender before it"""
    message: Message | None
    trouble: str = ""
    session: int = 1
    """number of the connection, from 1"""

    def text(self, *, passwords: bool = False) -> str:
        """Return one line: sender (`>` client, `<` server), offset, message. Passwords are hidden unless asked for."""
        head = f"{_ARROWS[self.sender]} {self.offset:>7}  "
        if self.message is None:
            return head + self.trouble
        fields = self.to_dict(passwords=passwords)
        name = fields.pop("op")
        return head + " ".join([name, *(f"{key}={_shown(each)}" for key, each in fields.items())])

    def to_dict(self, *, passwords: bool = False) -> dict[str, Any]:
        """Return the message's fields by name, or the problem."""
        if self.message is None:
            return {"op": None, "trouble": self.trouble}
        fields = self.message.to_dict()
        if "password" in fields and not passwords:
            fields["password"] = "***"
        return fields


def _shown(field: Any) -> str:
    if isinstance(field, list):
        return "[" + "; ".join(" ".join(_shown(each) for each in row.values()) for row in field) + "]"
    return ascii(field) if isinstance(field, str) else str(field)


class Analyser(Incoming):
    """Reads one side's bytes frame by frame and goes on after frames it cannot decode.

    Only an impossible length ends the reading, since the start of the next frame is unknown then.
    """

    def __init__(self, sender: Side, session: int = 1) -> None:
        super().__init__()
        self._sender = sender
        self._session = session
        self._lost = False

    def feed(self, data: bytes) -> Iterator[Finding]:
        """Take bytes and yield a finding for each frame they complete."""
        self.receive_data(data)
        while not self._lost and len(self._buffer) - self._at >= HEADER.size:
            number, length = HEADER.unpack_from(self._buffer, self._at)
            if not 0 <= length <= FRAME_LIMIT:
                yield from self.lose(f"id {number} of {length} bytes: a message has 0 to {FRAME_LIMIT}")
                return
            end = self._at + HEADER.size + length
            if len(self._buffer) < end:
                return
            found = self._look(number, bytes(self._buffer[self._at : end]))
            self._at = end
            yield found

    def lose(self, why: str) -> Iterator[Finding]:
        """Stop reading: bytes are missing, so the start of the next frame is unknown."""
        if not self._lost:
            self._lost = True
            yield self._finding(None, f"? {why}; lost from here")

    def finish(self) -> Iterator[Finding]:
        """Yield a finding for a message that was cut off, if any."""
        rest = self._buffer[self._at :]
        if rest and not self._lost:
            yield self._finding(None, f"? {len(rest)} bytes of a message cut off: {_hex(rest)}")

    def _finding(self, message: Message | None, trouble: str = "") -> Finding:
        return Finding(self._sender, self._offset + self._at, message, trouble, self._session)

    def _look(self, number: int, frame: bytes) -> Finding:
        op, data = OPS.get(number), frame[HEADER.size :]
        if op is None:
            return self._finding(None, f"? id {number}, {len(data)} bytes: {_hex(data)}")
        try:
            return self._finding(decode_data(op, frame, HEADER.size, len(frame), self._offset + self._at))
        except RemoteProtocolError as error:
            return self._finding(None, f"? {error} in {_hex(data)}")


def _hex(data: bytes | bytearray) -> str:
    return bytes(data[:_SHOWN]).hex(" ", 4) + ("…" if len(data) > _SHOWN else "")


def read_capture(data: bytes) -> Iterator[Finding]:
    """Read a capture: packets (pcap, pcapng), lines of hex after `>` (client) or `<` (server), or one side's raw bytes.

    Connections after the first have their number before the sign, as in `2>`. Raw bytes are a client's if
    they begin with JOIN_GAME. An unreadable line ends its side of the capture, like lost bytes. Raises
    `BadInput` for an empty capture, `MissingExtra` for packets without dpkt.
    """
    if not data.strip():
        raise BadInput("the capture is empty")
    sides: dict[tuple[int, Side], Analyser] = {}
    for piece in _pieces_of(data):
        if isinstance(piece, Finding):
            yield piece
            continue
        analyser = sides.setdefault((piece.session, piece.sender), Analyser(piece.sender, piece.session))
        if piece.lost:
            yield from analyser.lose(piece.lost)
        yield from analyser.feed(piece.data)
    for analyser in sides.values():
        yield from analyser.finish()


def _pieces_of(data: bytes) -> Iterable[Piece | Finding]:
    """Return the pieces of a capture of any kind, and a finding for each line that is not one."""
    if is_packets(data):
        return pieces(data)
    if _is_text(data):
        return _of_lines(data)
    client = data[:4] == int(Op.JOIN_GAME).to_bytes(4, "big")
    return [Piece(1, Side.CLIENT if client else Side.SERVER, data)]


def _of_lines(data: bytes) -> Iterator[Piece | Finding]:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        found = _TEXT_LINE.match(line)
        if found is not None:
            session, sender = int(found[1] or 1), Side.CLIENT if found[2] == ">" else Side.SERVER
            try:
                yield Piece(session, sender, bytes.fromhex(found[3]))
            except ValueError:
                yield Piece(session, sender, b"", f"line {number} is not hexadecimal: {_quoted(found[3])}")
        elif line.strip() and not line.lstrip().startswith("#"):
            yield Finding(
                Side.SERVER, 0, None, f"? line {number} is not a line of a capture: {_quoted(line)}"
            )


def _is_text(data: bytes) -> bool:
    """Whether most lines are those of a text capture: one damaged line must not make the whole file raw bytes."""
    lines = [line for line in data.splitlines() if line.strip()]
    return 2 * sum(_TEXT_CAPTURE.fullmatch(line) is not None for line in lines) > len(lines)


def _quoted(text: str) -> str:
    return ascii(text.strip()[:40])


def capture_line(session: int, sender: Side, data: bytes) -> str:
    """Return the capture line for received bytes, as `read_capture` reads it."""
    return f"{session if session > 1 else ''}{_ARROWS[sender]} {data.hex()}\n"


Heard = Callable[[int, Side, bytes], None]
"""(number of the session, who sent it, the bytes; ``b""`` when that side closes)"""


class Proxy(Listener):
    """Stands between clients and a server and reports the bytes of both; changes nothing."""

    def __init__(self, host: str, port: int, heard: Heard) -> None:
        super().__init__()
        self._target = (host, port)
        self._heard = heard
        self._sessions = 0

    async def start(self, host: str, port: int) -> None:
        """Start listening; raises `OSError` if the port is taken or the server's host is unknown."""
        server, _ = self._target
        with naming(server):
            await asyncio.get_running_loop().getaddrinfo(*self._target)
        await self.listen(host, port)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass the bytes of one client and the server in both directions."""
        self._sessions += 1
        number = self._sessions
        server, forth = await asyncio.open_connection(*self._target)
        try:
            await asyncio.gather(
                self._pass(number, Side.CLIENT, reader, forth),
                self._pass(number, Side.SERVER, server, writer),
            )
        finally:
            forth.close()

    async def _pass(
        self, number: int, sender: Side, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(CHUNK):
            self._heard(number, sender, data)
            writer.write(data)
            await writer.drain()
        self._heard(number, sender, b"")
        writer.close()


class CapturedHands:
    """Collects hands from findings passed to `hear`; `histories` yields the complete ones.

    A hand captured on several connections becomes one history, with the hole cards of all of them. A message
    that no hand can contain (an unknown seat, a text that is not cards) spoils only its own hand.
    """

    def __init__(self) -> None:
        self.unfinished = 0
        """hands whose beginning or end is not in the capture"""
        self.damaged = 0
        """hands left out for messages that do not fit, or that the rules of limit hold'em cannot follow"""
        self.refused: Final = Reasons()
        """message and reason -> how often it did not fit"""
        self._sessions: dict[int, _Session] = {}
        self._retold: set[tuple[object, ...]] = set()
        self._done: dict[tuple[object, ...], HoldemState] = {}

    @property
    def retold(self) -> int:
        """Hands seen only by a Games::Poker::OPP client, to which actions are not sent one by one."""
        return len(self._retold.difference(self._done))

    def hear(self, finding: Finding) -> None:
        """Process the next finding."""
        message = finding.message
        if message is None:
            return
        session = self._sessions.setdefault(finding.session, _Session())
        if message.op is Op.JOIN_GAME and message.values[3].startswith(_PERL):
            session.perl = True
        if finding.sender is not Side.SERVER:
            return
        if message.op is Op.START_NEW_GAME:
            self.unfinished += session.open
            session.open, session.damaged = True, False
        # book nothing for a hand without a beginning, or one that is left out: it would be booked to the hand before
        refusal = session.books.hear(message) if session.open and not session.damaged else None
        if refusal is not None:
            # a Perl client is told, instead of its own raise, a message with an amount in the place of the seat
            session.damaged = True
            if not session.perl:
                self.refused.note(f"{message.op.name}: {refusal}")
        if message.op is Op.WINNERS and session.open:
            self._finish(session)

    def _finish(self, session: _Session) -> None:
        heard, session.open = session.books.hand, False
        if session.damaged and not session.perl:
            self.damaged += 1
        elif heard is not None:
            key = (heard.game_id, heard.players, heard.bankrolls)
            if session.perl:
                self._retold.add(key)
            else:
                self._done.setdefault(key, heard).dealt.update(heard.dealt)

    def leave_out(self, reason: str) -> None:
        """Count a hand as damaged; also for a hand of `histories` that cannot be kept."""
        self.damaged += 1
        self.refused.note(reason)

    def histories(self) -> Iterator[HandHistory]:
        """Yield the hands in the order in which they ended; those still open count as unfinished."""
        for session in self._sessions.values():
            self.unfinished += session.open
            session.open = False
        for heard in self._done.values():
            refusal = ""
            for stacks in possible_stacks(heard):
                try:
                    history = _history(heard, stacks)
                    replay(history)
                except PokerError as error:
                    refusal = f"the rules: {error}"
                else:
                    yield history
                    break
            else:
                self.leave_out(refusal)


@attrs.define
class _Session:
    """What was sent on one connection of the capture."""

    books: Bookkeeper = attrs.field(factory=Bookkeeper)
    perl: bool = False
    open: bool = False
    """whether a hand has begun and not ended"""
    damaged: bool = False


def _history(heard: HoldemState, stacks: list[int]) -> HandHistory:
    """Return the hand, with players in the order of later streets: left of the button first, the button last."""
    size = len(heard.players)
    button = heard.button_seat
    if size == 2 and heard.posted:
        button = heard.posted[0][0] if len(heard.posted) == 2 else 1 - heard.posted[0][0]
    order = [(button + step) % size for step in range(1, size + 1)]
    blinds = dict(heard.posted)
    return HandHistory(
        game=GAMES["limit-holdem"],
        stacks=tuple(stacks[who] for who in order),
        blinds=tuple(blinds.get(who, 0) for who in order),
        min_bet=heard.bet_size,
        steps=tuple(_steps(heard, order)),
        players=tuple(heard.players[who] for who in order),
        seats=tuple(order),
        finishing=tuple(stacks[who] - int(heard.paid[who] - heard.won[who]) for who in order),
        fields={"hand": heard.game_id},
    )


def _steps(heard: HoldemState, order: list[int]) -> Iterator[Step]:
    place = {who: number for number, who in enumerate(order)}
    for who in order:
        yield Dealt(place[who], heard.dealt.get(who, _UNKNOWN_HOLE))
    board: tuple[Card, ...] = ()
    for step in heard.steps:
        if step.op is Op.NEW_STAGE:
            yield BoardDealt(step.board[len(board) :])
            board = step.board
        else:
            total = step.total if step.op is Op.RAISE else 0
            said = step.amount if step.op is Op.CALL else None
            yield ActionStep(place[step.seat], ActionKind[step.op.name], total, said=said)
    for who, cards in heard.shown.items():
        yield Showed(place[who], cards)
