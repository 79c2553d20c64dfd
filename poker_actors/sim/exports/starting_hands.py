"""Count how each bot played each of the 169 starting hands."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.bots import hand_class
from poker_actors.cards import parse_cards

__all__ = ["StartingHand", "StartingHands"]


@attrs.define
class StartingHand:
    """How often a bot was dealt a starting hand, played it and raised it, and the chips it won."""

    dealt: int = 0
    played: int = 0
    raised: int = 0
    net_chips: int = 0


class StartingHands:
    """Counts two-card starting hands by bot; `of[bot]["AKs"]` is a `StartingHand`."""

    def __init__(self, bots: int) -> None:
        self.of: list[dict[str, StartingHand]] = [{} for _ in range(bots)]
        self._names: dict[str, str] = {}

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Count the next hands."""
        for row in rows:
            acted: dict[int, set[str]] = {}
            for taken in row["actions"]:
                if taken["street"] == "preflop":
                    acted.setdefault(taken["seat"], set()).add(taken["action"].partition(" ")[0])
            for seat, hole in enumerate(row["holes"]):
                if len(hole) == 4:
                    self._count(row, seat, hole, acted.get(seat, set()))

    def _count(self, row: dict[str, Any], seat: int, hole: str, actions: set[str]) -> None:
        name = self._names.get(hole)
        if name is None:
            first, second = parse_cards(hole)
            name = self._names[hole] = hand_class(first, second)
        cell = self.of[row["bot_numbers"][seat]].setdefault(name, StartingHand())
        cell.dealt += 1
        cell.played += not actions.isdisjoint(("call", "bet", "raise_to"))
        cell.raised += not actions.isdisjoint(("bet", "raise_to"))
        cell.net_chips += row["payoffs"][seat]
