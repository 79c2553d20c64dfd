"""Rank many bots by a round robin: bankroll, run-off, ratings and populations."""

from poker_actors.sim.ranking.paired import Fit, Residual, TableResult, paired_estimates, residuals_of
from poker_actors.sim.ranking.rank import ranked, ranking_text
from poker_actors.sim.ranking.ratings import alpha_rank, bankroll, elo, least_squares, replicator, run_off

__all__ = [
    "Fit",
    "Residual",
    "TableResult",
    "alpha_rank",
    "bankroll",
    "elo",
    "least_squares",
    "paired_estimates",
    "ranked",
    "ranking_text",
    "replicator",
    "residuals_of",
    "run_off",
]
