"""What a table needs of the server around it: the loop, the clock, and who the users are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from poker_actors.actors import Player

__all__ = ["Clockwork"]


class Clockwork(Protocol):
    """The server as its tables see it."""

    def post(self, callback: Callable[[], None]) -> None:
        """Have `callback` called in the loop, soon and in order; from any thread."""

    def wake(self) -> None:
        """See to it that the Room's actors get on with what they have been told."""

    def now(self) -> float:
        """Seconds of the clock."""

    def later(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Have `callback` called in the loop after `seconds`."""

    def player_of(self, user: str) -> Player | None:
        """Give the player actor of somebody logged in."""
