"""The players and tables of a tournament, as values of the director."""

from __future__ import annotations

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Positions, Stakes, whole_chips

__all__ = ["HANDS_A_TABLE", "Contestant", "Deal", "Entrant", "FloorTable", "Moment"]

HANDS_A_TABLE = 1_000_000
"""Hand n of table t has the number t times this plus n: unique, so no two hands share a deck."""


@attrs.frozen
class Entrant:
    """A player to enter, at time `at` of the tournament's clock; 0 is the start.

    Up to `rebuys` rebuys are taken whenever the player is out of chips while they are sold; with `add_on`
    the add-on is bought when it is offered. Both are paid in advance; the rest is paid back.
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
    """A player who has entered."""

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
    """the time of elimination, on the tournament's clock"""
    out_level: int = 0
    place: int = 0
    """0 while unknown"""
    tied: bool = False
    prize: int = 0
    settled: bool = False
    """whether the player has been paid out"""

    @property
    def name(self) -> str:
        """The player's name."""
        return self.entrant.name


@attrs.frozen
class Deal:
    """A hand to be played: all but the cards. Sequences are by seat, None and 0 for empty ones."""

    table: int
    number: int
    """the number of the hand, unique in the tournament"""
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
    """The floor's view of a table."""

    number: int
    seats: list[str | None]
    positions: Positions | None = None
    """of the hand being played or played last"""
    hands: int = 0
    playing: Deal | None = None
    closed: bool = False

    @property
    def players(self) -> list[str]:
        """The players seated, by seat."""
        return [name for name in self.seats if name is not None]

    @property
    def count(self) -> int:
        """The number of players seated."""
        return len(self.seats) - self.seats.count(None)

    @property
    def ready(self) -> list[int]:
        """The seats taken."""
        return [seat for seat, name in enumerate(self.seats) if name is not None]


@attrs.frozen
class Moment:
    """An event of the tournament, for display.

    `what` is one of `entered seated level rebuy add_on moved broken opened final_table hand_for_hand out won`.
    """

    time: int
    what: str
    player: str = ""
    table: int = -1
    """the table where it happened, or the one moved from"""
    to: int = -1
    """the table moved to; the level, from 1; the place"""
    seat: int = -1
