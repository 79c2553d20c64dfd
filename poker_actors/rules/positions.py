"""Button and blinds from hand to hand, by the dead-button rule."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import attrs

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value


def _must_be_a_seat(positions: Positions, attribute: attrs.Attribute[int], seat: object) -> None:
    if type(seat) is not int:
        raise BadSpec(f"{attribute.name} {seat!r:.40} is not a seat: seats must be whole numbers")


@value
class Positions:
    """The button, the blinds and the seats dealt in for one hand. A button or small blind on an empty seat is dead."""

    button: int = attrs.field(validator=_must_be_a_seat)
    small_seat: int = attrs.field(validator=_must_be_a_seat)
    """the seat that owes the small blind, occupied or not"""
    big_blind: int = attrs.field(validator=_must_be_a_seat)
    dealt: tuple[int, ...]
    """the seats dealt in, ascending"""

    @property
    def small_blind(self) -> int | None:
        """The seat that posts the small blind; None if it is dead."""
        return self.small_seat if self.small_seat in self.dealt else None


def first_positions(ready: Collection[int], size: int, button: int | None = None) -> Positions:
    """Return the positions of a table's first hand: the last ready seat has the button unless `button` is given.

    Raise `TableRefusal` (`not_enough_players`) if fewer than two seats are ready.
    """
    _enough(ready)
    seats = _left_of(max(ready) if button is None else button, ready, size)
    if len(seats) == 2:
        return _heads_up(seats, big=seats[0])
    return Positions(seats[-1], seats[0], seats[1], tuple(sorted(seats)))


def next_positions(previous: Positions, ready: Collection[int], size: int) -> Positions:
    """Return the next hand's positions by the dead-button rule (TDA 2024, rule 32).

    The big blind moves to the next ready seat. The seat that last posted it owes the small blind,
    which is dead if that player has left. The button moves to the seat that last owed the small blind.
    So no player pays the big blind twice in a row or skips it. A newcomer seated between the button and
    the big blind waits until the button has passed. Heads-up the button posts the small blind.

    `ready` lists the seats that can be dealt in, at a table of `size`. Raise `TableRefusal`
    (`not_enough_players`) if there are fewer than two.
    """
    _enough(ready)
    button, small, big = previous.small_seat, previous.big_blind, (previous.big_blind + 1) % size
    if len(ready) == size > 2 and previous.dealt == tuple(ready):
        return _moved_on(button, small, big, previous.dealt)  # fast path: a full table, unchanged
    big = _left_of(previous.big_blind, ready, size)[0]
    if (big - button) % size <= (small - button) % size:
        # After heads-up play, or when one side of the table has left, the big blind has moved round to the old
        # button, which would put it behind the blinds: the last ready seat before the small blind gets it.
        button = [seat for seat in _left_of(small, ready, size) if seat != small][-1]
    dealt = [seat for seat in ready if seat in previous.dealt or _may_enter(seat, button, big, size)]
    if len(dealt) < 2:
        dealt = list(ready)
    if len(dealt) == 2:
        return _heads_up(dealt, big)
    return Positions(button, small, big, tuple(sorted(dealt)))


@lru_cache(maxsize=1_000)
def _moved_on(button: int, small: int, big: int, dealt: tuple[int, ...]) -> Positions:
    """Return the positions of a full table, cached: the same few recur every orbit."""
    return Positions(button, small, big, dealt)


def _heads_up(seats: Collection[int], big: int) -> Positions:
    button = next(seat for seat in seats if seat != big)
    return Positions(button, button, big, tuple(sorted(seats)))


def _left_of(start: int, seats: Collection[int], size: int) -> list[int]:
    """Return `seats` in table order from the left of `start`; `start` itself comes last."""
    return sorted(seats, key=lambda seat: (seat - start - 1) % size)


def _may_enter(seat: int, button: int, big: int, size: int) -> bool:
    return (seat - button) % size >= (big - button) % size


def _enough(ready: Collection[int]) -> None:
    if len(ready) < 2:
        raise TableRefusal(f"{len(ready)} player ready: a hand needs at least 2", code="not_enough_players")
