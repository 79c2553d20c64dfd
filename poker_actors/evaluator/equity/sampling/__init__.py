"""Sampled equities: random deals with standard errors."""

from poker_actors.evaluator.equity.sampling.run import sampled_equity

__all__ = ["sampled_equity"]
