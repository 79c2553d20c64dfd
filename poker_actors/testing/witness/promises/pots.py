"""Judge a finished hand by the referee."""

from __future__ import annotations

from poker_actors.actors import HandResult
from poker_actors.history.refereed import verdicts
from poker_actors.testing.witness.promise import Heard, Hears, Promise

__all__ = ["PotsArePaid"]


class PotsArePaid(Promise):
    """Hands are played and pots are paid by the rules."""

    name = "pots"
    says = "A finished hand was played, and pays, as the referee computes it from the rule books."

    def hears(self) -> Hears:
        """Return what it listens to."""
        return Hears({HandResult: self.result})

    def result(self, heard: Heard[HandResult]) -> None:
        """Judge a finished hand."""
        hand = heard.what.hand
        if hand is None:
            return
        found = verdicts(hand)
        self.holds(not found, heard, lambda: f"{heard.what.hand_id}: {found[0].words}; {hand!r}")
