"""Badugi: the largest set of cards without two of a rank or a suit, and of those the lowest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.evaluator.order import BADUGI, BADUGI_ACE_HIGH, strengths

__all__ = ["badugi_ace_high_strengths", "badugi_strengths"]

Holes = Sequence[tuple[Card, ...]]

_RANKS: Final = 0x1FFF
"""The thirteen bits of ranks; those of suits are above them."""
_MARKS: Final = {card: 1 << (card >> 2) | 1 << 13 + (card & 3) for card in STANDARD_DECK}
"""A bit for the rank and one for the suit: cards that may be together share none."""


class _Badugis(dict[int, int]):
    """Mask of the ranks that count -> strength."""

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
    """Return each seat's best badugi of its cards (and the board's, where there is one), aces low.

    More cards beat fewer, then the highest card decides, the lower the better. The cards are not checked.
    """
    return [_best([_MARKS[card] for card in (*hole, *board)], _ACE_LOW) for hole in holes]


def badugi_ace_high_strengths(holes: Holes, board: tuple[Card, ...] = ()) -> list[int]:
    """Return the same with aces high, as badeucy plays it: 5-4-3-2 is the best."""
    return [_best([_MARKS[card] for card in (*hole, *board)], _ACE_IS_HIGH) for hole in holes]


def _best(marks: list[int], table: dict[int, int]) -> int:
    """Try sets of four, of three, of two: a greedy choice would keep the wrong card of a pair."""
    best = 0
    if len(marks) == 4:  # badugi itself, which is dealt most
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
        # marks that share a bit carry into the next: fewer bits are left than were added
        held = [sum(some) for some in combinations(marks, count)]
        fitting = [table[mark & _RANKS] for mark in held if mark.bit_count() == 2 * count]
        if fitting:
            return max(fitting)
    return max([table[mark & _RANKS] for mark in marks])
