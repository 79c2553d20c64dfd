"""The events of a hand: a closed union of frozen values, created only when there is a listener."""

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
    """paid for the whole table: dead money, all of it in the main pot"""
    EXTRA_BLIND = "extra blind"
    """posted by a newcomer: a live bet that does not change the order of play"""
    DEAD_BLIND = "dead blind"
    """owed by a player who missed a blind: dead money in the main pot, not a bet"""

    @property
    def is_bet(self) -> bool:
        """Whether the chips count as a bet, and so toward a call; other forced bets go straight to the pot."""
        return self not in (Post.ANTE, Post.BIG_BLIND_ANTE, Post.DEAD_BLIND)


@attrs.frozen
class HandStarted:
    """A hand began; `stacks` are chips by seat before any post, 0 for a seat not dealt in."""

    button: int
    stacks: tuple[int, ...]


@attrs.frozen
class Posted:
    """A forced bet of `amount` chips was posted, less than its full size if the stack is short."""

    seat: int
    kind: Post
    amount: int

    def chips(self) -> int:
        """Return the amount as a checked whole number of chips; raise `BadSpec` if it is not one."""
        return whole_chips(f"the {self.kind.value} of seat {self.seat}", self.amount)


@attrs.frozen
class HoleDealt:
    """Hole cards dealt to a seat: private, only that seat may see them."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class OpenDealt:
    """Cards dealt face up to a seat, visible to everybody."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Reshuffled:
    """The stub ran short in a draw; reshuffled with discards and folded cards, it now holds `cards` cards."""

    cards: int


@attrs.frozen
class StreetDealt:
    """A street opened; `cards` are those it added to the board."""

    street: str
    cards: tuple[Card, ...]


def action_words(
    action: Action, paid: int, *, all_in: bool = False, amount: Callable[[int], str] = str
) -> str:
    """Describe an action that cost `paid` chips in the third person: `calls 12`, `raises to 60, all-in`."""
    match action:
        case Fold():
            text = "folds"
        case Check():
            text = "checks"
        case Call():
            text = f"calls {amount(paid)}"
        case Bet(chips):
            text = f"bets {amount(chips)}"
        case RaiseTo(total):
            text = f"raises to {amount(total)}"
        case BringIn():
            text = f"brings in for {amount(paid)}"
        case Discard(count=0):
            text = "stands pat"
        case Discard(count=count):
            text = f"discards {count} card{'' if count == 1 else 's'}"
        case Lay():
            text = f"lays {str(action)[len('lay ') :]}"
        case _:
            assert_never(action)
    return f"{text}, all-in" if all_in else text


def as_told_to_you(words: str) -> str:
    """Turn words in the third person, verb first, into the second person: `calls 12` into `call 12`."""
    verb, blank, rest = words.partition(" ")
    return ("have" if verb == "has" else verb.removesuffix("s")) + blank + rest


def told(name: str, words: str) -> str:
    """Return who did what: `ann calls 12`; for somebody called `you` or `You`, `You call 12`."""
    return f"{name} {as_told_to_you(words) if name in ('you', 'You') else words}"


@attrs.frozen
class Acted:
    """A seat acted; `paid` is the chips it moved from its stack."""

    seat: int
    action: Action
    paid: int
    all_in: bool

    def words(self, amount: Callable[[int], str] = str) -> str:
        """Describe the action in the third person: `calls 12`, `raises to 60, all-in`; `amount` formats chips."""
        return action_words(self.action, self.paid, all_in=self.all_in, amount=amount)


@attrs.frozen
class UncalledReturned:
    """The unmatched part of a bet went back to the bettor."""

    seat: int
    amount: int


@attrs.frozen
class Shown:
    """Hole cards turned up at the showdown or, once the hand is over, by choice."""

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Mucked:
    """A beaten hand thrown away unseen."""

    seat: int


@attrs.frozen
class Awarded:
    """A seat won a share of a pot; `pot` 0 is the main pot, 1 and up are side pots.

    `board` is the index of the board it was won on; `share` names the
    half in split-pot games, such as `high`, and is empty in others.
    """

    pot: int
    seat: int
    amount: int
    board: int = 0
    share: str = ""


@attrs.frozen
class RunDealt:
    """Cards dealt to a further board: the game's second one, or a board run again. The first board is 0."""

    board: int
    street: str
    cards: tuple[Card, ...]


@attrs.frozen
class Raked:
    """The house took a rake of `amount` chips from a pot before it was shared."""

    pot: int
    amount: int


@attrs.frozen
class Scored:
    """A seat's result in one open-face deal: points against all others, royalties included, and chips."""

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
