"""What all players of a hand are told of one change, made for each when somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from poker_actors.actors.player.messages import Change, HandState, Turn
from poker_actors.actors.runtime import Many
from poker_actors.cards import Card

__all__ = ["HandStates", "Readers"]


class Readers:
    """The players of one hand who look at its newest state when they need it, and those who are called."""

    __slots__ = ("called", "newest")

    def __init__(self, places: int) -> None:
        self.newest: HandStates | None = None
        """what was delivered last, while somebody looks there"""
        self.called = list(range(places))
        """places of those who are to be called at every change"""


class HandStates(Many):
    """What each of the players of a hand is told of one change, in the order of `seats`.

    A state is made when somebody looks at it: most players are told the next one before that.
    """

    __slots__ = ("_made", "change", "holes", "readers", "seats", "to_act", "turn")

    def __init__(
        self,
        change: Change,
        seats: list[int],
        holes: list[tuple[Card, ...]],
        to_act: int,
        turn: Turn | None,
        readers: Readers,
    ) -> None:
        self.change = change
        self.seats = seats
        self.holes = holes
        self.to_act = to_act
        """place of the one who has the turn; -1 for nobody"""
        self.turn = turn
        self.readers = readers
        self._made: list[HandState] | None = None

    def deliver(self) -> Sequence[int]:
        """Be the newest for the readers; gives the places of those to call."""
        readers, to_act = self.readers, self.to_act
        called = readers.called
        if len(called) < len(self.seats):  # else nobody looks: a hand of listeners leaves no cycle behind
            readers.newest = self
        if not called:
            return (to_act,) if to_act >= 0 else ()
        return sorted({*called, to_act} - {-1})

    def _all(self) -> list[HandState]:
        made = self._made
        if made is None:
            made = self._made = HandState.each(self.change, self.seats, self.holes)
            if self.turn is not None:
                made[self.to_act].turn = self.turn  # type: ignore[misc]  # nobody has seen it yet
        return made

    def __len__(self) -> int:
        return len(self.seats)

    def __iter__(self) -> Iterator[HandState]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> HandState: ...
    @overload
    def __getitem__(self, place: slice) -> list[HandState]: ...
    def __getitem__(self, place: int | slice) -> HandState | list[HandState]:
        return self._all()[place]
