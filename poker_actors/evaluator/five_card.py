"""The classes of the two-player console game: by ranks only, without flushes, kickers optional.

Classes are 0 nothing, 1 pair, 2 two pairs, 3 three of a kind, 4 straight, 5 full house, 6 four of a kind: the usual
order without flushes. One to five cards have a class. All functions take different cards of the 52 and do not check
that. Source: the console game of a C++ article; docs/adr settles what it leaves open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import CARDS, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import describe
from poker_actors.evaluator.single import evaluate

__all__ = [
    "class_as_printed",
    "class_by_counts",
    "classes_as_printed",
    "classes_by_counts",
    "strength_with_kickers",
    "strengths_with_kickers",
    "words",
    "words_as_printed",
]

NOTHING: Final = 0
STRAIGHT: Final = 4

_BY_SUM: Final = (
    {0: 0},
    {1: 0},
    {2: 0, 4: 1},
    {3: 0, 5: 1, 9: 3},
    {4: 0, 6: 1, 8: 2, 10: 3, 16: 6},
    {5: 0, 7: 1, 9: 2, 11: 3, 13: 5, 17: 6},
)
"""By number of cards: the sum over all cards of how often the card's rank occurs -> class.

A pair of five cards gives 2 + 2 + 1 + 1 + 1 = 7; every pattern has another sum.
"""
_PRINTED: Final = {7: 1, 9: 2, 11: 3, 13: 5, 17: 6}
"""The printed program looks at the sum but not at the number of cards: three cards of a rank sum to 9, two pairs."""
_WHEEL: Final = [0, 1, 2, 3, 12]
_PRINTED_STRAIGHTS: Final = [_WHEEL, *([low, low + 1, low + 2, low + 3, low + 4] for low in range(8))]
"""A2345 to 910JQK, sorted by our ranks (ace last): nine patterns; the program lacks 10JQKA."""
_ROYAL: Final = [8, 9, 10, 11, 12]


def class_by_counts(cards: Sequence[Card]) -> int:
    """Return the class of up to five cards; a straight needs five, and A2345 and 10JQKA both count.

    Raises `BadSpec` for more than five cards.
    """
    ranks = _ranks(cards)
    total = _count_sum(ranks)
    if total == 5 and len(ranks) == 5:
        return STRAIGHT if ranks in _PRINTED_STRAIGHTS or ranks == _ROYAL else NOTHING
    return _BY_SUM[len(ranks)][total]


def class_as_printed(cards: Sequence[Card]) -> int:
    """Return the class as the article's program computes it, from sums and nine patterns.

    With fewer than five cards it is nearly always 0, and three of a kind counts as two pairs. Where the program reads
    past the end of the hand (three cards with a pair) the class is 0. Raises `BadSpec` for more than five cards.
    """
    ranks = _ranks(cards)
    total = _count_sum(ranks)
    if total == 5:
        return STRAIGHT if ranks in _PRINTED_STRAIGHTS else NOTHING
    return _PRINTED.get(total, NOTHING)


def strength_with_kickers(cards: Sequence[Card]) -> int:
    """Return the usual strength of up to five cards as if flushes did not exist.

    Raises `BadSpec` for more than five cards.
    """
    _ranks(cards)  # raises for more than five cards
    return evaluate(_unsuited(cards))


def words(cards: Sequence[Card]) -> str:
    """Return the hand in words as a dealer would, but never a flush.

    >>> from poker_actors.cards import parse_cards
    >>> words(parse_cards("AsAd7s7hJs")), words(parse_cards("As2s3s4s5s"))
    ('Two Pair, Aces and Sevens', 'Straight, Five high')
    """
    return describe(strength_with_kickers(cards))


def words_as_printed(cards: Sequence[Card]) -> str:
    """Return the hand in words by the printed patterns, where ten to ace is not a straight."""
    if _ranks(cards) == _ROYAL:
        return "High Card, Ace"
    return words(cards)


def classes_by_counts(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return `class_by_counts` of each seat's cards; there is no board."""
    return [class_by_counts(hole) for hole in holes]


def classes_as_printed(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return `class_as_printed` of each seat's cards; there is no board."""
    return [class_as_printed(hole) for hole in holes]


def strengths_with_kickers(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Return `strength_with_kickers` of each seat's cards; there is no board."""
    return [strength_with_kickers(hole) for hole in holes]


def _ranks(cards: Sequence[Card]) -> list[int]:
    if len(cards) > 5:
        raise BadSpec(f"{len(cards)} cards: a hand of the five-card game has at most 5")
    return sorted([card >> 2 for card in cards])


def _count_sum(ranks: list[int]) -> int:
    return sum([ranks.count(rank) for rank in ranks])


def _unsuited(cards: Sequence[Card]) -> list[Card]:
    """Return cards of the same ranks, not all of one suit."""
    if len({card & 3 for card in cards}) > 1 or len(cards) < 5:
        return list(cards)
    first = cards[0]
    return [CARDS[(first & ~3) | ((first + 1) & 3)], *cards[1:]]
