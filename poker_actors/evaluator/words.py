"""A strength in words: `Two Pair, Aces and Sevens`."""

from __future__ import annotations

from typing import Final

from poker_actors.evaluator.classes import Category, class_of

__all__ = ["describe"]

_NAMES: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip


def _name(rank: int) -> str:
    return _NAMES[rank]


def _plural(rank: int) -> str:
    return _NAMES[rank] + ("es" if rank == 4 else "s")


def describe(strength: int) -> str:
    """Say a strength in words, as a dealer would.

    Raises `BadSpec` for a number that is the strength of no hand.

    >>> describe(evaluate("AhAd7c7hJd"))
    'Two Pair, Aces and Sevens'
    """
    kind, *ranks = class_of(strength)
    text = Category(kind).text
    if not ranks:
        return text
    top = ranks[0]
    match Category(kind):
        case Category.HIGH_CARD:
            return f"{text}, {_name(top)}"
        case Category.PAIR:
            return f"Pair of {_plural(top)}"
        case Category.TWO_PAIR:
            return f"{text}, {_plural(top)} and {_plural(ranks[1])}"
        case Category.FULL_HOUSE:
            return f"{text}, {_plural(top)} full of {_plural(ranks[1])}"
        case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
            return f"{text}, {_plural(top)}"
        case Category.STRAIGHT_FLUSH if top == 12:
            return "Royal Flush"
        case _:
            return f"{text}, {_name(top)} high"
