"""The numbers and texts of the poker-eval library (`libpoker`), odd cases included.

A value is ``type << 24 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5``; ranks count from 0, the
deuce, and unused places are 0. Fewer than five cards therefore print their missing ranks as 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from poker_actors.cards import RANKS, Card
from poker_actors.errors import BadCard, BadSpec
from poker_actors.evaluator.order import STANDARD, class_of, scale_of, strengths
from poker_actors.evaluator.order.keys import SUITED, best_of_ranks

__all__ = ["evaluate", "from_strength", "handval"]

_TYPES: Final = (
    ("NoPair", 5),
    ("OnePair", 4),
    ("TwoPair", 3),
    ("Trips", 3),
    ("Straight", 1),
    ("Flush", 5),
    ("FlHouse", 2),
    ("Quads", 2),
    ("StFlush", 1),
)
"""Name and how many ranks its text shows, by type (which is our category)."""
_PLACES: Final = (16, 12, 8, 4, 0)


def evaluate(cards: str | Iterable[Card | str | int]) -> int:
    """Give the value of the best five of any number of cards (up to 52), as the library does.

    Of each word only two letters are read and case does not matter (`Ah,Kd` is the ace alone); a
    card given twice counts once; no cards, or a word that is no card (`10h`, a joker), give 0,
    which is also the value of `2c` - use `poker_actors.evaluator.evaluate` to have these refused.

    >>> evaluate("Ah 7c Jd As 7h")
    34363648
    """
    words: Iterable[Card | str | int] = cards.split() if isinstance(cards, str) else cards
    masks = [0, 0, 0, 0]
    for word in words:
        try:
            card = Card(word[:1].upper() + word[1:2].lower() if isinstance(word, str) else word)
        except BadCard:
            return 0
        if card.is_joker:
            return 0
        masks[card.suit] |= 1 << card.rank
    by_rank = best_of_ranks([sum(mask >> rank & 1 for mask in masks) for rank in range(13)])
    return from_strength(max(strengths()[by_rank], *(SUITED[mask] for mask in masks)))


def from_strength(strength: int) -> int:
    """Give the value of a strength. Raises `BadSpec` for one of another order (short-deck, lows)."""
    made = class_of(strength)
    if scale_of(strength) != STANDARD:
        raise BadSpec(f"strength {strength} is of an order that libpoker has not")
    return made[0] << 24 | sum(rank << place for rank, place in zip(made[1:], _PLACES, strict=False))


def handval(value: int) -> str:
    """Give the text of a value: `TwoPair (A 7 J)`.

    Raises `BadSpec` for a number that is no value.

    >>> handval(34363648)
    'TwoPair (A 7 J)'
    """
    kind = value >> 24
    ranks = [value >> place & 15 for place in _PLACES]
    if not 0 <= kind < len(_TYPES) or value >> 20 & 15 or max(ranks) > 12:
        raise BadSpec(f"{value} is no libpoker hand value")
    name, shown = _TYPES[kind]
    return f"{name} ({' '.join(RANKS[rank] for rank in ranks[:shown])})"
