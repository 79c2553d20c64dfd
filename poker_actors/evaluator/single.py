"""The strength of one hand of up to nine cards, jokers included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import CARDS, Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator.order import SHORT_DECK
from poker_actors.evaluator.order.classes import (
    FIVE_SUITED,
    JOKER,
    KEYS,
    RANKED,
    RANKS_ONLY,
    SHORT_RANKED,
    SHORT_SUITED,
    SUIT_BITS,
    SUIT_MASKS,
    SUIT_OVERFLOW,
    SUITED,
)

__all__ = [
    "MOST_CARDS",
    "evaluate",
    "evaluate_short_deck",
    "parse_hand",
    "short_strength_of",
    "strength_of",
]

MOST_CARDS: Final = 9
"""Most cards of a hand: the fields of a key hold the sums of so many; see `order.keys`."""
_BEYOND: Final = [None] * 10_000
"""Padding of the lists of keys: None makes the sum raise `TypeError` for jokers (52, 53) and for negative numbers.

Negative indices count from the end: without the padding, -1 would be read as the ace of spades.
"""
_KEYS: Final[list[int]] = [KEYS[card] + (1 << 48 + card) for card in CARDS[:52]]
"""Keys with one more bit per card from bit 48, above the counters of suits: a card given twice carries, and fewer bits
than cards remain. So one sum both checks a hand and looks it up."""
_LAST_KEYS: Final[list[int]] = [key + FIVE_SUITED for key in _KEYS]
_KEYS.extend(_BEYOND)  # type: ignore[arg-type]  # None is there to raise TypeError
_LAST_KEYS.extend(_BEYOND)  # type: ignore[arg-type]  # as above
_SEVENS: Final[dict[int, int]] = {}
"""A copy of `RANKED` for seven cards: a plain dict is faster to look up than a subclass with `__missing__`.

It holds only hands without a flush, which ranks alone would not show. Threads may fill it at the same time, since all
write the same value for a key.
"""


def evaluate(cards: str | Iterable[Card | str | int]) -> int:
    """Return the strength of the best five of up to nine cards: higher is better, equal is a tie.

    Fewer than five cards are ranked in the same order by what they hold. A joker is the best card not already held, so
    five of a kind do not exist. Compare strengths with `<`, and name them with `category` and `describe`; the number
    has no other meaning.

    Raises `BadCard` for anything that is not a card, `DuplicateCard` for a card given twice or a third joker, and
    `BadSpec` for more than nine cards.

    >>> evaluate("AhAd7c7hJd") > evaluate("KhKd7c7hAd")
    True
    """
    # Seven natural cards, the common case, are written out: a loop and global names would cost half as much again.
    # 0x8888_0000_0000 is SUIT_OVERFLOW and 0xFFFF_FFFF is RANKS_ONLY; if `keys` moves its fields, change them along.
    # `_LAST_KEYS` adds FIVE_SUITED. Every fault raises one of the three errors, and `_evaluate_any` then names it.
    try:
        if len(cards) == 7:  # type: ignore[arg-type]  # an iterator has no length: TypeError
            a, b, c, d, e, f, g = cards  # type: ignore[str-unpack]  # letters index no list: TypeError
            t = _KEYS
            key = t[a] + t[b] + t[c] + t[d] + t[e] + t[f] + _LAST_KEYS[g]  # type: ignore[index]  # as above
            if (key >> 48).bit_count() == 7:
                if not key & 0x8888_0000_0000:
                    return _SEVENS[key & 0xFFFF_FFFF]
                bits = SUIT_MASKS[key & SUIT_OVERFLOW]  # final: no full house or quads with a flush
                return SUITED[sum([bits[card] for card in cards])]  # type: ignore[index,misc]  # as above
    except (TypeError, IndexError, KeyError):
        return _evaluate_any(cards)
    return _evaluate_any(cards)


def _evaluate_any(cards: str | Iterable[Card | str | int]) -> int:
    """Evaluate any hand: other than seven natural cards, faulty, or of seven ranks not yet in `_SEVENS`."""
    hand = parse_hand(cards)
    strength = strength_of(hand)
    key = sum([KEYS[card] for card in hand])
    if len(hand) == 7 and not (key + FIVE_SUITED) & SUIT_OVERFLOW and key & RANKS_ONLY < JOKER:
        _SEVENS[key & RANKS_ONLY] = strength
    return strength


def parse_hand(cards: str | Iterable[Card | str | int], most: int = MOST_CARDS) -> tuple[Card, ...]:
    """Parse a hand of at most `most` cards; raises as `parse_cards` does, and `BadSpec` for more."""
    hand = parse_cards(cards)
    if len(hand) > most:
        raise BadSpec(f"a hand of {len(hand)} cards is too long: at most {most} can be evaluated")
    return hand


def strength_of(hand: Sequence[int]) -> int:
    """Return the strength of up to nine different cards, unchecked."""
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


def evaluate_short_deck(cards: str | Iterable[Card | str | int]) -> int:
    """Return the strength of up to nine cards from the six up, in the order of `short_deck_strengths`.

    Raises as `evaluate` does, and `BadSpec` for a joker or a card below six.
    """
    hand = parse_hand(cards)
    for card in hand:
        if not 4 <= card.rank < 13:
            raise BadSpec(f"{card} is not in the short deck of {len(CARDS[16:52])} cards")
    return short_strength_of(hand)


def short_strength_of(hand: Sequence[int]) -> int:
    """Return the short-deck strength of up to nine different cards of that deck, unchecked."""
    strength = SHORT_RANKED[sum([KEYS[card] for card in hand]) & RANKS_ONLY]
    for bits in SUIT_BITS:
        strength = max(strength, SHORT_SUITED[sum([bits[card] for card in hand])])
    assert strength >> 16 == SHORT_DECK
    return strength
