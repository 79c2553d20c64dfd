"""The hands of a seed, one after the other: what every table for learners deals by."""

from __future__ import annotations

import secrets

from poker_actors.bots import SeedTree
from poker_actors.cards import Card, Deck

__all__ = ["Series"]


class Series:
    """Hand k of a seed is hand k, whoever plays and whatever was done before."""

    def __init__(self) -> None:
        self.number: int = -1
        """of the hand, from 0 since the seed"""
        self.tree: SeedTree | None = None

    def seed(self, seed: int | None) -> None:
        """Start the series of hands of `seed`; with None, continue, or draw a seed before the first hand."""
        if seed is None and self.tree is not None:
            return
        self.tree = SeedTree(secrets.randbits(63) if seed is None else seed)
        self.number = -1

    def next_deck(self, pack: tuple[Card, ...], deck: Deck | None) -> Deck:
        """Go on to the next hand and give its deck, or `deck` if there is one."""
        assert self.tree is not None, "a table is seeded before it deals"
        self.number += 1
        return self.tree.deck(self.number, pack) if deck is None else deck
