"""The bot `expert`: situations, classes of cards, and the strategy table over both."""

from poker_actors.bots.expert.bot import CHARACTERS, LEVELS, Expert, choices_of
from poker_actors.bots.expert.situation import (
    ACTIONS,
    BUCKETS,
    CHART,
    entering,
    pressure,
    raise_totals,
    situation,
    situation_of,
    street_of,
)
from poker_actors.bots.expert.table import StrategyTable, shipped_table, table_of

__all__ = [
    "ACTIONS",
    "BUCKETS",
    "CHARACTERS",
    "CHART",
    "LEVELS",
    "Expert",
    "StrategyTable",
    "choices_of",
    "entering",
    "pressure",
    "raise_totals",
    "shipped_table",
    "situation",
    "situation_of",
    "street_of",
    "table_of",
]
