"""Time limits: how long a turn may take, and what a player's time bank adds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec

__all__ = ["MOST_SECONDS", "RunningBanks", "TimeBank", "check_seconds"]

MOST_SECONDS: Final = 31 * 86_400
"""A month for a turn: a player who takes longer has left, and every system's clock can wait this long."""


def check_seconds(name: str, value: object, *, above: float = 0.0) -> float:
    """Return a time in seconds above `above` and at most `MOST_SECONDS`; raises `BadSpec` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise BadSpec(
            f"{name} is {value!r:.40}: seconds are a number above {above:g}, at most {MOST_SECONDS}"
        )
    if not above < value <= MOST_SECONDS:
        raise BadSpec(f"{name} {value} must be above {above:g} and at most {MOST_SECONDS} seconds, a month")
    return value


@attrs.frozen
class TimeBank:
    """Each player's time bank: `seconds` at the start and at most; `refill` is added for every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_seconds("a time bank's seconds", self.seconds)
        if self.refill != 0:
            check_seconds("a time bank's refill", self.refill)


class RunningBanks:
    """The time banks of one hand's seats, and which seat is drawing on its own."""

    def __init__(self, left: Sequence[float]) -> None:
        self.left = list(left)
        """seconds left by seat"""
        self._seat: int | None = None
        self._since = 0.0

    def open(self, seat: int, now: float) -> float:
        """Start drawing on the bank of `seat`, whose deadline has passed; return its seconds, 0 when they are used up."""
        if self._seat == seat:
            self._seat, self.left[seat] = None, 0.0
        elif self.left[seat] > 0:
            self._seat, self._since = seat, now
        return self.left[seat]

    def close(self, now: float) -> None:
        """End the turn: take the time used off the bank that was drawn on."""
        if self._seat is not None:
            seat, self._seat = self._seat, None
            self.left[seat] = max(self.left[seat] - (now - self._since), 0.0)
