"""Environments for learners: PettingZoo for a whole table, Gymnasium for one seat (extra `rl`)."""

from poker_actors.learn.layout import Layout
from poker_actors.learn.making import env, seat_env
from poker_actors.learn.sizes import DEFAULT_SIZES, RaiseSizes
from poker_actors.learn.table import LearningTable, Setting

__all__ = [
    "DEFAULT_SIZES",
    "Layout",
    "LearningTable",
    "RaiseSizes",
    "Setting",
    "env",
    "seat_env",
]
