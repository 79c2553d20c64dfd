"""The luck of two hole cards: points with a mean over the pack of exactly 0."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

from poker_actors.cards import Card

__all__ = ["chen_half_points", "scores"]

_HIGH_CARD: Final = {12: 20, 11: 16, 10: 14, 9: 12}
"""Half points of ace, king, queen and jack; other cards count half their pips in points."""
_GAP: Final = (0, 2, 4, 8, 10)
"""Half points taken off by the number of ranks between the cards."""


@cache
def scores(pack: tuple[Card, ...]) -> dict[int, int]:
    """Return the scores of all pairs of cards of a pack, by 64 * first + second.

    A score is the square of the points by Bill Chen's formula (L. Krieger, Hold'em Excellence), less
    its mean over all pairs, times the number of pairs: an integer with mean 0 however the cards are
    played.
    """
    squares = {pair: chen_half_points(*pair) ** 2 for pair in combinations(pack, 2)}
    total, count = sum(squares.values()), len(squares)
    found = {}
    for (first, second), square in squares.items():
        found[first << 6 | second] = found[second << 6 | first] = count * square - total
    return found


def chen_half_points(first: Card, second: Card) -> int:
    """Return twice the points of two hole cards by Chen's formula, unrounded, at least 0.

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
