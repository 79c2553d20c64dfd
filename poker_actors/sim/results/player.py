"""One player's figures, each with numerator and denominator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.statistics import STREETS

__all__ = ["PlayerResult", "PositionResult", "Share"]

_AFTER: Final = STREETS[1:]


@attrs.frozen
class Share:
    """How often something happened: `count` of `of` times."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None when there was no occasion."""
        return self.count / self.of if self.of else None

    def __str__(self) -> str:
        return f"{100 * self.count / self.of:.1f} %" if self.of else "-"


@attrs.frozen
class PositionResult:
    """What a player did in one position: `BTN`, `CO`, ... , `BB`, `SB`."""

    position: str
    hands: int
    net_chips: int
    vpip: Share
    pfr: Share


@attrs.frozen
class PlayerResult:
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
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    showdowns_won: int
    flops_won: int
    all_ins: int
    busts: int
    """hands that left it with nothing"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """winnings in chips as the hands went by, at equal distances"""
    positions: tuple[PositionResult, ...] = attrs.field(default=(), repr=False)
    """by position, the button first"""
    seconds_per_decision: float | None = attrs.field(default=None, eq=False)
    """mean over a sample of its decisions; None when none was timed (only the direct driver does)"""

    def share(self, count: str, of: str) -> Share:
        """Give one counter out of another."""
        return Share(self.counts[count], self.counts[of])

    @property
    def vpip(self) -> Share:
        """Hands in which it put chips in of its own will before the flop."""
        return self.share("vpip", "hands")

    @property
    def pfr(self) -> Share:
        """Hands it raised before the flop."""
        return self.share("pfr", "hands")

    @property
    def wtsd(self) -> Share:
        """Went to showdown, of the hands in which it saw a flop."""
        return self.share("showdowns", "flops")

    @property
    def wsd(self) -> Share:
        """Won some or all of a pot at showdown (W$SD)."""
        return Share(self.showdowns_won, self.counts["showdowns"])

    @property
    def illegal_actions(self) -> int:
        """Times it gave no legal action, of whatever kind, and checked or folded instead."""
        return self.faults.total

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises for each call after the flop; None when it never called there."""
        raises = sum(self.counts[f"{street}_raises"] for street in _AFTER)
        calls = sum(self.counts[f"{street}_calls"] for street in _AFTER)
        return raises / calls if calls else None

    @property
    def statistics(self) -> dict[str, Share]:
        """The poker tracker's set, by name."""
        return {
            "vpip": self.vpip,
            "pfr": self.pfr,
            "three_bet": self.share("three_bets", "three_bet_chances"),
            "fold_to_three_bet": self.share("three_bets_folded_to", "three_bets_faced"),
            "steal": self.share("steals", "steal_chances"),
            "fold_to_steal": self.share("steals_folded_to", "steals_faced"),
            **{f"{s}_cbet": self.share(f"{s}_cbets", f"{s}_cbet_chances") for s in _AFTER},
            **{f"fold_to_{s}_cbet": self.share(f"{s}_cbets_folded_to", f"{s}_cbets_faced") for s in _AFTER},
            **{f"{s}_aggression": self._aggression(s) for s in STREETS},
            "wtsd": self.wtsd,
            "wsd": self.wsd,
            "wwsf": Share(self.flops_won, self.counts["flops"]),
        }

    def _aggression(self, street: str) -> Share:
        """Aggression frequency: bets and raises of all its actions on the street but checks."""
        raises = self.counts[f"{street}_raises"]
        others = self.counts[f"{street}_calls"] + self.counts[f"{street}_folds"]
        return Share(raises, raises + others)
