"""Bots that say with which chance they do what."""

from poker_actors.bots.odds.asking import Odds, OddsBot, odds_of

__all__ = ["Odds", "OddsBot", "odds_of"]
