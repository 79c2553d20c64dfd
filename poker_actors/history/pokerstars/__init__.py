"""PokerStars' text: one paragraph a hand, in the words of a dealer."""

from poker_actors.history.pokerstars.read import parse_pokerstars, pokerstars_hands
from poker_actors.history.pokerstars.write import pokerstars_text

__all__ = ["parse_pokerstars", "pokerstars_hands", "pokerstars_text"]
