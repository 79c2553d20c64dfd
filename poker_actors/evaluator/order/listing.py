"""The list of all classes of hands, from first principles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TypeAlias

__all__ = ["HandClass", "high_classes", "low_classes", "straight_top"]

HandClass: TypeAlias = tuple[int, ...]
"""A category, then the ranks (0 deuce to 12 ace) that decide, most important first.

Two pair, aces and sevens with a jack is ``(2, 12, 5, 9)``. A hand of fewer than five cards has
fewer kickers, and a missing kicker is lower than a deuce, as shorter tuples sort lower.
"""


def straight_top(mask: int, floor: int = 0) -> int:
    """Give the top rank of the best straight in a 13-bit mask of ranks, or -1.

    The ace also counts below `floor`, the lowest rank of the deck.
    """
    for low in range(8, floor - 1, -1):
        if mask >> low & 31 == 31:
            return low + 4
    wheel = 1 << 12 | 15 << floor
    return floor + 3 if mask & wheel == wheel else -1


def high_classes(floor: int = 0) -> Iterator[HandClass]:
    """Give the classes of nought to five cards of a deck whose lowest rank is `floor`."""
    ranks = range(12, floor - 1, -1)
    for count in range(6):
        for cards in combinations(ranks, count):
            if count == 5 and straight_top(_mask(cards), floor) >= 0:
                continue
            yield (0, *cards)
            if count == 5:
                yield (5, *cards)
    for top in range(floor + 3, 13):
        yield (4, top)
        yield (8, top)
    yield from _matched(floor, complete=False)


def low_classes(scale: int) -> Iterator[HandClass]:
    """Give the classes of five cards for a low: scale 2 ace-to-five, 3 deuce-to-seven.

    Ace-to-five knows no straights and no flushes, its ranks run from the king down to the ace;
    deuce-to-seven knows both, but the ace is high only, so A-5-4-3-2 is no straight.
    """
    if scale == 2:
        for cards in combinations([*range(11, -1, -1), 12], 5):
            yield (0, *cards)
        yield from (_ace_low(made) for made in _matched(0, complete=True))
        return
    for cards in combinations(range(12, -1, -1), 5):
        straight = cards[0] - cards[4] == 4
        yield (4, cards[0]) if straight else (0, *cards)
        yield (8, cards[0]) if straight else (5, *cards)
    yield from _matched(0, complete=True)


def _ace_low(made: HandClass) -> HandClass:
    """Write pairs (of two pair) and kickers from high to low with the ace as the lowest."""
    size = {1: 1, 2: 2, 3: 1, 6: 1, 7: 1}[made[0]]
    ranks = made[1 : 1 + size], made[1 + size :]
    return (made[0], *[rank for part in ranks for rank in sorted(part, key=lambda r: -((r + 1) % 13))])


def _matched(floor: int, *, complete: bool) -> Iterator[HandClass]:
    """Give the classes with at least a pair; the `complete` ones are of exactly five cards."""
    ranks = range(12, floor - 1, -1)
    alone = [(rank,) for rank in ranks]
    for first, second in permutations(ranks, 2):
        yield (6, first, second)
    for kind, made, most in (
        (7, alone, 1),
        (3, alone, 2),
        (2, list(combinations(ranks, 2)), 1),
        (1, alone, 3),
    ):
        for core in made:
            others = [rank for rank in ranks if rank not in core]
            for count in range(most if complete else 0, most + 1):
                for kickers in combinations(others, count):
                    yield (kind, *core, *kickers)


def _mask(ranks: HandClass) -> int:
    return sum(1 << rank for rank in ranks)
