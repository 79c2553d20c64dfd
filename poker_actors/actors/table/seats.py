"""Who sits and waits at a table, who owes missed blinds, and the positions of the current or last hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Self

import attrs

from poker_actors.actors.runtime import Address
from poker_actors.errors import TableRefusal
from poker_actors.frozen import value
from poker_actors.rules import Positions


@value
class Seat:
    """A seated player. During a hand, `stack` is what the seat began it with."""

    player: str
    address: Address = attrs.field(repr=False, eq=False)
    stack: int = 0
    out: bool = False
    """sitting out"""
    late: int = 0
    """consecutive hands in which the player's time ran out"""


@value
class Waiting:
    """A player waiting for a seat, to buy in for `buy_in` chips; 0 to buy in later."""

    player: str
    address: Address = attrs.field(repr=False, eq=False)
    buy_in: int = 0


@value
class OwedBlinds:
    """The blinds that a player has missed and posts to be dealt in again, at a table where they are owed."""

    player: str
    small: bool = False
    """posted dead: it belongs to the pot and to no bet"""
    big: bool = False
    """posted live"""
    new: bool = False
    """a player who has not been dealt in yet owes the big blind, and can miss no others"""
    waits: bool = False
    """whether the player waits for the big blind instead of posting"""


@value
class Seating:
    """Who sits and waits, and where the button is."""

    seats: tuple[Seat | None, ...]
    positions: Positions | None = None
    """the positions of the current or last hand"""
    number: int = 0
    """the number of the next hand"""
    waiting: tuple[Waiting, ...] = ()
    """the waiting list, the next one first"""
    once: tuple[str, ...] = ()
    """players who have declined running boards more than once"""
    leaving: tuple[str, ...] = ()
    """players who cash out and leave once the current hand is booked"""
    owed: tuple[OwedBlinds, ...] = ()
    """the blinds that players have missed; empty unless the table's settings say that they are owed"""

    def seat_of(self, player: str) -> int:
        """Return a player's seat number; raises `TableRefusal` (`not_at_table`)."""
        number = self.number_of(player)
        if number is None:
            raise TableRefusal(f"{player} is not at the table", code="not_at_table")
        return number

    def number_of(self, player: str) -> int | None:
        """Return a player's seat number; None for a player without a seat."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player:
                return number
        return None

    def seat_at(self, number: int) -> Seat:
        """Return a taken seat."""
        seat = self.seats[number]
        assert seat is not None, f"seat {number} is empty"
        return seat

    def place_of(self, player: str) -> int:
        """Return a player's place in the waiting list, 1 being next; 0 for a player not on it."""
        for place, one in enumerate(self.waiting, start=1):
            if one.player == player:
                return place
        return 0

    def without(self, player: str) -> Self:
        """Return this state with a player removed from the waiting list."""
        return attrs.evolve(self, waiting=tuple(one for one in self.waiting if one.player != player))

    def seat_for(self, player: str, wanted: int | None) -> int:
        """Choose a seat for a player: the one wanted or, for None, the player's own or the first free one.

        Raises `TableRefusal`: `seat_unavailable` if there is no such seat or none is free, `seat_taken`.
        """
        seats = self.seats
        if wanted is None:
            number = self.number_of(player)
            if number is not None:
                return number
            if None not in seats:
                raise TableRefusal(f"all {len(seats)} seats are taken", code="seat_unavailable")
            return seats.index(None)
        if type(wanted) is not int or not 0 <= wanted < len(seats):
            text = f"seat {wanted!r:.20}: seats are 0 to {len(seats) - 1}"
            raise TableRefusal(text, code="seat_unavailable")
        there = seats[wanted]
        if there is not None and there.player != player:
            raise TableRefusal(f"seat {wanted} is taken by {there.player}", code="seat_taken")
        return wanted

    def restacked(self, stacks: Mapping[str, int]) -> Seating:
        """Return this state with the stacks (player -> chips) of the bank's books."""
        seats = tuple(
            [
                seat
                if seat is None or seat.stack == (stack := stacks.get(seat.player, 0))
                else Seat(seat.player, seat.address, stack, seat.out, seat.late)
                for seat in self.seats
            ]
        )
        return Seating(seats, self.positions, self.number, self.waiting, self.once, self.leaving, self.owed)

    def sat_out(self, late: Collection[int], most: int) -> Self:
        """Count the hands in a row in which each seat's time ran out; a seat with `most` of them sits out."""
        dealt = () if self.positions is None else self.positions.dealt
        if not late and not any(seat is not None and seat.late for seat in self.seats):
            return self
        after: list[Seat | None] = []
        for number, seat in enumerate(self.seats):
            if seat is None or number not in dealt:
                after.append(seat)
                continue
            count = seat.late + 1 if number in late else 0
            out = seat.out or count >= most
            after.append(Seat(seat.player, seat.address, seat.stack, out, 0 if out else count))
        return attrs.evolve(self, seats=tuple(after))

    def with_seat(self, number: int, seat: Seat | None) -> Self:
        """Return this state with one seat changed."""
        return attrs.evolve(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def freed(self, number: int) -> Self:
        """Return this state with a seat empty; its player no longer leaves or owes anything."""
        player = self.seat_at(number).player
        leaving = tuple(name for name in self.leaving if name != player)
        owed = tuple(one for one in self.owed if one.player != player)
        return attrs.evolve(self.with_seat(number, None), leaving=leaving, owed=owed)

    def owed_by(self, player: str) -> OwedBlinds:
        """Return the blinds that a player has missed."""
        return next((one for one in self.owed if one.player == player), OwedBlinds(player))

    def owing(self, owed: OwedBlinds) -> Self:
        """Return this state with one player's debt of blinds changed."""
        others = tuple(one for one in self.owed if one.player != owed.player)
        return attrs.evolve(self, owed=(*others, owed))

    @property
    def dealt_in(self) -> dict[int, Seat]:
        """Seats dealt into the current or last hand."""
        if self.positions is None:
            return {}
        seats = self.seats
        return {number: seat for number in self.positions.dealt if (seat := seats[number]) is not None}

    @property
    def ready(self) -> tuple[int, ...]:
        """Seats that can be dealt in."""
        seats, leaving = enumerate(self.seats), self.leaving
        return tuple(
            [
                number
                for number, seat in seats
                if seat is not None and seat.stack and not seat.out and seat.player not in leaving
            ]
        )


@value
class TableState(Seating):
    """The complete state of a table, without any card."""

    hand_id: str | None = None
    """the hand being played"""
    commitment: str = ""
    """the commitment to its deck, in hexadecimal; empty for a deck passed in"""

    @property
    def in_hand(self) -> dict[int, Seat]:
        """Seats dealt into the hand being played; none between hands."""
        return {} if self.hand_id is None else self.dealt_in
