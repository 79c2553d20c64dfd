"""The steps of a recorded hand: deals, actions, discards and shows, in order."""

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
    """The kinds of actions; whether a call is a check, or a raise a bet, follows from the hand."""

    FOLD = "f"
    CALL = "cc"
    RAISE = "cbr"
    BRING_IN = "pb"


@value
class Dealt:
    """Cards for one player, including unknown ones; in stud those face down come first."""

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
    """Cards thrown away, in a draw for as many new ones; none if the player stood pat."""

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
    """chips it cost as recorded, if recorded; 0 is a check"""


@value
class Showed:
    """Hole cards turned up at the end; none if they were mucked."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class Comment:
    """A remark between steps; if empty, a step without effect."""

    comment: str = ""


Step = Dealt | BoardDealt | Discarded | ActionStep | Showed | Comment

RESHUFFLED: Final = "The deck is reshuffled"
"""The remark written where a draw used up the deck."""


@value
class Note:
    """A comment in the file itself, and its place: at a field, or at an item of a list."""

    key: str
    """the field; empty for the end of the hand"""
    item: int
    """the index in the field's list; -1 for the field as a whole"""
    text: str
    own_line: bool
    """whether it has a line to itself, before the field or item it belongs to"""
