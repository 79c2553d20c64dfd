"""The table of messages of the Online Poker Protocol; encoder, decoder and docs are made from it."""

from __future__ import annotations

import enum
import re
from typing import Final, Self

import attrs


class Side(enum.Enum):
    """Who may send a message."""

    CLIENT = "client"
    SERVER = "server"
    BOTH = "both"


class Kind(enum.Enum):
    """How a field is encoded."""

    INT = "int32"
    """four bytes, most significant first, signed: -1 is ff ff ff ff"""
    TEXT = "text"
    """bytes up to a zero byte"""


INT: Final = Kind.INT
_DEFAULTS: Final[dict[Kind, int | str]] = {Kind.INT: 0, Kind.TEXT: ""}


@attrs.frozen
class Field:
    """One field; an optional one (always the last) may be missing and then reads as `default`."""

    name: str
    kind: Kind
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


def _fields(data: str) -> tuple[Field, ...]:
    found = [(name, Kind(kind), bracket) for bracket, name, kind in _FIELD.findall(data)]
    return tuple(Field(name, kind, _DEFAULTS[kind] if bracket else None) for name, kind, bracket in found)


class Op(enum.IntEnum):
    """The messages: id, sender, data, meaning and, for data that repeats, its name.

    11 and 23 are undocumented: some clients know them, the Perl client dies of them.
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
            _fields(_REPEAT.sub("", data)),
            None if again is None else Repeat(repeated, again[1], _fields(again[2])),
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
