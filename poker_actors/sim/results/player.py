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
    bb_per_100: Estimate | None = None
    """None where hands in one position hang together, and in files of earlier versions"""


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
    """the same where hands hang together, by duplicate deck or session; None where they do not"""
    bb_per_100_adjusted: Estimate | None
    """the same without the luck of the cards; None unless asked for"""
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """winnings in chips as the hands went by, at equal distances"""
    corrected_curve: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """the same without the luck of the cards; None unless asked for"""
    won: tuple[float, ...] | None = attrs.field(default=None, repr=False)
    """units won in each block of hands, half for one it broke even in; None in files of earlier versions"""
    positions: tuple[PositionResult, ...] = attrs.field(default=(), repr=False)
    """by position, the button first"""
    seconds_per_decision: float | None = attrs.field(default=None, eq=False)
    """mean over a sample of its decisions; None when none was timed (only the direct driver does)"""

    @property
    def gains(self) -> list[int]:
        """What it won in each block of hands, in chips; the steps of the curve."""
        return [after - before for before, after in pairwise((0, *self.curve))]

    @property
    def corrected_gains(self) -> list[float] | None:
        """The same without the luck of the cards; None unless asked for."""
        if self.corrected_curve is None:
            return None
        return [after - before for before, after in pairwise((0.0, *self.corrected_curve))]

    @property
    def judged(self) -> Estimate:
        """The result that everything said of it goes by: without the luck of the cards, if that is known."""
        return self.bb_per_100_adjusted or self.bb_per_100

    @property
    def bb_per_100_controlled(self) -> Estimate | None:
        """What is now `bb_per_100_adjusted`."""
        return self.bb_per_100_adjusted

    @property
    def illegal_actions(self) -> int:
        """Times it gave no legal action, of whatever kind, and checked or folded instead."""
        return self.faults.total
