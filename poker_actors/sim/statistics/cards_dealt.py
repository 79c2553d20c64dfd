"""The luck of the hole cards as a control variate: a number of each deal whose mean is known to be 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import add
from typing import Final

from poker_actors.cards import Card
from poker_actors.rules import Game, Hand

__all__ = ["SUMS_KEPT", "CardsDealt"]

SUMS_KEPT: Final = 7
"""Of a bot: own, others', own squared, own times others', others' squared, own and others' times result."""

_HIGH_CARD: Final = {12: 20, 11: 16, 10: 14, 9: 12}
"""Half points of ace, king, queen and jack; of others half their pips, in points."""
_GAP: Final = (0, 2, 4, 8, 10)
"""Half points taken off for cards that are so far from being connected."""


class CardsDealt:
    """Scores the hole cards of every hand, and sums up what a regression on them needs.

    The score of two cards is the square of their points by Bill Chen's formula (L. Krieger, Hold'em
    Excellence), less its mean over all pairs of the pack, times their number: a whole number, and
    its expectation is exactly 0 whatever anybody does with the cards. Own cards and those of all others
    are two variates. For games with two hole cards.
    """

    __slots__ = ("_scores", "_unit", "sums")

    def __init__(self, game: Game, size: int) -> None:
        self._scores = _scores(game.pack)
        self._unit = [0] * size
        self.sums: list[list[int]] = [[0] * SUMS_KEPT for _ in range(size)]

    @staticmethod
    def counts(game: Game) -> bool:
        """Whether the game's hole cards can be scored."""
        return game.hole_cards == 2

    def deal(self, hand: Hand, who: Sequence[int]) -> None:
        """Take in the hole cards of a hand, with the bots `who` by seat."""
        scores = self._scores
        for bot, hole in zip(who, hand.holes, strict=True):
            if hole:
                self._unit[bot] += scores[hole[0] << 6 | hole[1]]

    def close_unit(self, results: Sequence[int]) -> None:
        """Sum up a unit: its scores against its results by bot."""
        dealt = sum(self._unit)
        for bot, own in enumerate(self._unit):
            others, result = dealt - own, results[bot]
            terms = (own, others, own * own, own * others, others * others, own * result, others * result)
            self.sums[bot] = list(map(add, self.sums[bot], terms))
        self._unit = [0] * len(self._unit)

    def take(self) -> list[list[int]]:
        """Give the sums by bot and start again from nothing."""
        sums = self.sums
        self.sums = [[0] * SUMS_KEPT for _ in sums]
        return sums


@cache
def _scores(pack: tuple[Card, ...]) -> dict[int, int]:
    """Two cards, as 64 * first + second, to their score."""
    squares = {pair: chen_half_points(*pair) ** 2 for pair in combinations(pack, 2)}
    total, count = sum(squares.values()), len(squares)
    scores = {}
    for (first, second), square in squares.items():
        scores[first << 6 | second] = scores[second << 6 | first] = count * square - total
    return scores


def chen_half_points(first: Card, second: Card) -> int:
    """Give twice the points of two hole cards by Chen's formula, not rounded, and 0 at least.

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
