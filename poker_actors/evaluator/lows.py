"""Lows, where the worst poker hand wins; as all strengths, higher is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import ACE_TO_FIVE, DEUCE_TO_SEVEN, HandClass, class_of, strengths
from poker_actors.evaluator.order.keys import FIVE_SUITED, KEYS, RANK_KEYS, RANKS_ONLY, SUIT_OVERFLOW
from poker_actors.evaluator.single import parse_hand

__all__ = [
    "EIGHT_OR_BETTER",
    "ace_to_five_strengths",
    "best_low",
    "deuce_to_seven_strengths",
    "eight_or_better_strengths",
    "low_ace_to_five",
    "low_deuce_to_seven",
    "omaha_low_strengths",
]

EIGHT_OR_BETTER: Final = 6
"""The highest rank of an eight-or-better low."""
_ACE: Final = 12
_PATTERNS: Final = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}

Holes = Sequence[tuple[Card, ...]]


def low_ace_to_five(cards: str | Iterable[Card | str | int], *, eight_or_better: bool = False) -> int:
    """Give the strength of the best ace-to-five low among five to nine cards.

    Aces are low, straights and flushes do not count: 5-4-3-2-A is the best. With
    `eight_or_better`, 0 when no five different ranks up to the eight are there. These strengths
    compare with each other only. Raises as `evaluate` does, and `BadSpec` for fewer than five
    cards or a joker.
    """
    low = eight_or_better_strengths if eight_or_better else ace_to_five_strengths
    return low([_hand(cards)], ())[0]


def low_deuce_to_seven(cards: str | Iterable[Card | str | int]) -> int:
    """Give the strength of the best deuce-to-seven low among five to nine cards.

    Aces are high, straights and flushes count against it: 7-5-4-3-2 of several suits is the best,
    and 5-4-3-2-A is no straight but an ace-high hand. Raises as `low_ace_to_five` does.
    """
    return deuce_to_seven_strengths([_hand(cards)], ())[0]


def ace_to_five_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Give each seat's best ace-to-five low of its cards and the board; the cards are not checked."""
    return _by_ranks(_ACE_LOWS, holes, board)


def eight_or_better_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Give the same where it is an eight or better, else 0; the cards are not checked."""
    return _by_ranks(_EIGHTS, holes, board)


def _by_ranks(lows: dict[int, int], holes: Holes, board: tuple[Card, ...]) -> list[int]:
    ranks = RANK_KEYS
    shared = sum([ranks[card] for card in board])
    return [lows[sum([ranks[card] for card in hole], shared)] for hole in holes]


def deuce_to_seven_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Give each seat's best deuce-to-seven low of its cards and the board; the cards are not checked."""
    keys = KEYS
    shared = sum([keys[card] for card in board])
    found = []
    for hole in holes:
        key = sum([keys[card] for card in hole], shared)
        if (key + FIVE_SUITED) & SUIT_OVERFLOW:
            found.append(_deuce_low_with_flush((*hole, *board)))
        else:
            found.append(_DEUCE_LOWS[key & RANKS_ONLY])
    return found


def omaha_low_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Give each seat's eight-or-better low of two hole cards and three of the board, 0 without one.

    The cards are not checked.
    """
    bits = _LOW_BITS
    shared = 0
    for card in board:
        shared |= bits[card]
    if shared.bit_count() < 3:
        return [0] * len(holes)
    found = []
    for hole in holes:
        held = 0
        for card in hole:
            held |= bits[card]
        found.append(_OMAHA_LOWS[held << 8 | shared])
    return found


def best_low(ranks: Sequence[int]) -> int:
    """Give the ace-to-five strength of five or more ranks (0 deuce to 12 ace)."""
    return _ACE_LOWS[sum(5**rank for rank in ranks)]


class _AceLows(dict[int, int]):
    """Sum of rank keys -> the best ace-to-five low; an entry is worked out when first asked for."""

    def __missing__(self, key: int) -> int:
        ranks = _ranks_of(key)
        low_first = sorted(set(ranks), key=lambda rank: (rank + 1) % 13)
        if len(low_first) >= 5:
            made: HandClass = (0, *reversed(low_first[:5]))
            self[key] = strengths(ACE_TO_FIVE)[made]
        else:
            table = strengths(ACE_TO_FIVE)
            self[key] = max(table[_ace_class(five)] for five in set(combinations(ranks, 5)))
        return self[key]


class _Eights(dict[int, int]):
    """Sum of rank keys -> the best eight or better, 0 for none."""

    def __missing__(self, key: int) -> int:
        strength = _ACE_LOWS[key]
        self[key] = strength if _qualifies(strength) else 0
        return self[key]


class _DeuceLows(dict[int, int]):
    """Sum of rank keys -> the best deuce-to-seven low of cards that hold no flush."""

    def __missing__(self, key: int) -> int:
        table = strengths(DEUCE_TO_SEVEN)
        fives = set(combinations(_ranks_of(key), 5))
        self[key] = max(table[_deuce_class(five, flush=False)] for five in fives)
        return self[key]


class _OmahaLows(dict[int, int]):
    """``ranks of the hole << 8 | ranks of the board``, masks of eight low ranks -> the best low, 0 for none."""

    def __missing__(self, key: int) -> int:
        held, shared = ([rank for rank in range(8) if mask >> rank & 1] for mask in (key >> 8, key & 0xFF))
        self[key] = max(
            (
                best_low([(rank - 1) % 13 for rank in (*two, *three)])
                for two in combinations(held, 2)
                for three in combinations([rank for rank in shared if rank not in two], 3)
            ),
            default=0,
        )
        return self[key]


_ACE_LOWS: Final = _AceLows()
_EIGHTS: Final = _Eights()
_DEUCE_LOWS: Final = _DeuceLows()
_OMAHA_LOWS: Final = _OmahaLows()
_LOW_BITS: Final = {
    card: 1 << (card >> 2) + 1 if card >> 2 <= EIGHT_OR_BETTER else 1 if card >> 2 == _ACE else 0
    for card in KEYS
}
"""Bit 0 for an ace to bit 7 for an eight; no bit for higher cards."""


def _ranks_of(key: int) -> list[int]:
    return [rank for rank in range(13) for _ in range(key // 5**rank % 5)]


def _hand(cards: str | Iterable[Card | str | int]) -> tuple[Card, ...]:
    hand = parse_hand(cards)
    if len(hand) < 5:
        raise BadSpec(f"a low of {len(hand)} cards is too short: it takes five")
    for card in hand:
        if card.is_joker:
            raise BadSpec(f"{card} cannot be in a low: lows are played without jokers")
    return hand


def _qualifies(strength: int) -> bool:
    made = class_of(strength)
    return made[0] == 0 and all(rank <= EIGHT_OR_BETTER or rank == _ACE for rank in made[1:])


def _deuce_low_with_flush(cards: Sequence[Card]) -> int:
    """Go through every five of cards among which five or more are of one suit."""
    table = strengths(DEUCE_TO_SEVEN)
    return max(
        table[_deuce_class([card >> 2 for card in five], flush=len({card & 3 for card in five}) == 1)]
        for five in combinations(cards, 5)
    )


def _ace_class(ranks: Sequence[int]) -> HandClass:
    """Give the class of five ranks with the ace below the deuce."""
    counted = Counter(ranks)
    order = sorted(counted, key=lambda rank: (counted[rank], (rank + 1) % 13), reverse=True)
    return (_PATTERNS[tuple(counted[rank] for rank in order)], *order)


def _deuce_class(ranks: Sequence[int], *, flush: bool) -> HandClass:
    """Give the class of five ranks with the ace above the king."""
    counted = Counter(ranks)
    order = sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True)
    kind = _PATTERNS[tuple(counted[rank] for rank in order)]
    if kind:
        return (kind, *order)
    straight = order[0] - order[4] == 4
    kind = {(False, False): 0, (True, False): 4, (False, True): 5, (True, True): 8}[straight, flush]
    return (kind, order[0]) if straight else (kind, *order)
