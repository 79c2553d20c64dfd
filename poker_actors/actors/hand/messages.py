"""Messages to a hand, and from a hand to its table; the time limits of its turns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.frozen import message
from poker_actors.jsontext import parse_json
from poker_actors.rules import Hand, Positions
from poker_actors.store import Noted

if TYPE_CHECKING:
    from poker_actors.actors.player.messages import Turn
    from poker_actors.actors.runtime import Address, Word

__all__ = [
    "KEPT_SECONDS",
    "MOST_SECONDS",
    "TURNS",
    "Deadline",
    "DealtHand",
    "HandEndedNews",
    "HandResult",
    "HandStopped",
    "RunningBanks",
    "SeatBack",
    "SeatGone",
    "TimeBank",
    "check_seconds",
    "turn_due",
    "turn_fact",
]


@message
class Deadline:
    """The time for a turn is up."""

    turn: Turn


@message
class SeatGone:
    """From a table to its hand: the player in this seat is gone for good."""

    seat: int


@message
class SeatBack:
    """From a table to its hand: the player in this seat was restarted and may have missed its turn."""

    seat: int


@message
class HandEndedNews:
    """From a hand to its table: it is over. Holds the complete hand, cards included.

    `late` are the seats that were acted for because they were out of time or gone.
    """

    hand_id: str
    hand: Hand
    late: frozenset[int] = frozenset()
    banks: tuple[float, ...] = ()
    """seconds left in each seat's time bank; empty if there are none"""


@message
class HandStopped:
    """From a hand stopped before its end: it can be continued from `hand`; `late` as in `HandEndedNews`."""

    hand: Hand
    late: frozenset[int] = frozenset()


@message
class DealtHand:
    """A hand being played: the address of its actor, and the promise of its result."""

    hand_id: str
    address: Address
    result: Word
    commitment: str = ""
    """the commitment to its deck, in hexadecimal; empty when the deck was given"""


@message
class HandResult:
    """The end of a hand: net chips and stacks by seat. `hand` is the complete hand, cards included.

    A `voided` hand paid nobody: stacks are as before, and `hand` is None.
    """

    hand_id: str
    number: int
    players: tuple[str | None, ...]
    payoffs: tuple[int, ...]
    stacks: tuple[int, ...]
    positions: Positions
    hand: Hand | None
    voided: bool = False

    def __repr__(self) -> str:
        what = "voided" if self.voided else f"payoffs {self.payoffs}"
        return f"<HandResult: {self.hand_id}, {what}>"


TURNS: Final = "turns/"
"""Notes of when the open turn of a hand ends, by table."""

KEPT_SECONDS: Final = 60.0
"""Turns of this long or longer are kept in the journal, to go on after a restart with the time that is left; a shorter
one begins anew, as every write costs more than it would gain. So much time is left in any case: nobody can have acted
while the room was down."""

MOST_SECONDS: Final = 31 * 86_400
"""A month for a turn: a player who takes longer has left, and every system's clock can wait this long."""


def check_seconds(name: str, value: object, *, above: float = 0.0) -> float:
    """Return a time in seconds above `above` and at most `MOST_SECONDS`; raises `BadSpec` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadSpec(
            f"{name} is {value!r:.40}: seconds are a number above {above:g}, at most {MOST_SECONDS}"
        )
    if not above < value <= MOST_SECONDS:
        raise BadSpec(f"{name} {value} must be above {above:g} and at most {MOST_SECONDS} seconds, a month")
    return value


def turn_fact(table: str, hand_id: str, seq: int, due: float) -> Noted:
    """Return when an open turn ends as a fact; `due` is in seconds since 1970."""
    return Noted(f"{TURNS}{table}", json.dumps([hand_id, seq, due]))


def turn_due(notes: Mapping[str, str], table: str, hand_id: str) -> tuple[int, float] | None:
    """Return which turn of a hand is open and when it ends, as kept by `turn_fact`; None if that is not known."""
    kept = parse_json(notes.get(f"{TURNS}{table}", "[]"))
    return (kept[1], kept[2]) if kept and kept[0] == hand_id else None


@attrs.frozen
class TimeBank:
    """Each player's time bank: `seconds` at the start and at most; `refill` is added for every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_seconds("a time bank's seconds", self.seconds)
        if self.refill != 0:
            check_seconds("a time bank's refill", self.refill)


class RunningBanks:
    """The time banks of one hand's seats, and which seat is drawing on its own."""

    def __init__(self, left: Sequence[float]) -> None:
        self.left = list(left)
        """seconds left by seat"""
        self._seat: int | None = None
        self._since = 0.0

    def open(self, seat: int, now: float) -> float:
        """Start drawing on the bank of `seat`, whose deadline has passed; return its seconds, 0 when they are used up."""
        if self._seat == seat:
            self._seat, self.left[seat] = None, 0.0
        else:
            self._seat, self._since = seat, now
        return self.left[seat]

    def close(self, now: float) -> None:
        """End the turn: take the time used off the bank that was drawn on."""
        if self._seat is not None:
            seat, self._seat = self._seat, None
            self.left[seat] = max(self.left[seat] - (now - self._since), 0.0)
