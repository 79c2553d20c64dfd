"""Figures about a room: where its chips are, and the health of its actors."""

from __future__ import annotations

import attrs

__all__ = ["Audit", "Health"]


@attrs.frozen
class Audit:
    """Where the chips are. They are conserved if `minted` equals the sum of the rest."""

    minted: int
    """all chips in the room, lent ones included"""
    bank: int
    tables: int
    hands: int
    forfeit: int = 0
    """given up by players to the house"""
    rake: int = 0
    """taken out of pots by the house"""

    @property
    def conserved(self) -> bool:
        """Whether no chip has appeared or vanished."""
        return self.minted == self.bank + self.tables + self.hands + self.forfeit + self.rake


@attrs.frozen
class Health:
    """The health of a room: actors alive and down, restarts so far, messages waiting and dropped."""

    alive: tuple[str, ...]
    restarts: int
    failed: tuple[str, ...]
    waiting: int
    lost: int
