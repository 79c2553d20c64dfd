"""The steps of a recorded hand: what was dealt, done, thrown away and shown, in order."""

from __future__ import annotations

import enum
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.frozen import value

__all__ = [
    "RESHUFFLED",
    "ActionKind",
    "ActionStep",
    "BoardDealt",
    "Comment",
    "Dealt",
    "Discarded",
    "Note",
    "Showed",
    "Step",
]


class ActionKind(enum.Enum):
    """What a turn did; whether a call was a check, and a raise a bet, follows from the hand."""

    FOLD = "f"
    CALL = "cc"
    RAISE = "cbr"
    BRING_IN = "pb"


@value
class Dealt:
    """Cards for one player, unknown ones included; of a street of stud those face down come first."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class BoardDealt:
    """Cards turned onto the board."""

    cards: tuple[Card, ...]
    comment: str = ""


@value
class Discarded:
    """Cards thrown away, in a draw for as many new ones; none: the player stood pat."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class ActionStep:
    """One action: a fold, a check or call, a bring-in, or a bet or raise to `total` chips in front."""

    player: int
    move: ActionKind
    total: int = 0
    comment: str = ""
    said: int | None = attrs.field(default=None, eq=False)
    """chips the record says it cost, where it says so; 0 is a check"""


@value
class Showed:
    """Hole cards turned up at the end; none: they were mucked."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class Comment:
    """A remark between steps, or, empty, a step that does nothing."""

    comment: str = ""


Step = Dealt | BoardDealt | Discarded | ActionStep | Showed | Comment

RESHUFFLED: Final = "The deck is reshuffled"
"""The remark where a draw ran the stub short."""


@value
class Note:
    """A comment of the file itself, and where it stood: at a field, or at an item of a list."""

    key: str
    """the field; empty for the end of the hand"""
    item: int
    """the place in the field's list; -1 for the field as a whole"""
    text: str
    own_line: bool
    """whether it stood on a line of its own, before what it belongs to"""
