"""What happened in a hand: frozen events in the past tense, a closed union; created only for listeners."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import assert_never

import attrs

from poker_actors.cards import Card
from poker_actors.rules.action import Action, Bet, BringIn, Call, Check, Discard, Fold, Lay, RaiseTo
from poker_actors.rules.stakes import whole_chips

__all__ = [
    "Acted",
    "Awarded",
    "Event",
    "HandEnded",
    "HandStarted",
    "HoleDealt",
    "Listener",
    "Mucked",
    "OpenDealt",
    "Post",
    "Posted",
    "Raked",
    "Reshuffled",
    "RunDealt",
    "Scored",
    "Shown",
    "StreetDealt",
    "UncalledReturned",
]


class Post(enum.Enum):
    """The kind of a forced bet."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    STRADDLE = "straddle"
    BIG_BLIND_ANTE = "big blind ante"
    """for the whole table: dead, all of it belongs to the main pot"""
    EXTRA_BLIND = "extra blind"
    """a newcomer's: counts as a bet and leaves the order of play alone"""
    DEAD_BLIND = "dead blind"
    """owed by a player who missed it: goes to the main pot, and is not a bet"""


@attrs.frozen
class HandStarted:
    """Stacks by seat, in chips, before anything is posted; 0 is a seat not dealt in."""

    button: int
    stacks: tuple[int, ...]


@attrs.frozen
class Posted:
    """A forced bet of `amount` chips; less than its size when the stack is short."""

    seat: int
    kind: Post
    amount: int

    def chips(self) -> int:
        """Return the amount, once it is known to be one; raises `BadSpec`."""
        return whole_chips(f"the {self.kind.value} of seat {self.seat}", self.amount)


@attrs.frozen
class HoleDealt:
    """Private: for that seat alone."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class OpenDealt:
    """Cards dealt face up to a seat: everybody sees them."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Reshuffled:
    """The stub ran short in a draw: reshuffled with discards and folded cards, it has `cards` cards again."""

    cards: int


@attrs.frozen
class StreetDealt:
    """A street opened; `cards` are the new ones on the board."""

    street: str
    cards: tuple[Card, ...]


@attrs.frozen
class Acted:
    """A turn taken; `paid` is what it moved from the stack, in chips."""

    seat: int
    action: Action
    paid: int
    all_in: bool

    def words(self, amount: Callable[[int], str] = str) -> str:
        """Say it in the third person: `calls 12`, `raises to 60, all-in`; `amount` writes chips."""
        match self.action:
            case Fold():
                text = "folds"
            case Check():
                text = "checks"
            case Call():
                text = f"calls {amount(self.paid)}"
            case Bet(chips):
                text = f"bets {amount(chips)}"
            case RaiseTo(total):
                text = f"raises to {amount(total)}"
            case BringIn():
                text = f"brings in for {amount(self.paid)}"
            case Discard(count=0):
                text = "stands pat"
            case Discard(count=count):
                text = f"discards {count} card{'' if count == 1 else 's'}"
            case Lay():
                text = f"lays {str(self.action)[len('lay ') :]}"
            case _:
                assert_never(self.action)
        return f"{text}, all-in" if self.all_in else text


@attrs.frozen
class UncalledReturned:
    """A bet nobody matched went back to who made it."""

    seat: int
    amount: int


@attrs.frozen
class Shown:
    """Hole cards turned up at the showdown."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Mucked:
    """A beaten hand thrown away unseen."""

    seat: int


@attrs.frozen
class Awarded:
    """A share of a pot; `pot` 0 is the main pot, 1 and up are side pots.

    `board` is the one it was won on, where there were several; `share` says which half, `high` or `low`,
    in games that have halves.
    """

    pot: int
    seat: int
    amount: int
    board: int = 0
    share: str = ""


@attrs.frozen
class RunDealt:
    """Cards of a further board: a second one of the game, or the rest run again. Board 0 is the first one."""

    board: int
    street: str
    cards: tuple[Card, ...]


@attrs.frozen
class Raked:
    """The house took `amount` chips out of a pot before it was shared."""

    pot: int
    amount: int


@attrs.frozen
class Scored:
    """A deal of open-face is over for a seat: its points against all others, royalties among them, and the chips."""

    seat: int
    points: int
    chips: int
    royalties: int
    fouled: bool


@attrs.frozen
class HandEnded:
    """The hand is over; stacks and net results by seat, in chips."""

    stacks: tuple[int, ...]
    payoffs: tuple[int, ...]


Event = (
    HandStarted
    | Posted
    | HoleDealt
    | OpenDealt
    | Reshuffled
    | StreetDealt
    | Acted
    | UncalledReturned
    | Shown
    | Mucked
    | Raked
    | RunDealt
    | Awarded
    | Scored
    | HandEnded
)

Listener = Callable[[Event], None]
