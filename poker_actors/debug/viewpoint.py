"""Viewpoints: every picture, list and state in the debugger is made for one of them."""

from __future__ import annotations

import re
from typing import Final

import attrs

from poker_actors.errors import BadSpec

__all__ = ["GOD", "SPECTATOR", "Viewpoint"]

_SEAT: Final = re.compile(r"(?:seat )?([0-9]{1,2})")


@attrs.frozen
class Viewpoint:
    """What may be seen: everything, one seat's `View`, or only what is public.

    `str` returns the text that `parse` reads: `god`, `spectator`, `seat 2`.
    """

    god: bool = False
    seat: int | None = None

    @classmethod
    def parse(cls, text: str) -> Viewpoint:
        """Read `god`, `spectator`, or a seat as `2` or `seat 2`; raise `BadSpec` for anything else."""
        word = text.strip().lower()
        if word in ("god", "spectator"):
            return GOD if word == "god" else SPECTATOR
        match = _SEAT.fullmatch(word)
        if match is None:
            raise BadSpec(f"viewpoint {text[:40]!r} is none of god, spectator and a seat such as 2")
        return cls(seat=int(match[1]))

    def sees(self, seat: int) -> bool:
        """Tell whether the hole cards of `seat` may be seen."""
        return self.god or seat == self.seat

    def __str__(self) -> str:
        if self.god:
            return "god"
        return "spectator" if self.seat is None else f"seat {self.seat}"


GOD: Final = Viewpoint(god=True)
"""Everything, the deck included."""
SPECTATOR: Final = Viewpoint()
"""Public information only: what everyone at the table can see."""
