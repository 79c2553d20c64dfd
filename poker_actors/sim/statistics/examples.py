"""Example hands: the first few counted by each counter of a bot, and in each position."""

from __future__ import annotations

from typing import Final

from poker_actors.rules import Hand
from poker_actors.sim.statistics.counters import COUNTERS, unpacked
from poker_actors.sim.statistics.lines import read_line
from poker_actors.sim.statistics.seating import collectors
from poker_actors.sim.statistics.sums import EXAMPLES, Sums

__all__ = ["PASSIVE", "Examples"]

PASSIVE: Final = frozenset(
    name for name in COUNTERS if name.endswith(("_folds", "_checks", "_calls", "hands"))
)
"""Counters of what happens in every other hand, which needs no examples."""


class Examples:
    """Collects example hands, for reports only: reading a hand by itself costs as much as counting it."""

    def note(self, sums: Sums, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Add a finished hand to the examples of each counter and position it counts in."""
        size = len(who)
        dealt = [seat for seat, stack in enumerate(hand.starting) if stack]
        order = sorted(dealt, key=lambda seat: (seat - hand.button - 1) % size)
        counts = read_line(hand.log, hand.marks, order, size)
        for seat in dealt:
            for name, count in unpacked(counts[seat]).items():
                if count and name not in PASSIVE:
                    self._add(sums, who[seat], name, number)
        if hand.strengths is not None:
            for seat in collectors(hand):
                self._add(sums, who[seat], "showdowns_won", number)
        if len(hand.marks) > 1:
            for seat in collectors(hand):
                self._add(sums, who[seat], "flops_won", number)
        for seat in hand.live:
            if seat not in hand.can_bet:
                self._add(sums, who[seat], "all_ins", number)
        # from the button to the right, the order in which positions are named
        for place, seat in enumerate(sorted(dealt, key=lambda seat: (hand.button - seat) % size)):
            self._add(sums, who[seat], f"position {len(dealt)} {place}", number)

    def _add(self, sums: Sums, bot: int, name: str, number: int) -> None:
        named = sums.examples.setdefault((bot, name), [])
        if len(named) < EXAMPLES and number not in named:
            named.append(number)
