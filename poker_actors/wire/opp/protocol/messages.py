"""The table of messages of the Online Poker Protocol, and the encoder, decoder and docs made from it.

A frame is an id, a length and that many bytes of data.
"""

from __future__ import annotations

import enum
import re
import struct
from collections.abc import Sequence
from struct import Struct
from typing import Any, Final, Self

import attrs

from poker_actors.errors import BadSpec, RemoteProtocolError
from poker_actors.frozen import value


class Side(enum.Enum):
    """Who may send a message."""

    CLIENT = "client"
    SERVER = "server"
    BOTH = "both"


@attrs.frozen
class Field:
    """One field; an optional one (always the last) may be missing and then reads as `default`."""

    name: str
    kind: type[int] | type[str]
    """four bytes, most significant first, signed (-1 is ff ff ff ff), or the bytes up to a zero byte"""
    default: int | str | None = None


@attrs.frozen
class Repeat:
    """A group of fields, repeated as often as the earlier field `count` says."""

    name: str
    count: str
    fields: tuple[Field, ...]


@attrs.frozen
class Layout:
    """A message: who sends it, and its fields."""

    side: Side
    data: str
    """the fields as the docs write them; those in brackets are optional"""
    about: str
    fields: tuple[Field, ...]
    repeat: Repeat | None = None

    @property
    def names(self) -> list[str]:
        """The names of a message's values, in their order."""
        return [field.name for field in self.fields] + ([] if self.repeat is None else [self.repeat.name])


_FIELD: Final = re.compile(r"(\[?)(\w+) (int32|text)\b")
_REPEAT: Final = re.compile(r", then (\w+) times \((.*)\)")
_S, _C = Side.SERVER, Side.CLIENT


def _read(data: str) -> tuple[Field, ...]:
    found = [(name, int if kind == "int32" else str, bracket) for bracket, name, kind in _FIELD.findall(data)]
    return tuple(Field(name, kind, kind() if bracket else None) for name, kind, bracket in found)


class Op(enum.IntEnum):
    """The messages: id, sender, data, meaning and, for data that repeats, its name.

    11 and 23 are undocumented: some clients know them, the Perl client crashes on them.
    """

    layout: Layout

    def __new__(cls, number: int, side: Side, data: str, about: str, repeated: str = "") -> Self:
        """Read the layout, once for each member."""
        op = int.__new__(cls, number)
        op._value_ = number
        again = _REPEAT.search(data)
        op.layout = Layout(
            side,
            data,
            about,
            _read(_REPEAT.sub("", data)),
            None if again is None else Repeat(repeated, again[1], _read(again[2])),
        )
        return op

    FOLD = 0, _S, "who int32, [amount int32]", "who folds; amount 0"
    CALL = 1, _S, "who int32, [amount int32]", "who checks or calls; chips this puts in (0: check)"
    RAISE = 2, _S, "who int32, [amount int32]", "who bets or raises; chips this puts in, the call included"
    BLIND = 3, _S, "who int32, amount int32", "who posts a blind, and what"
    GOODBYE = 11, _S, "", "end of session; not sent by our server"
    JOIN_GAME = (
        20,
        _C,
        "user text, password text, version int32, [program text]",
        "log in; a new user gets an account; version is 1",
    )
    GOODPASS = 21, _S, "", "logged in"
    BADPASS = 22, _S, "", "wrong password"
    ILLNICK = 23, _S, "", "illegal nickname; not sent by our server"
    BADNICK = 24, _S, "", "a nickname of the wrong length or characters"
    ACTION = 30, _C, "action int32", "0 fold, 1 check or call, 2 bet or raise"
    CHAT = 32, _C, "text text", "say to all"
    QUIT_GAME = 33, _C, "", "leave the table; the server closes"
    GET_GRAPH = 42, Side.BOTH, "name text, [path text]", "whose graph; the answer adds a path"
    INFORMATION = 43, _S, "text text", "the server says"
    SET_FACE = 45, _S, "face text", "the face asked for, as a number in text"
    GET_FACE = 46, _C, "name text", "whose face"
    CHANGE_FACE = 47, _C, "step int32", "+1 or -1"
    START_NEW_GAME = (
        50,
        _S,
        "bet_size int32, num_players int32, button int32, position int32, game_id int32, then num_players times (name text, bankroll int32, face int32)",
        "a hand begins; position is the receiver's place in the list, -1 when not dealt in",
        "players",
    )
    HOLE_CARDS = 51, _S, "who int32, cards text", "own cards, or cards shown: `Ah 5c`"
    NEW_STAGE = 52, _S, "round int32, board text", "1 flop, 2 turn, 3 river; the whole board: `Jd Ks 3s`"
    WINNERS = (
        53,
        _S,
        "count int32, then count times (who int32, share int32)",
        "who gets how much of the pot",
        "shares",
    )
    CHATTER = 54, _S, "text text", "somebody says"
    NEXT_TO_ACT = (
        57,
        _S,
        "who int32, to_call int32, min_bet int32, max_bet int32",
        "sent to all; both bets -1 when there are no more raises",
    )
    PING = 60, _S, "", "are you there? any message answers"
    PONG = 61, _C, "", "yes"

    __hash__ = int.__hash__  # an Enum's own hashes the name by a call, for each look-up of a message


class ActionCode(enum.IntEnum):
    """The moves of an ACTION; bets are fixed-limit, so a raise has no amount."""

    FOLD = 0
    CALL = 1
    """a check if there is nothing to call"""
    RAISE = 2
    """a bet when there is none yet"""


MESSAGES: Final[dict[Op, Layout]] = {op: op.layout for op in Op}
"""All messages."""
OPS: Final[dict[int, Op]] = {int(op): op for op in Op}

_ARROWS: Final = {Side.SERVER: "S → C", Side.CLIENT: "C → S", Side.BOTH: "both"}


def byte_table() -> str:
    """Return the table of messages in Markdown, for the docs."""
    lines = ["| id | name | direction | data | meaning |", "|---|---|---|---|---|"]
    for op, layout in MESSAGES.items():
        cells = (str(int(op)), op.name, _ARROWS[layout.side], layout.data or "-", layout.about)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


FRAME_LIMIT: Final = 64 * 1024
"""Most bytes of data in a frame. The largest real one, START_NEW_GAME with ten long names, has about 500;
without a limit the four-byte length could make us buffer 2 GiB."""

HEADER: Final = Struct(">ii")
_INT: Final = Struct(">i")

Values = tuple[Any, ...]
"""Fields in the table's order: `int`, `str`, and for repeated fields a tuple of tuples."""


@value
class Message:
    """One message: its id and its fields in the order of the table.

    Numbers are `int`, texts `str`; repeated fields are one tuple of tuples, the last value.
    Bytes that are not UTF-8 become surrogates, so that every text encodes back to the same bytes.
    """

    op: Op
    values: Values = ()

    def __getitem__(self, name: str) -> Any:
        """Return a field by its name in the table; raises `KeyError`."""
        names = MESSAGES[self.op].names
        if name not in names:
            raise KeyError(f"{self.op.name} has no field {name}")
        return self.values[names.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, and the message's name as ``op``, for JSON."""
        layout = MESSAGES[self.op]
        named: dict[str, Any] = {"op": self.op.name, **dict(zip(layout.names, self.values, strict=False))}
        if layout.repeat is not None:
            names = [field.name for field in layout.repeat.fields]
            named[layout.repeat.name] = [dict(zip(names, row, strict=True)) for row in self.values[-1]]
        return named

    def __str__(self) -> str:
        texts = [f"{value!r}" if isinstance(value, str) else str(value) for value in self.values]
        return " ".join([self.op.name, *texts])


def message(op: Op, *values: Any) -> Message:
    """Make a message, filling in optional fields; raises `BadSpec` for values that do not fit."""
    made = Message(op, _filled(op, values))
    encode(made)
    return made


def _filled(op: Op, values: Values) -> Values:
    layout = MESSAGES[op]
    missing = layout.fields[len(values) :] if layout.repeat is None else ()
    if missing and all(field.default is not None for field in missing):
        return (*values, *(field.default for field in missing))
    return values


def frame(op: Op, *values: Any) -> bytes:
    """Return the frame of a message with these values: `encode` of `message`, encoded only once."""
    return encode(Message(op, _filled(op, values)))


# -- encoding ------------------------------------------------------------------------------------


def encode(message: Message) -> bytes:
    """Return a message's frame.

    Raises `BadSpec` for values that the table does not allow: a number beyond 32 bits, a text
    with a zero byte, a count that differs from the number of rows, more data than `FRAME_LIMIT`.
    """
    op, values = message.op, message.values
    plain = _PLAIN.get(op)
    try:
        if plain is not None:
            return plain.pack(op, plain.size - 8, *values)
        data = _data(MESSAGES[op], values)
    except (struct.error, TypeError, ValueError, KeyError, AttributeError) as error:
        said = "these values" if op is Op.JOIN_GAME else f"{values!r:.80}"  # a password is among them
        raise BadSpec(f"{op!r:.40} cannot say {said}: {error}") from None
    if len(data) > FRAME_LIMIT:
        raise BadSpec(f"{op.name} would have {len(data)} bytes: a frame has at most {FRAME_LIMIT}")
    return HEADER.pack(op, len(data)) + data


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    if 0 in data:
        raise ValueError("a text ends at its first zero byte and cannot have one inside")
    return data + b"\0"


def _data(layout: Layout, values: Values) -> bytes:
    repeat = layout.repeat
    if repeat is None:
        return _packed(layout.fields, values)
    *head, rows = values
    data = _packed(layout.fields, head)
    if (count := _count(layout, head)) != len(rows):
        raise ValueError(f"{repeat.count} is {count}, there are {len(rows)} {repeat.name}")
    return b"".join([data, *(_packed(repeat.fields, row) for row in rows)])


def _packed(fields: Sequence[Field], values: Sequence[Any]) -> bytes:
    return b"".join(
        [
            _INT.pack(each) if field.kind is int else _text(each)
            for field, each in zip(fields, values, strict=True)
        ]
    )


def _count(layout: Layout, values: Sequence[Any]) -> Any:
    """Return the field that says how often the others are repeated."""
    assert layout.repeat is not None
    return values[layout.names.index(layout.repeat.count)]


# -- decoding ------------------------------------------------------------------------------------


def decode_data(op: Op, data: bytes | bytearray, start: int, end: int, offset: int) -> Message:
    """Decode like `decode_front`; raises `RemoteProtocolError` also for bytes left over."""
    read, left = decode_front(op, data, start, end, offset)
    if left:
        text = f"{op.name}: {left} bytes more than the message has fields"
        raise RemoteProtocolError(text, offset=offset + end - left)
    return read


def decode_front(op: Op, data: bytes | bytearray, start: int, end: int, offset: int) -> tuple[Message, int]:
    """Decode the data of one frame, ``data[start:end]``; its header is in the 8 bytes before `start`.

    Returns the message and the number of bytes left over. `offset` is the position of ``data[0]`` in the stream, for
    errors. Raises `RemoteProtocolError` for data that is not the fields of the table.
    """
    plain = _PLAIN.get(op)
    if plain is not None and end - start == plain.size - 8:
        return Message(op, plain.unpack_from(data, start - 8)[2:]), 0  # `plain` includes the header
    # The first zero byte must be the last byte: one earlier means bytes left over.
    if op in _NUMBER_AND_TEXT and data.find(b"\0", start + 4, end) == end - 1 > start + 3:
        text = data[start + 4 : end - 1].decode("utf-8", "surrogateescape")
        return Message(op, (_INT.unpack_from(data, start)[0], text)), 0
    layout = MESSAGES[op]
    values, at = _fields(op, layout.fields, data, start, end, offset)
    repeat = layout.repeat
    if repeat is not None:
        count, left = _count(layout, values), end - at
        least = sum(4 if field.kind is int else 1 for field in repeat.fields)
        if count < 0 or count * least > left:  # before any memory is spent on it
            text = f"{repeat.count} is {count}: {left} bytes are left, each takes at least {least}"
            raise RemoteProtocolError(f"{op.name}: {text}", offset=offset + at)
        rows = []
        for _ in range(count):
            row, at = _fields(op, repeat.fields, data, at, end, offset)
            rows.append(tuple(row))
        values.append(tuple(rows))
    return Message(op, tuple(values)), end - at


def _fields(
    op: Op, fields: tuple[Field, ...], data: bytes | bytearray, at: int, end: int, offset: int
) -> tuple[list[Any], int]:
    """Read fields from `at` on; return them and the position after them."""
    values: list[Any] = []
    for field in fields:
        if at == end and field.default is not None:
            values.append(field.default)
        elif field.kind is int:
            if end - at < 4:
                text = f"{op.name}: {field.name} needs 4 bytes, {end - at} are left"
                raise RemoteProtocolError(text, offset=offset + at)
            values += _INT.unpack_from(data, at)
            at += 4
        else:
            stop = data.find(b"\0", at, end)
            if stop < 0:
                text = f"{op.name}: {field.name} does not end within the message"
                raise RemoteProtocolError(text, offset=offset + at)
            values.append(data[at:stop].decode("utf-8", "surrogateescape"))
            at = stop + 1
    return values, at


_NUMBER_AND_TEXT: Final = frozenset({Op.HOLE_CARDS, Op.NEW_STAGE})
"""One number and one text: decoded without a reader when well-formed, since every hand has several."""
_PLAIN: Final = {
    op: Struct(f">{2 + len(layout.fields)}i")
    for op, layout in MESSAGES.items()
    if layout.repeat is None and all(field.kind is int for field in layout.fields)
}
"""Formats of messages with only numbers, header included: one `struct` call each, for most of the traffic."""
