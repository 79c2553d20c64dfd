"""Who has the button and who posts: the dead-button rule, hand after hand."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import attrs

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value

__all__ = ["Positions", "first_positions", "next_positions"]


def _must_be_a_seat(positions: Positions, attribute: attrs.Attribute[int], seat: object) -> None:
    if type(seat) is not int:
        raise BadSpec(f"{attribute.name} {seat!r:.40} is not a seat: seats are whole numbers")


@value
class Positions:
    """Seats of one hand. Button and small blind may fall on an empty seat: they are dead then."""

    button: int = attrs.field(validator=_must_be_a_seat)
    small_seat: int = attrs.field(validator=_must_be_a_seat)
    """the seat that owes the small blind, be there somebody or not"""
    big_blind: int = attrs.field(validator=_must_be_a_seat)
    dealt: tuple[int, ...]
    """the seats dealt in, ascending"""

    @property
    def small_blind(self) -> int | None:
        """The seat that posts the small blind; None when it is dead."""
        return self.small_seat if self.small_seat in self.dealt else None


def first_positions(ready: Collection[int], size: int, button: int | None = None) -> Positions:
    """Positions of a table's first hand: the last ready seat has the button, unless one is named.

    Raises `TableRefusal` (`not_enough_players`) with fewer than two seats ready.
    """
    _enough(ready)
    seats = _left_of(max(ready) if button is None else button, ready, size)
    if len(seats) == 2:
        return _heads_up(seats, big=seats[0])
    return Positions(seats[-1], seats[0], seats[1], tuple(sorted(seats)))


def next_positions(previous: Positions, ready: Collection[int], size: int) -> Positions:
    """Move the blinds on by the dead-button rule (TDA 2024, rule 32).

    The big blind goes to the next ready seat; the seat that has just posted it owes the small
    blind, dead when that player is gone; the button goes where the small blind was owed. So
    nobody pays the big blind twice running and nobody skips it. A newcomer from the button up to
    the big blind waits for the button to pass. Heads-up the button posts small.

    `ready` are the seats that can be dealt in, of a table of `size`. Raises `TableRefusal`
    (`not_enough_players`) with fewer than two.
    """
    _enough(ready)
    button, small, big = previous.small_seat, previous.big_blind, (previous.big_blind + 1) % size
    if len(ready) == size > 2 and previous.dealt == tuple(ready) and small == (button + 1) % size:
        return _moved_on(button, small, big, previous.dealt)  # a full table on which nothing has changed
    big = _left_of(previous.big_blind, ready, size)[0]
    if (big - button) % size <= (small - button) % size:
        # After heads-up, or when a whole side of the table has left, the big blind has come
        # round to the old button: the last ready seat before the small blind takes the button.
        button = [seat for seat in _left_of(small, ready, size) if seat != small][-1]
    dealt = [seat for seat in ready if seat in previous.dealt or _may_enter(seat, button, big, size)]
    if len(dealt) < 2:
        dealt = list(ready)
    if len(dealt) == 2:
        return _heads_up(dealt, big)
    return Positions(button, small, big, tuple(sorted(dealt)))


@lru_cache(maxsize=1_000)
def _moved_on(button: int, small: int, big: int, dealt: tuple[int, ...]) -> Positions:
    """Return the positions of a full table: the same few, round after round."""
    return Positions(button, small, big, dealt)


def _heads_up(seats: Collection[int], big: int) -> Positions:
    button = next(seat for seat in seats if seat != big)
    return Positions(button, button, big, tuple(sorted(seats)))


def _left_of(start: int, seats: Collection[int], size: int) -> list[int]:
    """`seats` in table order from the left of `start`; `start` itself comes last."""
    return sorted(seats, key=lambda seat: (seat - start - 1) % size)


def _may_enter(seat: int, button: int, big: int, size: int) -> bool:
    return (seat - button) % size >= (big - button) % size


def _enough(ready: Collection[int]) -> None:
    if len(ready) < 2:
        raise TableRefusal(f"{len(ready)} player ready: a hand needs at least 2", code="not_enough_players")
