"""Seconds: how long a turn may take, and what a player's time bank adds to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.errors import BadSpec

__all__ = ["MOST_SECONDS", "RunningBanks", "TimeBank", "check_seconds"]

MOST_SECONDS: Final = 31 * 86_400
"""A month a turn: who takes longer has left, and no clock of any system fails at it."""


def check_seconds(name: str, value: object, *, above: float = 0.0) -> float:
    """Check a time in seconds, a number above `above` and at most `MOST_SECONDS`; raises `BadSpec`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise BadSpec(
            f"{name} is {value!r:.40}: seconds are a number above {above:g}, at most {MOST_SECONDS}"
        )
    if not above < value <= MOST_SECONDS:
        raise BadSpec(f"{name} {value} must be above {above:g} and at most {MOST_SECONDS} seconds, a month")
    return value


@attrs.frozen
class TimeBank:
    """`seconds` each player has to begin with, and at most; `refill` come back with every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_seconds("a time bank's seconds", self.seconds)
        if self.refill != 0:
            check_seconds("a time bank's refill", self.refill)


class RunningBanks:
    """What the seats of one hand have left, and the one that is drawing on it."""

    def __init__(self, left: Sequence[float]) -> None:
        self.left = list(left)
        """seconds by seat"""
        self._seat: int | None = None
        self._since = 0.0

    def open(self, seat: int, now: float) -> float:
        """A deadline has passed: give the seconds `seat` has still; 0 when it has used them all."""
        if self._seat == seat:
            self._seat, self.left[seat] = None, 0.0
        elif self.left[seat] > 0:
            self._seat, self._since = seat, now
        return self.left[seat]

    def close(self, now: float) -> None:
        """A turn is over: who drew on its bank has what is left of it."""
        if self._seat is not None:
            seat, self._seat = self._seat, None
            self.left[seat] = max(self.left[seat] - (now - self._since), 0.0)
