"""Lows, where the worst poker hand wins; as all strengths, higher is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import ACE_TO_FIVE, DEUCE_TO_SEVEN, HandClass, class_of, strengths
from poker_actors.evaluator.single import parse_hand

__all__ = ["EIGHT_OR_BETTER", "best_low", "low_ace_to_five", "low_deuce_to_seven"]

EIGHT_OR_BETTER: Final = 6
"""The highest rank of an eight-or-better low."""
_ACE: Final = 12
_PATTERNS: Final = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}


def low_ace_to_five(cards: str | Iterable[Card | str | int], *, eight_or_better: bool = False) -> int:
    """Give the strength of the best ace-to-five low among five to nine cards.

    Aces are low, straights and flushes do not count: 5-4-3-2-A is the best. With
    `eight_or_better`, 0 when no five different ranks up to the eight are there. These strengths
    compare with each other only. Raises as `evaluate` does, and `BadSpec` for fewer than five
    cards or a joker.
    """
    strength = best_low([card.rank for card in _hand(cards)])
    return 0 if eight_or_better and not _qualifies(strength) else strength


def low_deuce_to_seven(cards: str | Iterable[Card | str | int]) -> int:
    """Give the strength of the best deuce-to-seven low among five to nine cards.

    Aces are high, straights and flushes count against it: 7-5-4-3-2 of several suits is the best,
    and 5-4-3-2-A is no straight but an ace-high hand. Raises as `low_ace_to_five` does.
    """
    table = strengths(DEUCE_TO_SEVEN)
    return max(table[_deuce_class(five)] for five in combinations(_hand(cards), 5))


def best_low(ranks: Sequence[int]) -> int:
    """Give the ace-to-five strength of five or more ranks (0 deuce to 12 ace)."""
    return _best_low(tuple(sorted(ranks)))


def omaha_low(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """Give the eight-or-better low of two hole cards and three of the board, 0 without one."""
    low_hole = {card.rank for card in hole if card.rank <= EIGHT_OR_BETTER or card.rank == _ACE}
    low_board = {card.rank for card in board if card.rank <= EIGHT_OR_BETTER or card.rank == _ACE}
    return max(
        (
            best_low([*two, *three])
            for two in combinations(sorted(low_hole), 2)
            for three in combinations(sorted(low_board - {*two}), 3)
        ),
        default=0,
    )


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


@cache
def _best_low(ranks: tuple[int, ...]) -> int:
    table = strengths(ACE_TO_FIVE)
    return max(table[_ace_class(five)] for five in set(combinations(ranks, 5)))


def _ace_class(ranks: Sequence[int]) -> HandClass:
    """Give the class of five ranks with the ace below the deuce."""
    counted = Counter(ranks)
    order = sorted(counted, key=lambda rank: (counted[rank], (rank + 1) % 13), reverse=True)
    return (_PATTERNS[tuple(counted[rank] for rank in order)], *order)


def _deuce_class(five: Sequence[Card]) -> HandClass:
    """Give the class of five cards with the ace above the king."""
    counted = Counter(card.rank for card in five)
    order = sorted(counted, key=lambda rank: (counted[rank], rank), reverse=True)
    kind = _PATTERNS[tuple(counted[rank] for rank in order)]
    if kind:
        return (kind, *order)
    straight = order[0] - order[4] == 4
    flush = len({card.suit for card in five}) == 1
    kind = {(False, False): 0, (True, False): 4, (False, True): 5, (True, True): 8}[straight, flush]
    return (kind, order[0]) if straight else (kind, *order)
