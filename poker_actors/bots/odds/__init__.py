"""Bots that state the probabilities of their actions."""

from poker_actors.bots.odds.asking import Odds, OddsBot, as_raise, odds_of, states_odds

__all__ = ["Odds", "OddsBot", "as_raise", "odds_of", "states_odds"]
