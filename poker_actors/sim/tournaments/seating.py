"""Seating: the draw, the seats of moved players, and the button and blinds of each hand.

By the rules of the Tournament Directors Association (TDA 2024): 10 breaking tables, 11 balancing tables,
32 dead button, 34 button in heads-up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from poker_actors.errors import BadSpec
from poker_actors.rules import Positions, first_positions, next_positions

__all__ = ["draw_seats", "moved_first", "tournament_positions", "worst_seat"]


def draw_seats(players: Sequence[str], tables: int, luck: Random) -> list[list[str]]:
    """Draw players to tables whose sizes differ by one at most; each list is by seat, from 0.

    Raises `BadSpec` for fewer players than tables.
    """
    if tables < 1 or len(players) < tables:
        raise BadSpec(f"{len(players)} players at {tables} tables: every table needs somebody")
    drawn = list(players)
    luck.shuffle(drawn)
    return [drawn[table::tables] for table in range(tables)]


def moved_first(previous: Positions | None, ready: Collection[int], size: int) -> int:
    """Return the seat to be moved when tables are balanced: the next big blind (TDA 11-A)."""
    return tournament_positions(previous, ready, size).big_blind


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
