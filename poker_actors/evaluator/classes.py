"""Every class of hand there is, in order, and the one number that stands for it.

A strength is ``scale << 16 | place << 12 | index``: `place` orders the categories, `index` the
classes within one. The standard scale is 0, so its strengths fit in 16 bits; other orders
(short-deck) have a scale of their own, so that a strength still says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from itertools import combinations, permutations
from typing import Final

from poker_actors.errors import BadSpec

__all__ = ["SHORT_DECK_SCALE", "Category", "HandClass", "category", "class_of", "straight_top", "strengths"]

HandClass = tuple[int, ...]
"""A category, then the ranks (0 deuce to 12 ace) that decide, most important first.

Two pair, aces and sevens with a jack is ``(2, 12, 5, 9)``. A hand of fewer than five cards has
fewer kickers, and a missing kicker is lower than a deuce, as shorter tuples sort lower.
"""

SHORT_DECK_SCALE: Final = 1
_SHORT_DECK_FLOOR: Final = 4
"""The lowest rank of the 36-card deck: six."""


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


def straight_top(mask: int, floor: int = 0) -> int:
    """Give the top rank of the best straight in a 13-bit mask of ranks, or -1.

    The ace also counts below `floor`, the lowest rank of the deck.
    """
    for low in range(8, floor - 1, -1):
        if mask >> low & 31 == 31:
            return low + 4
    wheel = 1 << 12 | 15 << floor
    return floor + 3 if mask & wheel == wheel else -1


@cache
def strengths(scale: int = 0) -> dict[HandClass, int]:
    """Give the strength of every class of a scale (0, or `SHORT_DECK_SCALE`)."""
    floor = _SHORT_DECK_FLOOR if scale == SHORT_DECK_SCALE else 0
    table: dict[HandClass, int] = {}
    index = last = -1
    for made in sorted(_classes(floor)):
        index = index + 1 if made[0] == last else 0
        last = made[0]
        table[made] = scale << 16 | _place(last, scale) << 12 | index
    return table


@cache
def _inverse(scale: int) -> dict[int, HandClass]:
    return {strength: made for made, strength in strengths(scale).items()}


def class_of(strength: int) -> HandClass:
    """Give the class a strength stands for. Raises `BadSpec` when it stands for none."""
    scale = strength >> 16
    made = _inverse(scale).get(strength) if scale in (0, SHORT_DECK_SCALE) else None
    if made is None:
        raise BadSpec(f"{strength} is not the strength of any hand")
    return made


def category(strength: int) -> Category:
    """Give the kind of hand of a strength. Raises `BadSpec` when it is the strength of none."""
    return _CATEGORIES[class_of(strength)[0]]


def _place(kind: int, scale: int) -> int:
    return _SWAPPED.get(Category(kind), Category(kind)) if scale == SHORT_DECK_SCALE else kind


def _classes(floor: int) -> Iterator[HandClass]:
    ranks = range(12, floor - 1, -1)
    for count in range(6):
        for cards in combinations(ranks, count):
            if count == 5 and straight_top(sum(1 << rank for rank in cards), floor) >= 0:
                continue
            yield (Category.HIGH_CARD, *cards)
            if count == 5:
                yield (Category.FLUSH, *cards)
    for top in range(floor + 3, 13):
        yield (Category.STRAIGHT, top)
        yield (Category.STRAIGHT_FLUSH, top)
    for first, second in permutations(ranks, 2):
        yield (Category.FULL_HOUSE, first, second)
    yield from _with_kickers(Category.FOUR_OF_A_KIND, [(rank,) for rank in ranks], 1, floor)
    yield from _with_kickers(Category.THREE_OF_A_KIND, [(rank,) for rank in ranks], 2, floor)
    yield from _with_kickers(Category.TWO_PAIR, list(combinations(ranks, 2)), 1, floor)
    yield from _with_kickers(Category.PAIR, [(rank,) for rank in ranks], 3, floor)


def _with_kickers(kind: Category, made: list[HandClass], most: int, floor: int) -> Iterator[HandClass]:
    for ranks in made:
        others = [rank for rank in range(12, floor - 1, -1) if rank not in ranks]
        for count in range(most + 1):
            for kickers in combinations(others, count):
                yield (kind, *ranks, *kickers)
