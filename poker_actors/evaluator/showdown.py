"""The strengths of all live seats at once: the board is summed a single time.

These are the hot path of a dealt hand, so they trust their caller: cards are `Card` (or numbers
0 to 51), different, and no joker; the number of cards is what the game deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from poker_actors.cards import Card
from poker_actors.evaluator.order.keys import (
    FIVE_SUITED,
    KEYS,
    OLD_SHORT_RANKED,
    OLD_SHORT_SUITED,
    RANK_KEYS,
    RANKED,
    RANKS_ONLY,
    SHORT_RANKED,
    SHORT_SUITED,
    SUIT_MASKS,
    SUIT_OVERFLOW,
    SUITED,
    SUITED_KEYS,
    THREE_SUITED,
    Ranked,
    Suited,
)

__all__ = [
    "best_five_strengths",
    "holdem_strengths",
    "lazy_pineapple_strengths",
    "omaha_strengths",
    "short_deck_old_strengths",
    "short_deck_strengths",
]


def holdem_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's strength: the best five of its two hole cards and the board (3 to 5 cards).

    The cards are not checked.
    """
    return _two_card_strengths(holes, board, RANKED, SUITED)


def short_deck_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's strength by the usual rules of the 36-card deck, six to ace.

    A flush beats a full house, a straight beats three of a kind, and A-6-7-8-9 is the lowest
    straight. These strengths compare with each other only. The cards are not checked.
    """
    return _two_card_strengths(holes, board, SHORT_RANKED, SHORT_SUITED)


def short_deck_old_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give the same by the older rules of the 36-card deck, where three of a kind beats a straight."""
    return _two_card_strengths(holes, board, OLD_SHORT_RANKED, OLD_SHORT_SUITED)


def best_five_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...] = ()) -> list[int]:
    """Give each seat's best five of all its cards and the board, up to seven in all (stud, draw).

    The cards are not checked.
    """
    keys = KEYS
    shared = sum([keys[card] for card in board])
    strengths = []
    for hole in holes:
        key = sum([keys[card] for card in hole], shared)
        suit = (key + FIVE_SUITED) & SUIT_OVERFLOW
        if suit:
            bits = SUIT_MASKS[suit]
            strengths.append(SUITED[sum([bits[card] for card in (*hole, *board)])])
        else:
            strengths.append(RANKED[key & RANKS_ONLY])
    return strengths


def lazy_pineapple_strengths(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """Give each seat's best five of the board and at most two of its hole cards.

    The cards are not checked.
    """
    pairs = [list(combinations(hole, 2)) for hole in holes]
    found = iter(holdem_strengths([pair for those in pairs for pair in those], board))
    return [max([next(found) for _ in those]) for those in pairs]


def _two_card_strengths(
    holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...], ranked: Ranked, suited: Suited
) -> list[int]:
    """Sum the board; only one with three of a suit has flushes, and then no full house beats them.

    (Up to seven cards with a flush have at most three of a rank and no second pair.)
    """
    keys = KEYS
    key = 0
    for card in board:
        key += keys[card]
    suit = (key + THREE_SUITED) & SUIT_OVERFLOW
    if not suit:
        ranks = RANK_KEYS
        key &= RANKS_ONLY
        return [ranked[key + ranks[first] + ranks[second]] for first, second in holes]
    keys = SUITED_KEYS[suit]
    key = sum([keys[card] for card in board])
    strengths = []
    for first, second in holes:
        held = key + keys[first] + keys[second]
        strengths.append(suited[held >> 32] or ranked[held & RANKS_ONLY])
    return strengths


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
    suit = (sum([KEYS[card] for card in board]) + THREE_SUITED) & SUIT_OVERFLOW
    if suit:
        return list(map(max, strengths, _omaha_flushes(holes, board, SUIT_MASKS[suit])))
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


def _omaha_flushes(
    holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...], bits: dict[int, int]
) -> list[int]:
    """Give each seat's best flush with three or more of the board in one suit, or 0."""
    suited = SUITED
    threes = [a | b | c for a, b, c in combinations([bits[card] for card in board if bits[card]], 3)]
    flushes = []
    for hole in holes:
        pairs = combinations([bits[card] for card in hole if bits[card]], 2)
        flushes.append(max([suited[a | b | three] for a, b in pairs for three in threes], default=0))
    return flushes
