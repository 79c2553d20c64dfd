"""Frequencies of classes of hands among all hands of n cards."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, prod

from poker_actors.errors import BadSpec
from poker_actors.evaluator.fast.batch import Engine, engine
from poker_actors.evaluator.order import Category, category
from poker_actors.evaluator.order.classes import RANKED, SUITED

__all__ = ["category_frequencies", "frequencies"]


def frequencies(cards: int = 7, *, using: Engine = "auto") -> dict[int, int]:
    """Return the number of hands of each strength among all hands of 5 to 7 cards of 52, best first.

    With numba, all 133,784,560 hands of seven are evaluated one by one; otherwise, and for other sizes, hands are
    counted by multisets of ranks and then corrected for flushes. Raises `BadSpec` for another number of cards.
    """
    if not 5 <= cards <= 7:
        raise BadSpec(f"hands of {cards} cards cannot be counted: it takes 5 to 7")
    if cards == 7 and engine(using) == "numba":
        counts = _walked()
    else:
        counts = _counted(cards)
    return {strength: counts[strength] for strength in sorted(counts, reverse=True) if counts[strength]}


def category_frequencies(cards: int = 7, *, using: Engine = "auto") -> dict[Category, int]:
    """Return the number of hands of each category among all hands of 5 to 7 cards, best first."""
    table: Counter[Category] = Counter()
    for strength, count in frequencies(cards, using=using).items():
        table[category(strength)] += count
    return {kind: table[kind] for kind in sorted(Category, reverse=True)}


def _walked() -> Counter[int]:
    import numpy as np

    from poker_actors.evaluator.fast.compiled.kernels import seven_card_census
    from poker_actors.evaluator.fast.tables import CARD_WORDS, RANK_KEYS, flush_table, hand_tables

    tables = hand_tables(7)
    counts = np.zeros(len(Category) << 12, dtype=np.int64)
    seven_card_census(
        CARD_WORDS,
        RANK_KEYS.astype(np.uint64),
        (tables.place, tables.start, tables.ranked),
        flush_table(),
        counts,
    )
    return Counter({int(strength): int(counts[strength]) for strength in np.flatnonzero(counts)})


def _counted(cards: int) -> Counter[int]:
    """Count by multisets of ranks, then move hands with five or more of a suit to their flush.

    Counting the flush is right, as hands of up to seven cards with a flush hold no full house or quads.
    """
    counts: Counter[int] = Counter()
    for key, ways in _rank_multisets(cards, 4):
        counts[RANKED[key]] += ways
    for suited in range(5, cards + 1):
        others = _rank_multisets(cards - suited, 3)
        for ranks in combinations(range(13), suited):
            flush = SUITED[sum(1 << rank for rank in ranks)]
            key = sum(5**rank for rank in ranks)
            for other, ways in others:
                counts[flush] += 4 * ways
                counts[RANKED[key + other]] -= 4 * ways
    return counts


def _rank_multisets(cards: int, suits: int) -> list[tuple[int, int]]:
    """Return each multiset of ranks, as a key, with the number of ways to hold it in `suits` suits."""
    rows: list[tuple[tuple[int, ...], int]] = [((), cards)]
    for _ in range(13):
        rows = [
            ((*counts, count), left - count) for counts, left in rows for count in range(min(suits, left) + 1)
        ]
    return [
        (
            sum(count * 5**rank for rank, count in enumerate(counts)),
            prod(comb(suits, count) for count in counts),
        )
        for counts, left in rows
        if not left
    ]
