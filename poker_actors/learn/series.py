"""The series of hands of a seed, from which every learners' table deals."""

from __future__ import annotations

from poker_actors.bots import SeedTree, drawn_seed
from poker_actors.cards import Card, Deck

__all__ = ["Series"]


class Series:
    """A series of hands: hand k of a seed has the same cards whoever plays and whatever happened before."""

    def __init__(self) -> None:
        self.number: int = -1
        """the hand's number, 0 being the first of the seed; -1 before it"""
        self.tree: SeedTree | None = None

    def seed(self, seed: int | None) -> None:
        """Start the series of hands of `seed`; with None, continue, or draw a seed before the first hand."""
        if seed is None and self.tree is not None:
            return
        self.tree = SeedTree(drawn_seed() if seed is None else seed)
        self.number = -1

    def next_deck(self, pack: tuple[Card, ...], deck: Deck | None) -> Deck:
        """Advance to the next hand and return its deck, or `deck` if given."""
        assert self.tree is not None, "a table is seeded before it deals"
        self.number += 1
        return self.tree.deck(self.number, pack) if deck is None else deck
