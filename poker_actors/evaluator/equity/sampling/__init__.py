"""Sampled equities: random deals, and how sure they make us."""

from poker_actors.evaluator.equity.sampling.run import sampled_equity

__all__ = ["sampled_equity"]
