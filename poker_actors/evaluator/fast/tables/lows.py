"""Tables of lows and badugis, built from the plain evaluator's answers for five cards."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from poker_actors.cards import Card
from poker_actors.evaluator import lows
from poker_actors.evaluator.fast.tables.hands import (
    LOW_RANKS,
    low_places,
    multiset_ranks,
    multisets,
)
from poker_actors.evaluator.ranking import RANKINGS

__all__ = ["BADUGI_MARKS", "EIGHT_BITS", "badugi_table", "flush_lows", "low_rows", "omaha_lows"]

Strengths = npt.NDArray[np.uint32]

BADUGI_MARKS: Final = np.array(
    [1 << (card >> 2) | 1 << 13 + (card & 3) for card in range(52)], dtype=np.uint64
)
"""A bit for the rank and one for the suit of each card: cards that fit together share none."""
EIGHT_BITS: Final = np.array(
    [(1 << (rank + 1) % 13) & 0xFF for rank in range(13) for _ in range(4)], dtype=np.int64
)
"""The rank's bit of each card up to the eight, the ace in bit 0; 0 for higher cards."""


@cache
def low_rows(ranking: str, cards: int) -> Strengths:
    """Return the low of each multiset of 5 to 7 ranks, suits aside, in the order of `multisets`."""
    those = multisets(cards)
    if cards == 5:
        # suits by turn: equal ranks get different suits, and no hand is a flush
        hands = [
            tuple([Card(4 * rank + at % 4) for at, rank in enumerate(ranks)])
            for ranks in multiset_ranks(5).tolist()
        ]
        return np.array(RANKINGS[ranking].strengths(hands, ()), dtype=np.uint32)
    # the best low of more cards is the best after leaving out one card
    fewer, rows = multisets(cards - 1), low_rows(ranking, cards - 1)
    place = low_places()[0]
    best = np.zeros(len(those.low), dtype=np.uint32)
    for rank in range(13):
        low, high = those.low, those.high
        if rank < LOW_RANKS:
            held, low = low // 5**rank % 5 > 0, low - 5**rank
        else:
            held, high = high // 5 ** (rank - LOW_RANKS) % 5 > 0, high - 5 ** (rank - LOW_RANKS)
        best[held] = np.maximum(best[held], rows[fewer.start[high[held]] + place[low[held]]])
    return best


@cache
def flush_lows() -> Strengths:
    """Return the deuce-to-seven low of five cards of one suit, uint32 by the mask of their ranks."""
    table = np.zeros(1 << 13, dtype=np.uint32)
    for ranks in combinations(range(13), 5):
        hand = tuple([Card(4 * rank) for rank in ranks])
        (table[sum([1 << rank for rank in ranks])],) = lows.deuce_to_seven_strengths([hand], ())
    return table


@cache
def badugi_table(ranking: str) -> Strengths:
    """Return the badugi of each one to four ranks of different suits, uint32 by their mask."""
    table = np.zeros(1 << 13, dtype=np.uint32)
    for count in range(1, 5):
        for ranks in combinations(range(13), count):
            hand = tuple([Card(4 * rank + suit) for suit, rank in enumerate(ranks)])
            (table[sum([1 << rank for rank in ranks])],) = RANKINGS[ranking].strengths([hand], ())
    return table


@cache
def omaha_lows() -> Strengths:
    """Return the low of two hole and three board ranks, uint32 by ``hole << 8 | board``, masks up to the eight."""
    held, shared = np.arange(256)[:, None], np.arange(256)[None, :]
    ones = np.array([mask.bit_count() for mask in range(256)])
    table = np.zeros((256, 256), dtype=np.uint32)
    ranked = sorted((int(value), five) for five, value in _eights().items())
    for strength, five in ranked:  # ascending: the best low is written last
        fits = ((held | shared) & five == five) & (ones[held & five] >= 2) & (ones[shared & five] >= 3)
        table[fits] = strength
    return table.ravel()


def _eights() -> dict[int, int]:
    """Return the strength of every five ranks up to the eight, by their mask with the ace in bit 0."""
    found = {}
    for places in combinations(range(8), 5):
        hand = tuple([Card(4 * ((place - 1) % 13) + at % 4) for at, place in enumerate(places)])
        (found[sum([1 << place for place in places])],) = lows.eight_or_better_strengths([hand], ())
    return found
