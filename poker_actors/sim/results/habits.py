"""A player's figures as in a poker tracker, over all hands or in one position, from counters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from poker_actors.sim.statistics import STREETS

__all__ = ["COUNTED", "Habits", "Share", "StreetHabits"]

_AFTER: Final = STREETS[1:]


@attrs.frozen
class Share:
    """How often something happened: `count` times of `of`."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None if `of` is 0."""
        return self.count / self.of if self.of else None

    def __str__(self) -> str:
        return f"{100 * self.count / self.of:.1f} %" if self.of else "-"


@attrs.frozen
class StreetHabits:
    """A player's actions and continuation bets on one street."""

    street: str
    raises: int
    """bets and raises"""
    calls: int
    folds: int
    checks: int
    cbet: Share | None
    """None before the flop"""
    fold_to_cbet: Share | None

    @property
    def aggression(self) -> Share:
        """Aggression frequency: bets and raises out of all actions on the street but checks."""
        return Share(self.raises, self.raises + self.calls + self.folds)

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call; None without calls."""
        return self.raises / self.calls if self.calls else None


COUNTED: Final = {
    "vpip": "vpip",
    "pfr": "pfr",
    "three_bet": "three_bets",
    "fold_to_three_bet": "three_bets_folded_to",
    "steal": "steals",
    "fold_to_steal": "steals_folded_to",
    **{f"{street}_cbet": f"{street}_cbets" for street in _AFTER},
    **{f"fold_to_{street}_cbet": f"{street}_cbets_folded_to" for street in _AFTER},
    **{f"{street}_aggression": f"{street}_raises" for street in STREETS},
    "wtsd": "showdowns",
    "wsd": "showdowns_won",
    "wwsf": "flops_won",
    "all_in": "all_ins",
}
"""The counter that is the numerator of each statistic."""


class Habits:
    """The counters of a player's hands and the shares made of them; `counts` has the names of `COUNTERS`."""

    __slots__ = ()

    @property
    def bets(self) -> bool:
        """Whether there was any betting; in open-face games there is none, and the shares mean nothing."""
        turns = ("raises", "calls", "folds", "checks")
        return any(self.counts[f"{street}_{what}"] for street in STREETS for what in turns)

    counts: Mapping[str, int]

    def share(self, count: str, of: str) -> Share:
        """Return one counter as a share of another."""
        return Share(self.counts[count], self.counts[of])

    @property
    def vpip(self) -> Share:
        """Hands with a voluntary call or raise before the flop."""
        return self.share("vpip", "hands")

    @property
    def pfr(self) -> Share:
        """Hands raised before the flop."""
        return self.share("pfr", "hands")

    @property
    def wtsd(self) -> Share:
        """Showdowns reached, of the hands that saw a flop."""
        return self.share("showdowns", "flops")

    @property
    def wsd(self) -> Share:
        """Showdowns at which it won at least a share of a pot (W$SD)."""
        return self.share("showdowns_won", "showdowns")

    @property
    def showdowns_won(self) -> int:
        """Showdowns at which it won at least a share of a pot."""
        return self.counts["showdowns_won"]

    @property
    def flops_won(self) -> int:
        """Hands that saw a flop and won it at least a share of a pot."""
        return self.counts["flops_won"]

    @property
    def all_ins(self) -> int:
        """Hands that ended with all its chips in the pots."""
        return self.counts["all_ins"]

    @property
    def busts(self) -> int:
        """Hands that left it with nothing."""
        return self.counts["busts"]

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call from the flop on; None without calls."""
        raises = sum(self.counts[f"{street}_raises"] for street in _AFTER)
        calls = sum(self.counts[f"{street}_calls"] for street in _AFTER)
        return raises / calls if calls else None

    @property
    def streets(self) -> tuple[StreetHabits, ...]:
        """The figures of each street, preflop first."""
        return tuple(map(self._street, STREETS))

    @property
    def statistics(self) -> dict[str, Share]:
        """The statistics of a poker tracker, by name."""
        streets = self.streets
        after = streets[1:]
        return {
            "vpip": self.vpip,
            "pfr": self.pfr,
            "three_bet": self.share("three_bets", "three_bet_chances"),
            "fold_to_three_bet": self.share("three_bets_folded_to", "three_bets_faced"),
            "steal": self.share("steals", "steal_chances"),
            "fold_to_steal": self.share("steals_folded_to", "steals_faced"),
            **{f"{each.street}_cbet": each.cbet for each in after if each.cbet},
            **{f"fold_to_{each.street}_cbet": each.fold_to_cbet for each in after if each.fold_to_cbet},
            **{f"{each.street}_aggression": each.aggression for each in streets},
            "wtsd": self.wtsd,
            "wsd": self.wsd,
            "wwsf": self.share("flops_won", "flops"),
            "all_in": self.share("all_ins", "hands"),
        }

    def _street(self, street: str) -> StreetHabits:
        counts = self.counts
        first = street == STREETS[0]
        return StreetHabits(
            street,
            counts[f"{street}_raises"],
            counts[f"{street}_calls"],
            counts[f"{street}_folds"],
            counts[f"{street}_checks"],
            None if first else self.share(f"{street}_cbets", f"{street}_cbet_chances"),
            None if first else self.share(f"{street}_cbets_folded_to", f"{street}_cbets_faced"),
        )
