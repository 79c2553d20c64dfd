"""What a hand hears, and what it says to its table."""

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
    """From a table to its hand: nobody will act for this seat any more."""

    seat: int


@message
class SeatBack:
    """From a table to its hand: the player in this seat was restarted, and may have missed its turn."""

    seat: int


@message
class HandEndedNews:
    """From a hand to its table: it is over. Holds the whole hand, cards included.

    `late` are the seats that were acted for, out of time or gone.
    """

    hand_id: str
    hand: Hand
    late: frozenset[int] = frozenset()
    banks: tuple[float, ...] = ()
    """seconds left in each seat's time bank, where there are any"""


@message
class HandStopped:
    """News of a hand that was stopped before its end: it can be continued from `hand`."""

    hand: Hand


@message
class DealtHand:
    """A hand under way: where its actor is, and the promise of its result."""

    hand_id: str
    address: Address
    result: Word
    commitment: str = ""
    """to its deck, in hexadecimal; empty when the deck was given"""


@message
class HandResult:
    """The end of a hand, by seat: net chips and stacks. `hand` is the whole hand, cards included.

    A `voided` hand paid nobody: stacks are as they were, and there is no `hand`.
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
