"""An opponent's figures as on a tracker's display (HUD), counted from the ends of hands that a bot hears."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from poker_actors.bots.hearing import HandEnd
from poker_actors.rules import Bet, Call, Fold, PublicState, RaiseTo

__all__ = ["Figures", "Opponents"]


@attrs.define
class Figures:
    """What one player did in the hands that were heard; the counts mean what those of a simulation's result mean."""

    hands: int = 0
    vpip: int = 0
    """hands with a call or raise on the first street"""
    pfr: int = 0
    """hands raised there"""
    three_bet_chances: int = 0
    three_bets: int = 0
    raises: int = 0
    """bets and raises on later streets"""
    calls: int = 0
    """calls there"""
    flops: int = 0
    """hands that saw the second street"""
    showdowns: int = 0
    won: int = 0
    """chips won or lost"""

    def __str__(self) -> str:
        factor = f"{self.raises / self.calls:.1f}" if self.calls else f"{self.raises}:0"
        return (
            f"{self.hands} hands, VPIP {_share(self.vpip, self.hands)}, PFR {_share(self.pfr, self.hands)}, "
            f"3-bet {_share(self.three_bets, self.three_bet_chances)}, aggression {factor}, "
            f"to showdown {_share(self.showdowns, self.flops)}, won {self.won:+}"
        )


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "-"


class Opponents:
    """The figures of everybody whose hands a bot hears, by name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Figures] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __getitem__(self, name: str) -> Figures:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def hear(self, end: HandEnd) -> None:
        """Count a hand."""
        counted = {
            seat: self._by_name.setdefault(name, Figures())
            for seat, name in enumerate(end.names)
            if name is not None and end.stacks[seat]
        }
        public = end.public
        folded = _count_actions(public, counted)
        live = set(public.live)
        for seat, figures in counted.items():
            figures.hands += 1
            figures.won += end.payoffs[seat]
            # alone before the second street, it has seen none; alone at the end, it has shown nothing
            figures.flops += seat not in folded and len(counted) - len(folded) > 1
            figures.showdowns += seat in live and len(live) > 1


def _count_actions(public: PublicState, counted: dict[int, Figures]) -> set[int]:
    """Count each seat's actions; return the seats that folded on the first street."""
    first = public.setup.game.streets[0].name
    entered, raisers, folded = set[int](), list[int](), set[int]()
    for taken in public.actions:
        seat, figures = taken.seat, counted[taken.seat]
        raises, calls = isinstance(taken.action, Bet | RaiseTo), isinstance(taken.action, Call)
        if taken.street != first:
            figures.raises += raises
            figures.calls += calls
            continue
        if len(raisers) == 1 and seat != raisers[0]:
            figures.three_bet_chances += 1
            figures.three_bets += raises
        if isinstance(taken.action, Fold):
            folded.add(seat)
        if raises:
            figures.pfr += seat not in raisers
            raisers.append(seat)
        if (raises or calls) and seat not in entered:
            entered.add(seat)
            figures.vpip += 1
    return folded
