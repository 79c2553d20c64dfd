"""Messages to a hand, and from a hand to its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.frozen import message
from poker_actors.rules import Hand, Positions

if TYPE_CHECKING:
    from poker_actors.actors.player.messages import Turn
    from poker_actors.actors.runtime import Address, Word

__all__ = [
    "Deadline",
    "DealtHand",
    "HandEndedNews",
    "HandResult",
    "HandStopped",
    "SeatBack",
    "SeatGone",
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
    """From a hand stopped before its end: it can be continued from `hand`."""

    hand: Hand


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
