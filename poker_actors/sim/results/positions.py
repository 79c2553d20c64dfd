"""The figures of each bot by position."""

from __future__ import annotations

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


def positions_by_bot(sums: Sums) -> list[tuple[PositionResult, ...]]:
    """Add up, by bot and position, what was counted by way of sitting."""
    habits: list[dict[str, int]] = [{} for _ in range(sums.size)]
    results: list[dict[str, int]] = [{} for _ in range(sums.size)]
    order: dict[str, None] = {}
    for (button, who, dealt), row in sums.habits.items():
        names = position_names(len(dealt))
        order |= dict.fromkeys(names)
        rightwards = sorted(dealt, key=lambda seat: (button - seat) % len(who))
        for name, seat in zip(names, rightwards, strict=True):
            bot = who[seat]
            habits[bot][name] = habits[bot].get(name, 0) + row[seat]
            chips = sums.results[button, who, dealt][seat]
            results[bot][name] = results[bot].get(name, 0) + chips
    return [
        tuple(_position(name, habits[bot][name], results[bot][name]) for name in order if name in habits[bot])
        for bot in range(sums.size)
    ]


def _position(name: str, packed: int, chips: int) -> PositionResult:
    counts = unpacked(packed)
    return PositionResult(name, counts["hands"], chips, counts)
