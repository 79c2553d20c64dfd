"""Sampled equities: random deals, with their standard errors."""

from poker_actors.evaluator.equity.sampling.run import sampled_equity

__all__ = ["sampled_equity"]
