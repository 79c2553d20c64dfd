"""Time banks: seconds a player may take beyond the deadlines of a table's turns."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.errors import BadSpec

__all__ = ["RunningBanks", "TimeBank"]


@attrs.frozen
class TimeBank:
    """`seconds` each player has to begin with, and at most; `refill` come back with every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        if not 0 < self.seconds < float("inf"):
            raise BadSpec(f"a time bank of {self.seconds} seconds must be above 0")
        if not 0 <= self.refill < float("inf"):
            raise BadSpec(f"a time bank's refill of {self.refill} seconds must be 0 or more")


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
