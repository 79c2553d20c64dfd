"""All boards for known hands in plain Python: by the ranks that come, then flushes suit by suit.

The cards to come are one of 6,175 multisets of ranks; a multiset stands for as many boards as
there are ways to hold it, and every hand's strength is the same on all of them, flushes aside.
Flushes need three board cards of one suit, so no board has two suits of them: for each suit, its
boards with a flush are taken back and counted again. Some 42,000 cases stand for 1.7 million boards.
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
"""Sums of rank keys, each with the number of ways to come by it."""


def matchup_counts(
    holes: Sequence[Sequence[Card]], board: Sequence[Card], stub: Sequence[Card], scale: int
) -> Counts:
    """Return ``counts[player][winners]`` over all boards of known hands; `stub` is what can still come."""
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
    """Take back the boards on which somebody has a flush of this suit, and count them with it."""
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
                # the very boards that were counted by ranks alone: as many ways are taken back as are put in
                plain = [ranked[key + come + more] for key in keys]
                tally(counts, plain, -ways)
                tally(counts, list(map(max, plain, flushes)), ways)


def _flushes(held: Sequence[int], come: int, suited: Suited) -> list[int]:
    return [suited[mask | come] for mask in held]


def tally(counts: Counts, strengths: Sequence[int], ways: int) -> None:
    """Count a showdown `ways` times."""
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
    """Return each multiset of ranks that can come, as a key, with the number of ways it can."""
    rows = [(0, 1, cards)]
    for rank, most in enumerate(available):
        rows = [
            (key + count * 5**rank, ways * comb(most, count), left - count)
            for key, ways, left in rows
            for count in range(min(most, left) + 1)
        ]
    return [(key, ways) for key, ways, left in rows if not left]
