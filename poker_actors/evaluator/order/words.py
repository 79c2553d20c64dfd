"""A strength in words: `Two Pair, Aces and Sevens`, or briefly `two pair A7J`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import RANKS
from poker_actors.evaluator.order.classes import (
    ACE_TO_FIVE,
    BADUGI,
    BADUGI_ACE_HIGH,
    DEUCE_TO_SEVEN,
    FOUR_CARD_LOW,
    THREE_CARD,
    Category,
    class_of,
    scale_of,
)

_NAMES: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip
_BRIEF: Final = {
    Category.THREE_OF_A_KIND: "trips",
    Category.FOUR_OF_A_KIND: "quads",
}
_LOWS: Final = (ACE_TO_FIVE, DEUCE_TO_SEVEN, FOUR_CARD_LOW)
_BADUGIS: Final = (BADUGI, BADUGI_ACE_HIGH)
_MADE_RANKS: Final = (1, 1, 2, 1, 1, 1, 2, 1, 1)
"""Number of a class's ranks that its name contains, by category; the rest are kickers."""

_TOP_OF_THREE: Final = (Category.STRAIGHT_FLUSH, 12)
"""A-K-Q of one suit in games of three cards, which is not called a royal flush."""


def describe(strength: int, *, kickers: bool = False) -> str:
    """Return a strength in words as a dealer would; with `kickers`, with all that decides a tie.

    Raises `BadSpec` for a number that is not a strength.

    >>> describe(evaluate("AhAd7c7hJd"), kickers=True)
    'Two Pair, Aces and Sevens, Jack kicker'
    """
    made, scale = class_of(strength), scale_of(strength)
    if scale in _BADUGIS:
        return (
            f"{made[0]}-card {_figures(made[1:])} low" if kickers else f"{made[0]}-card {RANKS[made[1]]}-low"
        )
    kind, ranks = Category(made[0]), made[1:]
    if not ranks:
        return "No Cards"
    if scale in _LOWS:
        return _low_words(kind, ranks)
    text = (
        "Straight Flush, Ace high" if made == _TOP_OF_THREE and scale == THREE_CARD else _words(kind, ranks)
    )
    rest = ranks[_MADE_RANKS[kind] :]
    if not kickers or not rest:
        return text
    text = f"{text}, {' '.join(_NAMES[rank] for rank in rest)}"
    return text if kind == Category.FLUSH else f"{text} kicker{'s' if len(rest) > 1 else ''}"


def describe_low(strength: int) -> str:
    """Return a low in figures as lowball players do: `8-6-4-3-A low`; other hands as `describe` does.

    Raises `BadSpec` for a number that is not a strength.

    >>> describe_low(low_ace_to_five("Ac6d3s4h8cKcQc"))
    '8-6-4-3-A low'
    """
    made = class_of(strength)
    if scale_of(strength) in _LOWS and made[0] == Category.HIGH_CARD:
        return f"{_figures(made[1:])} low"
    return describe(strength)


def describe_briefly(strength: int) -> str:
    """Return a strength in a word or two with the deciding ranks: `two pair A7J`, `flush AKQ95`.

    Raises `BadSpec` for a number that is not a strength.
    """
    made, scale = class_of(strength), scale_of(strength)
    if scale in _BADUGIS:
        return f"{made[0]}-card {''.join(RANKS[rank] for rank in made[1:])}"
    kind = Category(made[0])
    word = _BRIEF.get(kind, kind.text.lower())
    if scale in _LOWS:
        word = "low" if kind == Category.HIGH_CARD else f"low, {word}"
    return f"{word} {''.join(RANKS[rank] for rank in made[1:])}".strip()


def _words(kind: Category, ranks: Sequence[int]) -> str:
    text, top = kind.text, ranks[0]
    match kind:
        case Category.HIGH_CARD:
            return f"{text}, {_NAMES[top]}"
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
            return f"{text}, {_NAMES[top]} high"


def _low_words(kind: Category, ranks: Sequence[int]) -> str:
    if kind == Category.HIGH_CARD:
        return f"{'-'.join(_NAMES[rank] for rank in ranks)} low"
    return f"{_words(kind, ranks)}, played low"


def _figures(ranks: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _plural(rank: int) -> str:
    return _NAMES[rank] + ("es" if _NAMES[rank] == "Six" else "s")
