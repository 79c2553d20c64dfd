"""Every class of hand there is, in order, and the one number that stands for it.

A strength is ``scale << 16 | place << 12 | index``: `place` orders the categories, `index` the
classes within one. The standard scale is 0, so its strengths fit in 16 bits; other orders
(short-deck, lows) have a scale of their own, so that a strength still says what it is. Lows have
no place: ``scale << 16 | index``, the best low last.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from typing import Final

from poker_actors.errors import BadSpec
from poker_actors.evaluator.order.listing import HandClass, high_classes, low_classes

__all__ = [
    "ACE_TO_FIVE",
    "DEUCE_TO_SEVEN",
    "SHORT_DECK",
    "STANDARD",
    "Category",
    "HandClass",
    "category",
    "class_of",
    "scale_of",
    "strengths",
]

STANDARD: Final = 0
SHORT_DECK: Final = 1
ACE_TO_FIVE: Final = 2
DEUCE_TO_SEVEN: Final = 3
_SCALES: Final = 4


class Category(IntEnum):
    """What kind of hand; a higher number beats a lower one with all 52 cards."""

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
        """The name as players write it: `Two Pair`."""
        return self.name.replace("_", " ").title().replace(" Of A ", " of a ")


_CATEGORIES: Final = tuple(Category)
_SWAPPED: Final = {Category.FLUSH: Category.FULL_HOUSE, Category.FULL_HOUSE: Category.FLUSH}
"""Short-deck: a flush beats a full house; everything else keeps its place."""


@cache
def strengths(scale: int = STANDARD) -> Mapping[HandClass, int]:
    """Give the strength of every class of a scale, weakest first."""
    table: dict[HandClass, int] = {}
    if scale in (ACE_TO_FIVE, DEUCE_TO_SEVEN):
        ordered = sorted(low_classes(scale), key=lambda made: _low_order(made, scale), reverse=True)
        return {made: scale << 16 | index for index, made in enumerate(ordered)}
    index = last = -1
    for made in sorted(high_classes(4 if scale == SHORT_DECK else 0)):
        index = index + 1 if made[0] == last else 0
        last = made[0]
        table[made] = scale << 16 | _place(last, scale) << 12 | index
    return table


@cache
def _inverse(scale: int) -> dict[int, HandClass]:
    return {strength: made for made, strength in strengths(scale).items()}


def class_of(strength: int) -> HandClass:
    """Give the class a strength stands for. Raises `BadSpec` when it stands for none."""
    made = _inverse(strength >> 16).get(strength) if 0 <= strength < _SCALES << 16 else None
    if made is None:
        raise BadSpec(f"{strength} is not the strength of any hand")
    return made


def scale_of(strength: int) -> int:
    """Give the scale of a strength: `STANDARD`, `SHORT_DECK`, `ACE_TO_FIVE` or `DEUCE_TO_SEVEN`."""
    return strength >> 16


def category(strength: int) -> Category:
    """Give the kind of hand of a strength. Raises `BadSpec` when it is the strength of none."""
    return _CATEGORIES[class_of(strength)[0]]


def _place(kind: int, scale: int) -> int:
    return _SWAPPED.get(Category(kind), Category(kind)) if scale == SHORT_DECK else kind


def _low_order(made: HandClass, scale: int) -> HandClass:
    """Sort key of a low: the ace counts below the deuce from ace to five."""
    if scale == DEUCE_TO_SEVEN:
        return made
    return (made[0], *[(rank + 1) % 13 for rank in made[1:]])
