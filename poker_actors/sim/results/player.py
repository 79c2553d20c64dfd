"""One player's figures, each with numerator and denominator."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.results.habits import Habits

__all__ = ["PlayerResult", "PositionResult"]


@attrs.frozen
class PositionResult(Habits):
    """What a player did in one position: `BTN`, `CO`, ... , `BB`, `SB`."""

    position: str
    hands: int
    net_chips: int
    counts: Mapping[str, int] = attrs.field(repr=False)


@attrs.frozen
class PlayerResult(Habits):
    """One player's figures. Chips are whole, shares carry numerator and denominator."""

    seat: int
    bot: str
    hands: int
    net_chips: int
    bb_per_100: Estimate
    """big blinds won per 100 hands, with its 95 % margin, as if every hand were for itself"""
    bb_per_100_by_unit: Estimate | None
    """the same with the margin that the form of the match allows: by duplicate deck, by session"""
    bb_per_100_adjusted: Estimate | None
    """with all-in hands counted by what they were worth; None unless asked for"""
    bb_per_100_controlled: Estimate | None
    """the same, less what the hole cards dealt explain of it; None also for games it cannot tell"""
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """winnings in chips as the hands went by, at equal distances"""
    positions: tuple[PositionResult, ...] = attrs.field(default=(), repr=False)
    """by position, the button first"""
    seconds_per_decision: float | None = attrs.field(default=None, eq=False)
    """mean over a sample of its decisions; None when none was timed (only the direct driver does)"""

    @property
    def gains(self) -> list[int]:
        """What it won in each stretch of hands, in chips; the steps of the curve."""
        return [after - before for before, after in pairwise((0, *self.curve))]

    @property
    def judged(self) -> Estimate:
        """The result with the margin that is right: by unit where hands hang together."""
        return self.bb_per_100_by_unit or self.bb_per_100

    @property
    def illegal_actions(self) -> int:
        """Times it gave no legal action, of whatever kind, and checked or folded instead."""
        return self.faults.total
