"""Lists of all classes of hands, from first principles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TypeAlias

HandClass: TypeAlias = tuple[int, ...]
"""A category, then the deciding ranks (0 deuce to 12 ace), the most important first.

Aces and sevens with a jack is ``(2, 12, 5, 9)``. Hands of fewer than five cards have fewer kickers; since shorter
tuples sort lower, a missing kicker is below a deuce.
"""


def straight_top(mask: int, floor: int = 0) -> int:
    """Return the top rank of the best straight in a 13-bit mask of ranks, or -1.

    The ace also counts below `floor`, the lowest rank of the deck.
    """
    for low in range(8, floor - 1, -1):
        if mask >> low & 31 == 31:
            return low + 4
    wheel = 1 << 12 | 15 << floor
    return floor + 3 if mask & wheel == wheel else -1


def high_classes(floor: int = 0) -> Iterator[HandClass]:
    """Return the classes of zero to five cards of a deck whose lowest rank is `floor`."""
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
    """Return the classes of five cards for a low: scale 2 ace-to-five, 3 deuce-to-seven.

    Ace-to-five has no straights or flushes, and its ranks run from the king down to the ace. Deuce-to-seven has both,
    but aces are high only, so A-5-4-3-2 is not a straight.
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


def badugi_classes(*, ace_high: bool) -> Iterator[HandClass]:
    """Return the badugis: the number of cards (1 to 4), then their ranks from the highest."""
    ranks = range(12, -1, -1) if ace_high else [*range(11, -1, -1), 12]
    for count in range(1, 5):
        for cards in combinations(ranks, count):
            yield (count, *cards)


def three_card_classes() -> Iterator[HandClass]:
    """Return the classes of exactly three cards, including straights and flushes of three.

    The ace also counts below the deuce: A-2-3 is the lowest straight.
    """
    ranks = range(12, -1, -1)
    for cards in combinations(ranks, 3):
        straight = _in_a_row(cards)
        yield (4, _three_top(cards)) if straight else (0, *cards)
        yield (8, _three_top(cards)) if straight else (5, *cards)
    yield from ((1, pair, kicker) for pair, kicker in permutations(ranks, 2))
    yield from ((3, rank) for rank in ranks)


def _in_a_row(ranks: tuple[int, ...]) -> bool:
    """Whether three different ranks, highest first, are consecutive; A-3-2 are."""
    return ranks[0] - ranks[2] == 2 or ranks == (12, 1, 0)


def _three_top(ranks: tuple[int, ...]) -> int:
    """Return the top of a straight of three: 1, the three, for A-3-2."""
    return 1 if ranks == (12, 1, 0) else ranks[0]


def pair_or_high_classes() -> Iterator[HandClass]:
    """Return the classes of one card that may pair the board: (1, rank) and (0, rank)."""
    for kind in (0, 1):
        for rank in range(13):
            yield (kind, rank)


def few_card_classes() -> Iterator[HandClass]:
    """Return the classes of one to four cards without straights and flushes, aces low."""
    ranks = [*range(11, -1, -1), 12]
    for count in range(1, 5):
        for cards in combinations(ranks, count):
            yield (0, *cards)
    for rank in ranks:
        others = [other for other in ranks if other != rank]
        for count in range(3):
            yield from ((1, rank, *kickers) for kickers in combinations(others, count))
        yield (3, rank)
        yield from ((3, rank, other) for other in others)
        yield (7, rank)
    yield from ((2, *pairs) for pairs in combinations(ranks, 2))


def _ace_low(made: HandClass) -> HandClass:
    """Sort the pairs (of two pair) and the kickers of a class from high to low, aces low."""
    size = {1: 1, 2: 2, 3: 1, 6: 1, 7: 1}[made[0]]
    ranks = made[1 : 1 + size], made[1 + size :]
    return (made[0], *[rank for part in ranks for rank in sorted(part, key=lambda r: -((r + 1) % 13))])


def _matched(floor: int, *, complete: bool) -> Iterator[HandClass]:
    """Return the classes with at least a pair; if `complete`, only those of exactly five cards."""
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
