"""The luck of two hole cards: points whose mean over the pack is exactly 0."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

from poker_actors.cards import Card

__all__ = ["chen_half_points", "scores"]

_HIGH_CARD: Final = {12: 20, 11: 16, 10: 14, 9: 12}
"""Half points of ace, king, queen and jack; of others half their pips, in points."""
_GAP: Final = (0, 2, 4, 8, 10)
"""Half points taken off for cards that are so far from being connected."""


@cache
def scores(pack: tuple[Card, ...]) -> dict[int, int]:
    """Two cards of a pack, as 64 * first + second, to their score.

    The square of their points by Bill Chen's formula (L. Krieger, Hold'em Excellence), less its mean
    over all pairs of the pack, times their number: a whole number, of which nothing is expected
    whatever anybody does with the cards.
    """
    squares = {pair: chen_half_points(*pair) ** 2 for pair in combinations(pack, 2)}
    total, count = sum(squares.values()), len(squares)
    found = {}
    for (first, second), square in squares.items():
        found[first << 6 | second] = found[second << 6 | first] = count * square - total
    return found


def chen_half_points(first: Card, second: Card) -> int:
    """Return twice the points of two hole cards by Chen's formula, not rounded, and 0 at least.

    >>> from poker_actors.cards import parse_cards
    >>> [chen_half_points(*parse_cards(text)) / 2 for text in ("AsAh", "AsKs", "JhTh", "5d5c", "7c2d")]
    [20.0, 12.0, 9.0, 5.0, 0.0]
    """
    high, low = sorted((first.rank, second.rank), reverse=True)
    points = _HIGH_CARD.get(high, high + 2)
    if high == low:
        return max(10, 2 * points)
    apart = high - low - 1
    points -= _GAP[min(apart, len(_GAP) - 1)]
    if apart < 2 and high < 10:
        points += 2
    return max(0, points + (4 if first.suit == second.suit else 0))
