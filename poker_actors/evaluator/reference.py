"""The slow, obvious evaluator: every five cards, every card a joker could be.

It shares nothing with the fast one but the order of the classes, and is its oracle in the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from poker_actors.evaluator.order.classes import SHORT_DECK, Category, strengths
from poker_actors.evaluator.order.listing import HandClass

__all__ = ["reference_omaha", "reference_strength"]


def reference_strength(hand: Sequence[int], scale: int = 0) -> int:
    """Give the strength of different cards (0 to 53) by trying everything."""
    jokers = [card for card in hand if card >= 52]
    natural = [card for card in hand if card < 52]
    if jokers:
        free = [card for card in range(52) if card not in natural]
        return max(reference_strength([*natural, card, *jokers[1:]], scale) for card in free)
    size = min(len(natural), 5)
    return max(strengths(scale)[_class(five, scale)] for five in combinations(natural, size))


def reference_omaha(hole: Sequence[int], board: Sequence[int]) -> int:
    """Give the best strength of exactly two hole cards and three of the board."""
    return max(
        reference_strength([*two, *three])
        for two in combinations(hole, 2)
        for three in combinations(board, 3)
    )


def _class(cards: Sequence[int], scale: int) -> HandClass:
    """Give the class of at most five cards, as a player would say it."""
    counted = Counter(card >> 2 for card in cards)
    ranks = sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True)
    pattern = [counted[rank] for rank in ranks]
    flush = len(cards) == 5 and len({card & 3 for card in cards}) == 1
    top = _straight(sorted(ranks), scale) if len(ranks) == 5 else None
    if top is not None:
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT, top)
    if flush:
        return (Category.FLUSH, *ranks)
    kinds = [
        ([4], Category.FOUR_OF_A_KIND),
        ([3, 2], Category.FULL_HOUSE),
        ([3], Category.THREE_OF_A_KIND),
        ([2, 2], Category.TWO_PAIR),
        ([2], Category.PAIR),
    ]
    kind = next((kind for start, kind in kinds if pattern[: len(start)] == start), Category.HIGH_CARD)
    return (kind, *ranks)


def _straight(ranks: list[int], scale: int) -> int | None:
    """Give the top of five different ranks in a row, sorted low to high; the ace is also low."""
    lowest = 4 if scale == SHORT_DECK else 0
    if ranks == list(range(ranks[0], ranks[0] + 5)):
        return ranks[4]
    if ranks == [*range(lowest, lowest + 4), 12]:
        return lowest + 3
    return None
