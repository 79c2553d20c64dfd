"""Exact equities: every board for every pairing of hands."""

from poker_actors.evaluator.equity.exact.plain import MOST_PAIRINGS, pairings
from poker_actors.evaluator.equity.exact.run import exact_equity, expected_seconds, holdem_matchups

__all__ = ["MOST_PAIRINGS", "exact_equity", "expected_seconds", "holdem_matchups", "pairings"]
