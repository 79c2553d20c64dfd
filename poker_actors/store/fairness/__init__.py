"""Commit to a deck before the deal, and prove afterwards that it was the deck dealt."""

from poker_actors.store.fairness.record import FairnessRecord, SealedDeal, reshuffles

__all__ = ["FairnessRecord", "SealedDeal", "reshuffles"]
