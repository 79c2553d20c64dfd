"""What a report shows of single hands: the first few behind each figure, and the starting hands of each bot."""

from __future__ import annotations

from functools import cache
from operator import add
from typing import Final

from poker_actors.bots import hand_class
from poker_actors.rules import Hand
from poker_actors.rules.log import BET, CALLED, RAISED, kind_of, seat_of
from poker_actors.sim.statistics.counters import COUNTERS, STREETS, unpacked
from poker_actors.sim.statistics.lines import read_line
from poker_actors.sim.statistics.seating import collectors
from poker_actors.sim.statistics.sums import EXAMPLES, Sums

__all__ = ["PASSIVE", "Examples", "count_starting_hands"]

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


def count_starting_hands(sums: Sums, hand: Hand, who: tuple[int, ...]) -> None:
    """Count the two hole cards of each seat of a finished hand, and whether they were played and raised before the flop."""
    entries = hand.log[: hand.marks[1]] if len(hand.marks) > 1 else hand.log
    if hand.game.streets[0].name != STREETS[0]:
        entries = []
    acted = [(seat_of(entry), kind_of(entry)) for entry in entries]
    raised = {seat for seat, kind in acted if kind in (BET, RAISED)}
    played = raised | {seat for seat, kind in acted if kind == CALLED}
    for seat, hole in enumerate(hand.holes):
        if len(hole) == 2:
            row = sums.starting_hands.setdefault((who[seat], _class_of(*hole)), [0, 0, 0, 0])
            won = hand.stacks[seat] - hand.starting[seat]
            row[:] = map(add, row, (1, seat in played, seat in raised, won))


_class_of: Final = cache(hand_class)
