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
    """A player's figures in one position: `BTN`, `CO`, ... , `BB`, `SB`."""

    position: str
    hands: int
    net_chips: int
    counts: Mapping[str, int] = attrs.field(repr=False)
    bb_per_100: Estimate | None = None
    """None if the hands of a position depend on each other, and in files of earlier versions"""


@attrs.frozen
class PlayerResult(Habits):
    """One player's figures. Chips are whole, shares carry numerator and denominator."""

    seat: int
    bot: str
    hands: int
    net_chips: int
    bb_per_100: Estimate
    """big blinds won per 100 hands, with the 95 % margin that the form of the match allows"""
    bb_per_100_by_unit: Estimate | None
    """the same for forms with units, by duplicate deck or session; None if hands are independent"""
    bb_per_100_adjusted: Estimate | None
    """the same without the luck of the cards; None unless asked for"""
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """cumulative winnings in chips, after each block of hands"""
    corrected_curve: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""
    won: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """units won in each block of hands, half for each it broke even in; None in files of earlier versions"""
    positions: tuple[PositionResult, ...] = attrs.field(default=(), repr=False)
    """by position, the button first"""
    seconds_per_decision: float | None = attrs.field(default=None, eq=False)
    """mean over a sample of its decisions; None if none was timed (only the direct driver times)"""

    @property
    def gains(self) -> list[int]:
        """Chips won in each block of hands: the steps of the curve."""
        return [after - before for before, after in pairwise((0, *self.curve))]

    @property
    def corrected_gains(self) -> list[float] | None:
        """The same without the luck of the cards; None unless asked for."""
        if self.corrected_curve is None:
            return None
        return [after - before for before, after in pairwise((0.0, *self.corrected_curve))]

    @property
    def judged(self) -> Estimate:
        """The result by which it is judged: without the luck of the cards, if known."""
        return self.bb_per_100_adjusted or self.bb_per_100

    @property
    def bb_per_100_controlled(self) -> Estimate | None:
        """The former name of `bb_per_100_adjusted`."""
        return self.bb_per_100_adjusted

    @property
    def illegal_actions(self) -> int:
        """Faults of any kind, for each of which it checked or folded instead."""
        return self.faults.total
