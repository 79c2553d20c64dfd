"""Environments for learners: PettingZoo for a table, Gymnasium for a seat, batches of tables (extra `rl`)."""

from poker_actors.learn.layout import CompactLayout, Layout
from poker_actors.learn.making import env, seat_env, seat_vector_env, table_batch
from poker_actors.learn.policies import Policy, policy_of
from poker_actors.learn.table import DEFAULT_SIZES, LearningTable, RaiseSizes, Setting

__all__ = [
    "DEFAULT_SIZES",
    "CompactLayout",
    "Layout",
    "LearningTable",
    "Policy",
    "RaiseSizes",
    "Setting",
    "env",
    "policy_of",
    "seat_env",
    "seat_vector_env",
    "table_batch",
]
