"""Lows, where the lowest hand wins; its strength, like all strengths, is the highest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import (
    ACE_TO_FIVE,
    BADUGI,
    BADUGI_ACE_HIGH,
    DEUCE_TO_SEVEN,
    HandClass,
    strengths,
)
from poker_actors.evaluator.order.classes import FIVE_SUITED, KEYS, RANK_KEYS, RANKS_ONLY, SUIT_OVERFLOW
from poker_actors.evaluator.single import parse_hand

_PATTERNS: Final = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}

Holes = Sequence[tuple[Card, ...]]


def low_ace_to_five(cards: str | Iterable[Card | str | int], *, eight_or_better: bool = False) -> int:
    """Return the strength of the best ace-to-five low among five to nine cards.

    Aces are low, straights and flushes do not count: 5-4-3-2-A is the best. With `eight_or_better`, return 0 without
    five different ranks up to the eight. Strengths compare only with other ace-to-five lows. Raises as `evaluate` does,
    and `BadSpec` for fewer than five cards or a joker.
    """
    low = eight_or_better_strengths if eight_or_better else ace_to_five_strengths
    return low([_hand(cards)], ())[0]


def low_deuce_to_seven(cards: str | Iterable[Card | str | int]) -> int:
    """Return the strength of the best deuce-to-seven low among five to nine cards.

    Aces are high, straights and flushes count against the hand: 7-5-4-3-2 of several suits is the best, and 5-4-3-2-A
    is not a straight but ace high. Raises as `low_ace_to_five` does.
    """
    return deuce_to_seven_strengths([_hand(cards)], ())[0]


def ace_to_five_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return each seat's best ace-to-five low from its cards and the board; the cards are not checked."""
    lows = [_LOWEST[mask] for mask in _rank_masks(holes, board)]
    if 0 in lows:
        return [
            low or _PAIRED_LOWS[_rank_key((*hole, *board))] for low, hole in zip(lows, holes, strict=True)
        ]
    return lows


def eight_or_better_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return each seat's low, but 0 for lows above an eight; the cards are not checked."""
    lowest = _LOWEST
    return [lowest[mask & _EIGHTS] for mask in _rank_masks(holes, board)]


def _rank_masks(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return the mask of each seat's ranks, the ace in bit 0 and the king in bit 12."""
    bits = _RANK_BITS
    shared = 0
    for card in board:
        shared |= bits[card]
    masks = []
    for hole in holes:
        mask = shared
        for card in hole:
            mask |= bits[card]
        masks.append(mask)
    return masks


def _rank_key(cards: Sequence[Card]) -> int:
    return sum([RANK_KEYS[card] for card in cards])


def deuce_to_seven_strengths(holes: Holes, board: tuple[Card, ...]) -> list[int]:
    """Return each seat's best deuce-to-seven low from its cards and the board; the cards are not checked."""
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
    """Return each seat's eight-or-better low from two hole cards and three of the board, 0 without one.

    The cards are not checked.
    """
    (shared,) = _rank_masks([()], board)
    shared &= _EIGHTS
    if shared.bit_count() < 3:
        return [0] * len(holes)
    lows = _OMAHA_LOWS
    return [lows[(mask & _EIGHTS) << 8 | shared] for mask in _rank_masks(holes, ())]


class _LowestFives(dict[int, int]):
    """Mask of ranks -> low of the five lowest, 0 for fewer; computed when first asked for."""

    def __missing__(self, mask: int) -> int:
        low_first = [(place - 1) % 13 for place in range(13) if mask >> place & 1][:5]
        self[mask] = strengths(ACE_TO_FIVE)[0, *reversed(low_first)] if len(low_first) == 5 else 0
        return self[mask]


class _PairedLows(dict[int, int]):
    """Sum of rank keys -> the best ace-to-five low of cards of fewer than five ranks."""

    def __missing__(self, key: int) -> int:
        ranks = _ranks_of(key)
        # drop a card of the most frequent rank, the higher one if two are equally frequent
        while len(ranks) > 5:
            ranks.remove(max(ranks, key=lambda rank: (ranks.count(rank), (rank + 1) % 13)))
        self[key] = strengths(ACE_TO_FIVE)[_ace_class(ranks)]
        return self[key]


class _DeuceLows(dict[int, int]):
    """Sum of rank keys -> the best deuce-to-seven low of cards that hold no flush."""

    def __missing__(self, key: int) -> int:
        table = strengths(DEUCE_TO_SEVEN)
        fives = set(combinations(_ranks_of(key), 5))
        self[key] = max(table[_deuce_class(five, flush=False)] for five in fives)
        return self[key]


class _OmahaLows(dict[int, int]):
    """``hole << 8 | board``, masks of the eight low ranks -> the best low, 0 for none."""

    def __missing__(self, key: int) -> int:
        held, shared = key >> 8, key & _EIGHTS
        # five ranks of hole and board together, at least two of them in the hole and three on the board
        self[key] = next(
            (
                strength
                for five, strength in _eights()
                if five & (held | shared) == five
                and (five & held).bit_count() >= 2
                and (five & shared).bit_count() >= 3
            ),
            0,
        )
        return self[key]


@cache
def _eights() -> list[tuple[int, int]]:
    """Return the mask and strength of every five ranks up to the eight, the best first."""
    return [(mask, _LOWEST[mask]) for mask in range(_EIGHTS + 1) if mask.bit_count() == 5]


_RANK_BITS: Final = {card: 1 << ((card >> 2) + 1) % 13 for card in STANDARD_DECK}
_EIGHTS: Final = 0xFF
"""The bits of the ranks from the ace to the eight."""
_LOWEST: Final = _LowestFives()
_PAIRED_LOWS: Final = _PairedLows()
_DEUCE_LOWS: Final = _DeuceLows()
_OMAHA_LOWS: Final = _OmahaLows()


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


def _deuce_low_with_flush(cards: Sequence[Card]) -> int:
    """Try every five of the cards: with five or more of a suit, ranks alone do not decide."""
    table = strengths(DEUCE_TO_SEVEN)
    return max(
        table[_deuce_class([card >> 2 for card in five], flush=len({card & 3 for card in five}) == 1)]
        for five in combinations(cards, 5)
    )


def _ace_class(ranks: Sequence[int]) -> HandClass:
    """Return the class of five ranks, aces low."""
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), (rank + 1) % 13), reverse=True)
    return (_PATTERNS[tuple([ranks.count(rank) for rank in order])], *order)


def _deuce_class(ranks: Sequence[int], *, flush: bool) -> HandClass:
    """Return the class of five ranks, aces high."""
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    kind = _PATTERNS[tuple([ranks.count(rank) for rank in order])]
    if kind:
        return (kind, *order)
    straight = order[0] - order[4] == 4
    kind = {(False, False): 0, (True, False): 4, (False, True): 5, (True, True): 8}[straight, flush]
    return (kind, order[0]) if straight else (kind, *order)


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
    """Return badugi strengths with aces high, as in badeucy: 5-4-3-2 is the best."""
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
