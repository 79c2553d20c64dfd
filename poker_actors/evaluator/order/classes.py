"""All classes of hands in order, and the number of each: its strength.

A strength is ``scale << 16 | place << 12 | index``: `place` orders the categories, `index` the classes within one. The
standard scale is 0, so its strengths fit in 16 bits; other orders (short deck, lows, badugi) have their own scale, so
that a strength always tells its order. Lows and badugis have no place: they are ``scale << 16 | index``, the best last.
Only an empty hand has strength 0, which otherwise stands for a hand that does not qualify.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cache
from typing import Final

from poker_actors.errors import BadSpec
from poker_actors.evaluator.order.listing import (
    HandClass,
    badugi_classes,
    few_card_classes,
    high_classes,
    low_classes,
    pair_or_high_classes,
    three_card_classes,
)

__all__ = [
    "ACE_TO_FIVE",
    "BADUGI",
    "BADUGI_ACE_HIGH",
    "DEUCE_TO_SEVEN",
    "FOUR_CARD_LOW",
    "ONE_CARD",
    "SHORT_DECK",
    "SHORT_DECK_OLD",
    "STANDARD",
    "THREE_CARD",
    "Category",
    "HandClass",
    "category",
    "class_of",
    "lowest_rank",
    "scale_of",
    "strengths",
]

# the number of a scale is part of each of its strengths
STANDARD: Final = 0
SHORT_DECK: Final = 1
ACE_TO_FIVE: Final = 2
DEUCE_TO_SEVEN: Final = 3
BADUGI: Final = 5
BADUGI_ACE_HIGH: Final = 6
THREE_CARD: Final = 7
ONE_CARD: Final = 8
"""One hole card: a pair with the board, or high card (Leduc, Kuhn)."""
FOUR_CARD_LOW: Final = 9
"""One to four open cards for a low: aces low, pairs bad, no straights or flushes."""
SHORT_DECK_OLD: Final = 10
_SCALES: Final = 11
"""One above the highest scale; 4 is not used."""
_LOWS: Final = (ACE_TO_FIVE, DEUCE_TO_SEVEN, FOUR_CARD_LOW, BADUGI, BADUGI_ACE_HIGH)
_BADUGIS: Final = (BADUGI, BADUGI_ACE_HIGH)
_ACE_HIGH: Final = (DEUCE_TO_SEVEN, BADUGI_ACE_HIGH)


class Category(IntEnum):
    """The kind of hand; with 52 cards a higher number beats a lower one."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    @property
    def text(self) -> str:
        """Return the name as players write it: `Two Pair`."""
        return self.name.replace("_", " ").title().replace(" Of A ", " of a ")


_CATEGORIES: Final = tuple(Category)
_SHORT_DECK_PLACES: Final = {Category.FLUSH: 6, Category.FULL_HOUSE: 5}
_PLACES: Final[dict[int, dict[Category, int]]] = {
    SHORT_DECK: _SHORT_DECK_PLACES,
    SHORT_DECK_OLD: {**_SHORT_DECK_PLACES, Category.THREE_OF_A_KIND: 4, Category.STRAIGHT: 3},
    THREE_CARD: {Category.THREE_OF_A_KIND: 5, Category.FLUSH: 3},
}
"""Places that differ from the category's number, by scale."""


@cache
def strengths(scale: int = STANDARD) -> Mapping[HandClass, int]:
    """Return the strength of every class of a scale, the weakest first."""
    classes = list(_classes(scale))
    if scale in _LOWS:
        ordered = sorted(classes, key=lambda made: _low_order(made, scale), reverse=True)
        return {made: scale << 16 | index for index, made in enumerate(ordered)}
    table: dict[HandClass, int] = {}
    index = last = -1
    for made in sorted(classes):
        index = index + 1 if made[0] == last else 0
        last = made[0]
        table[made] = scale << 16 | _PLACES.get(scale, {}).get(Category(last), last) << 12 | index
    return table


def _classes(scale: int) -> Iterator[HandClass]:
    match scale:
        case 0:
            return high_classes()
        case 1 | 10:
            return high_classes(lowest_rank(scale))
        case 2 | 3:
            return low_classes(scale)
        case 5 | 6:
            return badugi_classes(ace_high=scale == BADUGI_ACE_HIGH)
        case 7:
            return three_card_classes()
        case 8:
            return pair_or_high_classes()
        case 9:
            return few_card_classes()
        case _:
            return iter(())


def lowest_rank(scale: int) -> int:
    """Return the lowest rank of a scale's deck: the six of the short deck, else the deuce."""
    return 4 if scale in (SHORT_DECK, SHORT_DECK_OLD) else 0


@cache
def _inverse(scale: int) -> dict[int, HandClass]:
    return {strength: made for made, strength in strengths(scale).items()}


def class_of(strength: int) -> HandClass:
    """Return the class of a strength; raises `BadSpec` for a number that is not a strength."""
    made = _inverse(strength >> 16).get(strength) if 0 <= strength < _SCALES << 16 else None
    if made is None:
        raise BadSpec(f"{strength} is not the strength of any hand")
    return made


def scale_of(strength: int) -> int:
    """Return the scale of a strength, such as `STANDARD`, `SHORT_DECK` or `BADUGI`."""
    return strength >> 16


def category(strength: int) -> Category:
    """Return the kind of hand of a strength.

    Raises `BadSpec` for a number that is not a strength, and for badugis, which have no kind.
    """
    kind = class_of(strength)[0]
    if scale_of(strength) in _BADUGIS:
        raise BadSpec(f"strength {strength} is a badugi: it has no category")
    return _CATEGORIES[kind]


def _low_order(made: HandClass, scale: int) -> HandClass:
    """Return the sort key of a low, the best first; badugis of more cards come before those of fewer."""
    first = -made[0] if scale in _BADUGIS else made[0]
    if scale in _ACE_HIGH:
        return (first, *made[1:])
    return (first, *[(rank + 1) % 13 for rank in made[1:]])
