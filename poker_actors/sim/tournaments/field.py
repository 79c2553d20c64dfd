"""The players, tables and seats of a tournament, as values of the director."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import Positions, Stakes, first_positions, next_positions, whole_chips

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
            raise BadSpec(f"a player's name is {self.name!r:.40}: it must be text and not empty")
        whole_chips(f"{self.name[:40]} comes at", self.at)
        whole_chips(f"the rebuys of {self.name[:40]}", self.rebuys)


@attrs.define
class Contestant:
    """A player who has entered."""

    entrant: Entrant
    number: int
    """number in the order of entry, from 0"""
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
    """the place; 0 while unknown"""
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
    """positions of the current or last hand"""
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


def draw_seats(players: Sequence[str], tables: int, luck: Random) -> list[list[str]]:
    """Draw players to tables whose sizes differ by one at most; each list is by seat, from 0.

    Raises `BadSpec` for fewer players than tables.
    """
    if tables < 1 or len(players) < tables:
        raise BadSpec(f"{len(players)} players at {tables} tables: every table needs at least one player")
    drawn = list(players)
    luck.shuffle(drawn)
    return [drawn[table::tables] for table in range(tables)]


def worst_seat(seats: Sequence[object | None], last: Positions | None) -> int:
    """Return the seat for a player moved to balance tables: the worst position, not the small blind (TDA 11-A).

    It is the empty seat that pays the big blind soonest, even if the player has just paid it. The seat
    that owes the small blind is taken only if there is no other. `last` are the positions of the hand
    being played there, or played last. Raises `BadSpec` if all seats are taken.
    """
    size = len(seats)
    start = size - 1 if last is None else last.big_blind
    for step in range(1, size + 1):
        seat = (start + step) % size
        if seats[seat] is None:
            return seat
    raise BadSpec(f"all {size} seats are taken")


def tournament_positions(previous: Positions | None, ready: Collection[int], size: int) -> Positions:
    """Return the positions of a table's next hand; everybody with chips is dealt in, with one exception.

    Button and blinds move as in `next_positions`, by the dead-button rule. A player from another table
    takes over the rights and duties of the seat: big blind, small blind or button. The exception: seats
    between the button and the small blind get no cards until the button has passed (TDA 10-A).
    """
    if previous is None:
        return first_positions(ready, size)
    moved = next_positions(previous, ready, size)
    if len(ready) == 2:
        return moved
    # `next_positions` turns to heads-up when only two may be dealt in by the rule of cash games
    button, small, big = previous.small_seat, previous.big_blind, moved.big_blind
    if (big - button) % size <= (small - button) % size:
        # the big blind has come round to the old button: the last ready seat before the small blind has it
        button = next(seat for step in range(1, size) if (seat := (small - step) % size) in ready)
    gap = (small - button) % size
    dealt = [seat for seat in ready if not 0 < (seat - button) % size < gap]
    if len(dealt) > 2:
        return Positions(button, small, big, tuple(sorted(dealt)))
    if len(dealt) < 2:
        dealt = sorted(ready)
        return first_positions(dealt, size)
    other = next(seat for seat in dealt if seat != big)
    return Positions(other, other, big, tuple(sorted(dealt)))
