"""Hands judged by the referee: a hand told to it in its own words."""

from poker_actors.history.refereed.facts import facts_of, offer, refereed, sheet_of, sitting_of, verdicts

__all__ = ["facts_of", "offer", "refereed", "sheet_of", "sitting_of", "verdicts"]
