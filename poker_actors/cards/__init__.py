"""Cards and decks."""

from poker_actors.cards.card import (
    CARDS,
    JOKERS,
    RANKS,
    SHORT_DECK,
    STANDARD_DECK,
    SUITS,
    Card,
    parse_cards,
)
from poker_actors.cards.deck import Deck

__all__ = [
    "CARDS",
    "JOKERS",
    "RANKS",
    "SHORT_DECK",
    "STANDARD_DECK",
    "SUITS",
    "Card",
    "Deck",
    "parse_cards",
]
