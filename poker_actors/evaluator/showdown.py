"""The strengths of all live seats at once: the board is summed a single time.

These are the hot path of a dealt hand, so they trust their caller: cards are `Card` (or numbers
0 to 51), different, and no joker; the number of cards is what the game deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from poker_actors.cards import Card
from poker_actors.evaluator.keys import (
    KEYS,
    RANK_KEYS,
    RANKED,
    RANKS_ONLY,
    SHORT_RANKED,
    SHORT_SUITED,
    SUIT_BITS,
    SUIT_OVERFLOW,
    SUITED,
    THREE_SUITED,
    Ranked,
    Suited,
)

__all__ = ["holdem_strengths", "omaha_strengths", "short_deck_strengths"]


def holdem_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's strength: the best five of its two hole cards and the board (3 to 5 cards).

    The cards are not checked.
    """
    keys = KEYS
    key = 0
    for card in board:
        key += keys[card]
    if (key + THREE_SUITED) & SUIT_OVERFLOW:
        return _with_flushes(holes, board, RANKED, SUITED)
    ranked = RANKED
    ranks = RANK_KEYS
    key &= RANKS_ONLY
    return [ranked[key + ranks[first] + ranks[second]] for first, second in holes]


def short_deck_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's strength by the usual rules of the 36-card deck, six to ace.

    A flush beats a full house, a straight beats three of a kind, and A-6-7-8-9 is the lowest
    straight. These strengths compare with each other only. The cards are not checked.
    """
    keys = KEYS
    key = 0
    for card in board:
        key += keys[card]
    if (key + THREE_SUITED) & SUIT_OVERFLOW:
        return _with_flushes(holes, board, SHORT_RANKED, SHORT_SUITED)
    ranked = SHORT_RANKED
    ranks = RANK_KEYS
    key &= RANKS_ONLY
    return [ranked[key + ranks[first] + ranks[second]] for first, second in holes]


def _with_flushes(
    holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...], ranked: Ranked, suited: Suited
) -> list[int]:
    """The same on a board with three of a suit; seven cards with a flush hold nothing between."""
    ranks = RANK_KEYS
    bits = SUIT_BITS[_main_suit(board)]
    key = mask = 0
    for card in board:
        key += ranks[card]
        mask |= bits[card]
    return [
        suited[mask | bits[first] | bits[second]] or ranked[key + ranks[first] + ranks[second]]
        for first, second in holes
    ]


def _main_suit(board: tuple[Card, ...]) -> int:
    """Give the suit that three or more of up to five cards have."""
    suits = sorted(int(card) & 3 for card in board)
    return suits[len(suits) // 2]


def omaha_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's strength: exactly two of its hole cards with exactly three of the board.

    Holes are of four, five or six cards (any number from two works). The cards are not checked.
    """
    ranks = RANK_KEYS
    threes = {ranks[a] + ranks[b] + ranks[c] for a, b, c in combinations(board, 3)}
    best = _best_with(threes)
    strengths = []
    for hole in holes:
        pairs = {ranks[a] + ranks[b] for a, b in combinations(hole, 2)}
        strengths.append(max([best[pair] for pair in pairs]))
    key = sum([KEYS[card] for card in board])
    if (key + THREE_SUITED) & SUIT_OVERFLOW:
        flushes = _omaha_flushes(holes, board)
        return list(map(max, strengths, flushes))
    return strengths


class _best_with(dict[int, int]):  # noqa: N801  # a function with a memory, local to one board
    """Rank key of two hole cards -> best strength with any three of the board, flushes aside."""

    def __init__(self, threes: set[int]) -> None:
        super().__init__()
        self.threes = threes

    def __missing__(self, pair: int) -> int:
        ranked = RANKED
        strength = self[pair] = max([ranked[three + pair] for three in self.threes])
        return strength


def _omaha_flushes(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's best flush with three or more of the board in one suit, or 0."""
    bits = SUIT_BITS[_main_suit(board)]
    threes = [a | b | c for a, b, c in combinations([bits[card] for card in board if bits[card]], 3)]
    flushes = []
    for hole in holes:
        pairs = combinations([bits[card] for card in hole if bits[card]], 2)
        flushes.append(max([SUITED[a | b | three] for a, b in pairs for three in threes], default=0))
    return flushes
