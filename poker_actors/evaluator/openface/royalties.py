"""Royalties: the points a row earns by itself, on the usual open-face scale."""

from __future__ import annotations

from typing import Final

from poker_actors.evaluator.order import Category, HandClass, class_of

__all__ = ["bottom_royalty", "middle_royalty", "top_royalty"]

_SIX: Final = 4
_ACE: Final = 12
_MIDDLE: Final = {
    Category.THREE_OF_A_KIND: 2,
    Category.STRAIGHT: 4,
    Category.FLUSH: 8,
    Category.FULL_HOUSE: 12,
    Category.FOUR_OF_A_KIND: 20,
    Category.STRAIGHT_FLUSH: 30,
}
_BOTTOM: Final = {
    Category.STRAIGHT: 2,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: 6,
    Category.FOUR_OF_A_KIND: 10,
    Category.STRAIGHT_FLUSH: 15,
}
_MIDDLE_ROYAL: Final = 50
_BOTTOM_ROYAL: Final = 25


def top_royalty(strength: int) -> int:
    """Return the points of a three-card row: a pair of sixes 1 to aces 9, trip deuces 10 to aces 22."""
    made = class_of(strength)
    if made[0] == Category.THREE_OF_A_KIND:
        return 10 + made[1]
    if made[0] == Category.PAIR:
        return max(0, made[1] - _SIX + 1)
    return 0


def middle_royalty(strength: int) -> int:
    """Return the points of the middle row: trips 2 to a straight flush 30, a royal flush 50."""
    made = class_of(strength)
    return _MIDDLE_ROYAL if _royal(made) else _MIDDLE.get(Category(made[0]), 0)


def bottom_royalty(strength: int) -> int:
    """Return the points of the bottom row: a straight 2 to a straight flush 15, a royal flush 25."""
    made = class_of(strength)
    return _BOTTOM_ROYAL if _royal(made) else _BOTTOM.get(Category(made[0]), 0)


def _royal(made: HandClass) -> bool:
    return made == (Category.STRAIGHT_FLUSH, _ACE)
