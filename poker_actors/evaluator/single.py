"""How strong is one hand of up to nine cards, jokers among them?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator.keys import (
    FIVE_SUITED,
    JOKER,
    KEYS,
    RANKED,
    RANKS_ONLY,
    SUIT_BITS,
    SUIT_OVERFLOW,
    SUITED,
)

__all__ = ["MOST_CARDS", "evaluate"]

MOST_CARDS: Final = 9


def evaluate(cards: str | Iterable[Card | str | int]) -> int:
    """Give the strength of the best five of up to nine cards: higher is better, equal is a tie.

    Fewer than five cards are ranked by what is there, in the same order. A joker is the best
    card not already held, so there is no five of a kind. Compare strengths with `<`, name them
    with `category` and `describe`; the number itself means nothing else.

    Raises `BadCard` for what is no card, `DuplicateCard` for a card given twice or a third joker,
    and `BadSpec` for more than nine cards.

    >>> evaluate("AhAd7c7hJd") > evaluate("KhKd7c7hAd")
    True
    """
    hand = parse_cards(cards)
    if len(hand) > MOST_CARDS:
        raise BadSpec(f"a hand of {len(hand)} cards is too long: at most {MOST_CARDS} can be evaluated")
    return strength_of(hand)


def strength_of(hand: Sequence[int]) -> int:
    """Give the strength of up to nine cards already known to be different cards."""
    key = 0
    for card in hand:
        key += KEYS[card]
    strength = RANKED[key & RANKS_ONLY]
    if (key + FIVE_SUITED) & SUIT_OVERFLOW:
        jokers = (key & RANKS_ONLY) // JOKER << 13
        for bits in SUIT_BITS:
            mask = jokers
            for card in hand:
                mask |= bits[card]
            strength = max(strength, SUITED[mask])
    return strength
