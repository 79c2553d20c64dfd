"""Rank many bots by a round robin: bankroll, run-off, ratings and populations."""

from poker_actors.sim.ranking.rank import Ranking, ranked
from poker_actors.sim.ranking.ratings import (
    Crosstable,
    Spread,
    alpha_rank,
    bankroll,
    elo,
    least_squares,
    replicator,
    run_off,
)
from poker_actors.sim.ranking.words import ranking_text

__all__ = [
    "Crosstable",
    "Ranking",
    "Spread",
    "alpha_rank",
    "bankroll",
    "elo",
    "least_squares",
    "ranked",
    "ranking_text",
    "replicator",
    "run_off",
]
