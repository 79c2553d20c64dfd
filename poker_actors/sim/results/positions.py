"""The figures of each bot by position."""

from __future__ import annotations

from operator import add

from poker_actors.sim.intervals import estimate
from poker_actors.sim.results.player import PositionResult
from poker_actors.sim.statistics import Sums, unpacked

__all__ = ["position_names", "positions_by_bot"]

_LATE = ("BTN", "CO", "HJ", "LJ")


def position_names(seats: int) -> list[str]:
    """Name the positions of a table of `seats`, the button first and then to its right.

    >>> position_names(6)
    ['BTN', 'CO', 'HJ', 'UTG', 'BB', 'SB']
    """
    if seats == 2:
        return ["BTN", "BB"]
    others = seats - 2
    late = _LATE[: others if others < 3 else min(others - 1, len(_LATE))]
    early = [f"UTG+{place}" if place else "UTG" for place in range(others - len(late))]
    return [*late, *reversed(early), "BB", "SB"]


def positions_by_bot(sums: Sums, big_blind: int, *, apart: bool) -> list[tuple[PositionResult, ...]]:
    """Add up the counts by seating into results by bot and position.

    `apart` says that a bot's hands in one position are independent: then results have margins.
    """
    counted: list[dict[str, list[int]]] = [{} for _ in range(sums.size)]
    order: dict[str, None] = {}
    for seated, row in sums.habits_by_seat().items():
        button, who, dealt = seated
        names = position_names(len(dealt))
        order |= dict.fromkeys(names)
        rightwards = sorted(dealt, key=lambda seat: (button - seat) % len(who))
        for name, seat in zip(names, rightwards, strict=True):
            new = (row[seat], sums.results[seated][seat], sums.squares[seated][seat])
            known = counted[who[seat]].get(name, [0, 0, 0])
            counted[who[seat]][name] = list(map(add, known, new))
    return [
        tuple(_position(name, places[name], 100 / big_blind, apart=apart) for name in order if name in places)
        for places in counted
    ]


def _position(name: str, counted: list[int], scale: float, *, apart: bool) -> PositionResult:
    packed, chips, squares = counted
    counts = unpacked(packed)
    hands = counts["hands"]
    found = estimate(hands, chips, squares).scaled(scale) if apart else None
    return PositionResult(name, hands, chips, counts, found)
