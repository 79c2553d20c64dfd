"""All boards for known hands in plain Python: by the ranks to come, then flushes suit by suit.

The cards to come are one of 6,175 multisets of ranks. A multiset stands for all boards with these ranks, on which every
hand has the same strength, flushes aside. A flush needs three board cards of one suit, so no board has flushes of two
suits: for each suit, the boards with a flush are subtracted and counted again. Some 42,000 cases stand for 1.7 million
boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from poker_actors.cards import Card
from poker_actors.evaluator.order import SHORT_DECK
from poker_actors.evaluator.order.keys import RANKED, SHORT_RANKED, SHORT_SUITED, SUITED, Suited

__all__ = ["matchup_counts", "tally"]

Counts = list[list[int]]
Ways = list[tuple[int, int]]
"""Sums of rank keys, each with its number of ways."""


def matchup_counts(
    holes: Sequence[Sequence[Card]], board: Sequence[Card], stub: Sequence[Card], scale: int
) -> Counts:
    """Return ``counts[player][winners]`` over all boards of known hands; `stub` are the cards that can come."""
    ranked = SHORT_RANKED if scale == SHORT_DECK else RANKED
    counts = [[0] * (len(holes) + 1) for _ in holes]
    shared = sum(5**card.rank for card in board)
    keys = [shared + sum(5**card.rank for card in hole) for hole in holes]
    missing = 5 - len(board)
    available = _by_rank(stub)
    for come, ways in _multisets(missing, available):
        tally(counts, [ranked[key + come] for key in keys], ways)
    for suit in range(4):
        _correct_flushes(counts, suit, (holes, board, stub, keys), scale)
    return counts


def _correct_flushes(
    counts: Counts,
    suit: int,
    deal: tuple[Sequence[Sequence[Card]], Sequence[Card], Sequence[Card], list[int]],
    scale: int,
) -> None:
    """Subtract the boards on which any player has a flush of this suit, and count them again with it."""
    holes, board, stub, keys = deal
    ranked, suited = (SHORT_RANKED, SHORT_SUITED) if scale == SHORT_DECK else (RANKED, SUITED)
    lying = _mask(board, suit)
    held = [lying | _mask(hole, suit) for hole in holes]
    missing = 5 - len(board)
    coming = [card.rank for card in stub if card.suit == suit]
    others = _by_rank([card for card in stub if card.suit != suit])
    for count in range(max(0, 3 - lying.bit_count()), missing + 1):
        rest = _multisets(missing - count, others)
        for ranks in combinations(coming, count):
            flushes = _flushes(held, sum(1 << rank for rank in ranks), suited)
            if not any(flushes):
                continue
            come = sum(5**rank for rank in ranks)
            for more, ways in rest:
                # these boards were already counted by ranks alone: subtract exactly as many as are added
                plain = [ranked[key + come + more] for key in keys]
                tally(counts, plain, -ways)
                tally(counts, list(map(max, plain, flushes)), ways)


def _flushes(held: Sequence[int], come: int, suited: Suited) -> list[int]:
    return [suited[mask | come] for mask in held]


def tally(counts: Counts, strengths: Sequence[int], ways: int) -> None:
    """Add a showdown to `counts`, `ways` times."""
    best = max(strengths)
    winners = strengths.count(best)
    for row, strength in zip(counts, strengths, strict=True):
        if strength == best:
            row[winners] += ways


def _by_rank(cards: Sequence[Card]) -> list[int]:
    available = [0] * 13
    for card in cards:
        available[card.rank] += 1
    return available


def _mask(cards: Sequence[Card], suit: int) -> int:
    return sum(1 << card.rank for card in cards if card.suit == suit)


def _multisets(cards: int, available: Sequence[int]) -> Ways:
    """Return each multiset of ranks that can come, as a key, with its number of ways."""
    rows = [(0, 1, cards)]
    for rank, most in enumerate(available):
        rows = [
            (key + count * 5**rank, ways * comb(most, count), left - count)
            for key, ways, left in rows
            for count in range(min(most, left) + 1)
        ]
    return [(key, ways) for key, ways, left in rows if not left]
