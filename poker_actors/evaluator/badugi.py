"""Badugi: the largest set of cards of different ranks and suits, and of those the lowest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator.order import BADUGI, BADUGI_ACE_HIGH, strengths

__all__ = ["badugi_ace_high_strengths", "badugi_strengths"]

Holes = Sequence[tuple[Card, ...]]

_RANKS: Final = 0x1FFF
"""The 13 bits of ranks; the bits of suits are above them."""
_MARKS: Final = {card: 1 << (card >> 2) | 1 << 13 + (card & 3) for card in STANDARD_DECK}
"""A bit for the rank and one for the suit of each card: cards that fit together share none."""


class _Badugis(dict[int, int]):
    """Mask of the ranks that count -> strength, computed when first asked for."""

    def __init__(self, scale: int) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, mask: int) -> int:
        order = range(12, -1, -1) if self.scale == BADUGI_ACE_HIGH else (*range(11, -1, -1), 12)
        ranks = [rank for rank in order if mask >> rank & 1]
        self[mask] = strengths(self.scale)[len(ranks), *ranks]
        return self[mask]


_ACE_LOW: Final = _Badugis(BADUGI)
_ACE_IS_HIGH: Final = _Badugis(BADUGI_ACE_HIGH)


def badugi_strengths(holes: Holes, board: tuple[Card, ...] = ()) -> list[int]:
    """Return the strength of each seat's best badugi from its cards and the board, if any, aces low.

    More cards beat fewer; then the lower highest card wins, and so on. The cards are not checked.
    """
    return [_best([_MARKS[card] for card in (*hole, *board)], _ACE_LOW) for hole in holes]


def badugi_ace_high_strengths(holes: Holes, board: tuple[Card, ...] = ()) -> list[int]:
    """Return the same with aces high, as in badeucy: 5-4-3-2 is the best."""
    return [_best([_MARKS[card] for card in (*hole, *board)], _ACE_IS_HIGH) for hole in holes]


def _best(marks: list[int], table: dict[int, int]) -> int:
    """Try sets of four, three and two cards: a greedy choice could keep the wrong card of a pair."""
    best = 0
    if len(marks) == 4:  # fast path for badugi itself, the most common case
        total = sum(marks)
        if total.bit_count() == 8:
            return table[total & _RANKS]
        for mark in marks:
            held = total - mark
            if held.bit_count() == 6:
                best = max(best, table[held & _RANKS])
        return best or _best_set(marks, (2,), table)
    return _best_set(marks, (4, 3, 2), table)


def _best_set(marks: list[int], counts: tuple[int, ...], table: dict[int, int]) -> int:
    for count in counts:
        # cards that share a rank or a suit carry in the sum, which then has fewer than two bits per card
        held = [sum(some) for some in combinations(marks, count)]
        fitting = [table[mark & _RANKS] for mark in held if mark.bit_count() == 2 * count]
        if fitting:
            return max(fitting)
    return max([table[mark & _RANKS] for mark in marks])
