"""The built-in bots; importing this package registers them."""

from poker_actors.bots.adaptive.bot import Adaptive
from poker_actors.bots.expert.bot import Expert
from poker_actors.bots.house.judging import hand_class, starting_ranks
from poker_actors.bots.house.simple import Scripted, caller, folder, maniac, random_bot
from poker_actors.bots.house.thinking import equity, loose, pot_odds, tight

__all__ = [
    "Adaptive",
    "Expert",
    "Scripted",
    "caller",
    "equity",
    "folder",
    "hand_class",
    "loose",
    "maniac",
    "pot_odds",
    "random_bot",
    "starting_ranks",
    "tight",
]
