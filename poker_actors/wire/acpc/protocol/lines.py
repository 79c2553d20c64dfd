"""Split a stream of bytes into lines of limited length, for both ends of the protocol."""

from __future__ import annotations

import re
from typing import Final

import attrs

from poker_actors.errors import RemoteProtocolError
from poker_actors.history.acpc import put_in_before
from poker_actors.rules import Action, Call, Check, Fold, Hand, RaiseTo
from poker_actors.wire.framing import Incoming

__all__ = [
    "END",
    "LONGEST_LINE",
    "VERSION",
    "Answer",
    "Lines",
    "is_comment",
    "read_answer",
]


VERSION: Final = "VERSION:2.0.0"
"""The first line of a client."""

END: Final = "\r\n"

LONGEST_LINE: Final = 16 * 1024
"""Most bytes in a line. The longest state of ten players has 4,500; the competition's dealer cuts at 1,024."""


class Lines(Incoming):
    """Takes bytes in pieces of any size and returns whole lines, without their ends.

    A line ends with a newline; a carriage return before it is dropped. Memory is bounded by one
    line plus the bytes of one `receive_data`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.began: int = 0
        """position in the stream of the last line returned"""

    @property
    def ended(self) -> bool:
        """Whether the other side has closed."""
        return self._ended

    def next_line(self) -> str | None:
        """Return the next line; None when there is none yet.

        Raises `RemoteProtocolError` for a line that is too long or not ASCII.
        """
        end = self._buffer.find(b"\n", self._at)
        size = (len(self._buffer) if end < 0 else end) - self._at
        if size > LONGEST_LINE:
            text = f"a line of {size} bytes and more: the limit is {LONGEST_LINE}"
            raise RemoteProtocolError(text, offset=self._offset + self._at)
        if end < 0:
            return None
        line = bytes(self._buffer[self._at : end])
        self.began, self._at = self._offset + self._at, end + 1
        try:
            return line.removesuffix(b"\r").decode("ascii")
        except UnicodeDecodeError as error:
            text = f"{line[error.start]:#x} is not ASCII"
            raise RemoteProtocolError(text, offset=self.began + error.start) from None


_ANSWER: Final = re.compile(r"MATCHSTATE:([0-9]{1,9}):([0-9]{1,10}):([^:]*):([^:]*)(?::(.*))?", re.DOTALL)
_SIZE: Final = re.compile(r"\s*([+-]?[0-9]{1,15})")
_SAME: Final = str.maketrans("kb", "cr", "/")
"""`k` also means check and `b` bet; `/` is dropped, since the ends of streets follow from the actions."""


@attrs.frozen
class Answer:
    """An answer as the dealer understands it."""

    action: Action
    invalid: str = ""
    """why the answer was illegal and became a call; empty for a legal one"""
    moved: str = ""
    """how a raise of an illegal size was moved to the nearest legal one; empty if it was not"""


def is_comment(line: str) -> bool:
    """Whether a line is a comment, which either side ignores."""
    return line.startswith(("#", ";"))


def read_answer(line: str, state: str, hand: Hand) -> Answer | None:
    """Read `line` as the answer to the match state `state` of `hand`; None when it answers another.

    The rules are those of the competition's dealer: an unknown action, a fold with nothing
    to call and a raise where none is allowed become a call; a raise of an illegal size becomes the
    nearest legal one. Text after the action is ignored.
    """
    if line.startswith(state) and line[len(state) : len(state) + 1] == ":":
        return _read(line[len(state) + 1 :], hand)
    found = _ANSWER.fullmatch(line)
    if found is None or _canonical(*found.groups()[:4]) != _canonical(*state.split(":")[1:5]):
        return None
    return _read(found[5] or "", hand)


def _canonical(position: str, number: str, betting: str, cards: str) -> tuple[object, ...]:
    """Return a form in which all spellings of one state are equal; other players' cards are left out."""
    holes, _, board = cards.lower().partition("/")
    own = holes.split("|")[int(position) : int(position) + 1]
    return (int(position), int(number), betting.lower().translate(_SAME), own, board.replace("/", ""))


def _read(text: str, hand: Hand) -> Answer:
    calling: Action = Call() if hand.legal.to_call else Check()
    word = text[:1].lower()
    if word in ("c", "k"):
        return Answer(calling)
    if word == "f":
        if not hand.legal.to_call:
            return Answer(calling, invalid="a fold with nothing to call")
        return Answer(Fold())
    if word not in ("r", "b"):
        return Answer(calling, invalid=f"{text[:20]!r} is no action")
    legal = hand.legal
    if hand.game.bets_per_street:
        if not legal.can_raise:
            return Answer(calling, invalid="a raise where none is allowed")
        return Answer(RaiseTo(legal.max_raise_to))
    size = _SIZE.match(text, 1)
    if size is None:
        return Answer(calling, invalid=f"{text[:20]!r} is a raise without a size")
    if not legal.can_raise:
        return Answer(calling, invalid="a raise where none is allowed")
    before = put_in_before(hand)
    asked = int(size[1])
    total = min(max(asked - before, legal.min_raise_to), legal.max_raise_to)
    moved = "" if total == asked - before else f"a raise to {asked} became one to {before + total}"
    return Answer(RaiseTo(total), moved=moved)
