"""The bot `expert`: situations, classes of cards, and the strategy table over both."""

from poker_actors.bots.expert.bot import CHARACTERS, LEVELS, Expert, choices_of
from poker_actors.bots.expert.situation import (
    ACTIONS,
    BUCKETS,
    CHART,
    MOST_POTS,
    RAISES,
    entering,
    largest,
    pressure,
    raise_totals,
    rough,
    situation,
    situation_of,
    street_of,
    texture,
)
from poker_actors.bots.expert.table import StrategyTable, shipped_table, table_of

__all__ = [
    "ACTIONS",
    "BUCKETS",
    "CHARACTERS",
    "CHART",
    "LEVELS",
    "MOST_POTS",
    "RAISES",
    "Expert",
    "StrategyTable",
    "choices_of",
    "entering",
    "largest",
    "pressure",
    "raise_totals",
    "rough",
    "shipped_table",
    "situation",
    "situation_of",
    "street_of",
    "table_of",
    "texture",
]
