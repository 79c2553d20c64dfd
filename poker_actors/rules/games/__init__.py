"""All games, one row each in a table, and how to find them by name."""

from typing import Final

from poker_actors.rules.game import Betting, First, Share, Street
from poker_actors.rules.games.registry import GAMES, Rotation, game_named, games_of_packages
from poker_actors.rules.games.rows import draw_streets, flop_streets, row, stud_streets
from poker_actors.rules.games.table import FIVE_CARD, HOLDEM

__all__ = [
    "BADUGI",
    "DEUCE_TO_SEVEN_TRIPLE_DRAW",
    "FIVE_CARD",
    "FIVE_CARD_DRAW",
    "FIXED_LIMIT_HOLDEM",
    "GAMES",
    "HOLDEM",
    "KUHN",
    "LEDUC",
    "LIMIT_OMAHA_HI_LO",
    "POT_LIMIT_OMAHA",
    "RAZZ",
    "SHORT_DECK",
    "STUD",
    "STUD_HI_LO",
    "Betting",
    "First",
    "Rotation",
    "Share",
    "Street",
    "draw_streets",
    "flop_streets",
    "game_named",
    "games_of_packages",
    "row",
    "stud_streets",
]

FIXED_LIMIT_HOLDEM: Final = GAMES["limit-holdem"]
SHORT_DECK: Final = GAMES["short-deck"]
POT_LIMIT_OMAHA: Final = GAMES["omaha"]
LIMIT_OMAHA_HI_LO: Final = GAMES["limit-omaha8"]
STUD: Final = GAMES["stud"]
STUD_HI_LO: Final = GAMES["stud8"]
RAZZ: Final = GAMES["razz"]
FIVE_CARD_DRAW: Final = GAMES["five-card-draw"]
DEUCE_TO_SEVEN_TRIPLE_DRAW: Final = GAMES["2-7-triple-draw"]
BADUGI: Final = GAMES["badugi"]
KUHN: Final = GAMES["kuhn"]
LEDUC: Final = GAMES["leduc"]
