"""Who plays, and at which table: the values a tournament director moves about."""

from __future__ import annotations

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Positions, Stakes, whole_chips

__all__ = ["HANDS_A_TABLE", "Contestant", "Deal", "Entrant", "FloorTable", "Moment"]

HANDS_A_TABLE = 1_000_000
"""Hand n of table t has the number t times this plus n: no two hands of a tournament share their luck."""


@attrs.frozen
class Entrant:
    """Somebody who wants to play. `at` is when, on the tournament's clock; 0 is from the start.

    `rebuys` are taken, up to this many, as often as the player is out of chips while they are to be
    had; `add_on` is bought when it is offered. Both are paid for in advance; what is not used comes back.
    """

    name: str
    at: int = 0
    rebuys: int = 0
    add_on: bool = False

    def __attrs_post_init__(self) -> None:
        if type(self.name) is not str or not self.name:
            raise BadSpec(f"a player's name is {self.name!r:.40}: it is text, and not empty")
        whole_chips(f"{self.name[:40]} comes at", self.at)
        whole_chips(f"the rebuys of {self.name[:40]}", self.rebuys)


@attrs.define
class Contestant:
    """Somebody who plays, or has played."""

    entrant: Entrant
    number: int
    """in the order of entry, from 0"""
    stack: int = 0
    table: int | None = None
    rebuys: int = 0
    added_on: bool = False
    hands: int = 0
    moves: int = 0
    out_at: int | None = None
    """when it was out, on the tournament's clock"""
    out_level: int = 0
    place: int = 0
    """0 as long as it is not known"""
    tied: bool = False
    prize: int = 0
    settled: bool = False
    """whether its money is paid out"""

    @property
    def name(self) -> str:
        """Its name."""
        return self.entrant.name


@attrs.frozen
class Deal:
    """A hand to be played: everything but the cards. Sequences are by seat, None and 0 where nobody is."""

    table: int
    number: int
    """of the hand, unique in the tournament"""
    level: int
    """from 0"""
    stakes: Stakes
    players: tuple[str | None, ...]
    stacks: tuple[int, ...]
    """0 for a seat that is not dealt in"""
    positions: Positions
    start: int
    """on the tournament's clock"""
    hand_for_hand: bool = False


@attrs.define
class FloorTable:
    """A table as the floor sees it."""

    number: int
    seats: list[str | None]
    positions: Positions | None = None
    """of the hand being played or played last"""
    hands: int = 0
    playing: Deal | None = None
    closed: bool = False

    @property
    def players(self) -> list[str]:
        """Who sits there, by seat."""
        return [name for name in self.seats if name is not None]

    @property
    def count(self) -> int:
        """How many sit there."""
        return len(self.seats) - self.seats.count(None)

    @property
    def ready(self) -> list[int]:
        """The seats that somebody has."""
        return [seat for seat, name in enumerate(self.seats) if name is not None]


@attrs.frozen
class Moment:
    """Something that happened, for people.

    `what` is one of `entered seated level rebuy add_on moved broken opened final_table hand_for_hand out won`.
    """

    time: int
    what: str
    player: str = ""
    table: int = -1
    """where it happened, or from where"""
    to: int = -1
    """the table moved to; the level, from 1; the place"""
    seat: int = -1
