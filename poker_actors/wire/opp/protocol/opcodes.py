"""The table of messages of the Online Poker Protocol; encoder, decoder and docs are made from it."""

from __future__ import annotations

import enum
from typing import Final

import attrs


class Op(enum.IntEnum):
    """Message ids. 11 and 23 are undocumented: some clients know them, the Perl client dies of them."""

    FOLD = 0
    CALL = 1
    RAISE = 2
    BLIND = 3
    GOODBYE = 11
    JOIN_GAME = 20
    GOODPASS = 21
    BADPASS = 22
    ILLNICK = 23
    BADNICK = 24
    ACTION = 30
    CHAT = 32
    QUIT_GAME = 33
    GET_GRAPH = 42
    INFORMATION = 43
    SET_FACE = 45
    GET_FACE = 46
    CHANGE_FACE = 47
    START_NEW_GAME = 50
    HOLE_CARDS = 51
    NEW_STAGE = 52
    WINNERS = 53
    CHATTER = 54
    NEXT_TO_ACT = 57
    PING = 60
    PONG = 61

    __hash__ = int.__hash__  # an Enum's own hashes the name by a call, for each look-up of a message


class ActionCode(enum.IntEnum):
    """The moves of an ACTION; bets are fixed-limit, so a raise has no amount."""

    FOLD = 0
    CALL = 1
    """a check if there is nothing to call"""
    RAISE = 2
    """a bet when there is none yet"""


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
TEXT: Final = Kind.TEXT


@attrs.frozen
class Field:
    """One field; an optional one (always the last) may be missing and then reads as `default`."""

    name: str
    kind: Kind = INT
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

    op: Op
    side: Side
    fields: tuple[Field, ...] = ()
    repeat: Repeat | None = None
    about: str = ""


_WHO: Final = Field("who")
_PAID: Final = (_WHO, Field("amount", default=0))
_S, _C = Side.SERVER, Side.CLIENT

_ROWS: Final = (
    Layout(Op.FOLD, _S, _PAID, about="who folds; amount 0"),
    Layout(Op.CALL, _S, _PAID, about="who checks or calls; chips this puts in (0: check)"),
    Layout(Op.RAISE, _S, _PAID, about="who bets or raises; chips this puts in, the call included"),
    Layout(Op.BLIND, _S, (_WHO, Field("amount")), about="who posts a blind, and what"),
    Layout(Op.GOODBYE, _S, about="end of session; not sent by our server"),
    Layout(
        Op.JOIN_GAME,
        _C,
        (Field("user", TEXT), Field("password", TEXT), Field("version"), Field("program", TEXT, "")),
        about="log in; a new user gets an account; version is 1",
    ),
    Layout(Op.GOODPASS, _S, about="logged in"),
    Layout(Op.BADPASS, _S, about="wrong password"),
    Layout(Op.ILLNICK, _S, about="illegal nickname; not sent by our server"),
    Layout(Op.BADNICK, _S, about="a nickname of the wrong length or characters"),
    Layout(Op.ACTION, _C, (Field("action"),), about="0 fold, 1 check or call, 2 bet or raise"),
    Layout(Op.CHAT, _C, (Field("text", TEXT),), about="say to all"),
    Layout(Op.QUIT_GAME, _C, about="leave the table; the server closes"),
    Layout(
        Op.GET_GRAPH,
        Side.BOTH,
        (Field("name", TEXT), Field("path", TEXT, "")),
        about="whose graph; the answer adds a path",
    ),
    Layout(Op.INFORMATION, _S, (Field("text", TEXT),), about="the server says"),
    Layout(Op.SET_FACE, _S, (Field("face", TEXT),), about="the face asked for, as a number in text"),
    Layout(Op.GET_FACE, _C, (Field("name", TEXT),), about="whose face"),
    Layout(Op.CHANGE_FACE, _C, (Field("step"),), about="+1 or -1"),
    Layout(
        Op.START_NEW_GAME,
        _S,
        (Field("bet_size"), Field("num_players"), Field("button"), Field("position"), Field("game_id")),
        Repeat("players", "num_players", (Field("name", TEXT), Field("bankroll"), Field("face"))),
        "a hand begins; position is the receiver's place in the list, -1 when not dealt in",
    ),
    Layout(Op.HOLE_CARDS, _S, (_WHO, Field("cards", TEXT)), about="own cards, or cards shown: `Ah 5c`"),
    Layout(
        Op.NEW_STAGE,
        _S,
        (Field("round"), Field("board", TEXT)),
        about="1 flop, 2 turn, 3 river; the whole board: `Jd Ks 3s`",
    ),
    Layout(
        Op.WINNERS,
        _S,
        (Field("count"),),
        Repeat("shares", "count", (_WHO, Field("share"))),
        "who gets how much of the pot",
    ),
    Layout(Op.CHATTER, _S, (Field("text", TEXT),), about="somebody says"),
    Layout(
        Op.NEXT_TO_ACT,
        _S,
        (_WHO, Field("to_call"), Field("min_bet"), Field("max_bet")),
        about="sent to all; both bets -1 when there are no more raises",
    ),
    Layout(Op.PING, _S, about="are you there? any message answers"),
    Layout(Op.PONG, _C, about="yes"),
)

MESSAGES: Final[dict[Op, Layout]] = {layout.op: layout for layout in _ROWS}
"""All messages."""

_ARROWS: Final = {Side.SERVER: "S → C", Side.CLIENT: "C → S", Side.BOTH: "both"}


def byte_table() -> str:
    """Return the table of messages in Markdown, for the docs."""
    lines = ["| id | name | direction | data | meaning |", "|---|---|---|---|---|"]
    for layout in _ROWS:
        data = ", ".join(map(_field_text, layout.fields))
        if layout.repeat is not None:
            inner = ", ".join(map(_field_text, layout.repeat.fields))
            data += f", then {layout.repeat.count} times ({inner})"
        cells = (str(int(layout.op)), layout.op.name, _ARROWS[layout.side], data or "-", layout.about)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _field_text(field: Field) -> str:
    text = f"{field.name} {field.kind.value}"
    return text if field.default is None else f"[{text}]"
