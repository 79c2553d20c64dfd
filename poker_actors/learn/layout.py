"""The layout of an observation: one row of numbers, with names for its parts."""

from __future__ import annotations

import struct
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadSpec, unknown
from poker_actors.rules import Game, Hand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.float32]

HISTORY_COLUMNS: Final = 4
"""Numbers of an action: street, seat, kind, amount."""

_CARDS: Final = 52
_FLOAT: Final = 4
"""Bytes of a float32."""


@attrs.frozen
class Layout:
    """The parts of an observation of one seat, in order; all are float32.

    Seats are counted from the observer: 0 is itself, 1 the next to its left. Amounts are big blinds.

    ==================  ============  ==================================================================
    name                shape         what it says
    ==================  ============  ==================================================================
    hole                (52,)         1 for each card of the observer, by `int(card)`: 2c, 2d, 2h, 2s, 3c, ...
    board               (52,)         1 for each card on the board
    street              (streets,)    1 for the street being played; all 0 once the hand is over
    position            (players,)    1 for the observer's place: 0 is left of the button, the button is last
    live                (players,)    1 for each seat that has not folded
    stacks_big_blinds   (players,)    chips behind
    bets_big_blinds     (players,)    chips in front, on this street
    pot_big_blinds      (1,)          all chips put in, those in front included
    to_call_big_blinds  (1,)          what a call costs
    raise_big_blinds    (2,)          the smallest and largest total of a bet or raise; 0 when illegal
    history             (rows, 4)     actions, oldest first: street from 0, seat, kind, amount; -1 for none
    ==================  ============  ==================================================================

    Kinds are 0 fold, 1 check, 2 call, 3 bet, 4 raise; the amount is the price of a call or the total of a bet or
    raise. When there are more actions than rows, the oldest are dropped.
    """

    players: int
    streets: int
    rows: int
    hole_cards: int = 2
    _places: dict[str, tuple[int, int, tuple[int, ...]]] = attrs.field(init=False, repr=False, eq=False)

    @classmethod
    def of(cls, game: Game, players: int, rows: int) -> Layout:
        """Return the layout for a table; raises `BadSpec` unless `rows` is 0 to 1000."""
        if type(rows) is not int or not 0 <= rows <= 1_000:
            raise BadSpec(f"history {rows!r:.20} must be 0 to 1000 actions")
        return cls(players, len(game.streets), rows, game.hole_cards)

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each part, in order."""
        size = self.players
        return {
            "hole": (_CARDS,),
            "board": (_CARDS,),
            "street": (self.streets,),
            "position": (size,),
            "live": (size,),
            "stacks_big_blinds": (size,),
            "bets_big_blinds": (size,),
            "pot_big_blinds": (1,),
            "to_call_big_blinds": (1,),
            "raise_big_blinds": (2,),
            "history": (self.rows, HISTORY_COLUMNS),
        }

    @_places.default
    def _find_places(self) -> dict[str, tuple[int, int, tuple[int, ...]]]:
        places = {}
        at = 0
        for name, shape in self.parts.items():
            end = at + prod(shape)
            places[name] = (at, end, shape)
            at = end
        return places

    @property
    def size(self) -> int:
        """Return the length of an observation."""
        return max(end for _, end, _ in self._places.values())

    def start(self, name: str) -> int:
        """Return the index of the first number of a part; raises `BadSpec` for an unknown part."""
        if name not in self._places:
            raise BadSpec(unknown("part of an observation", name, self.parts))
        return self._places[name][0]

    def split(self, observation: Row) -> dict[str, Row]:
        """Return the parts of an observation by name, as views, not copies; for many observations, one per row, as arrays."""
        rows = observation.shape[:-1]
        return {
            name: observation[..., at:end].reshape((*rows, *shape))
            for name, (at, end, shape) in self._places.items()
        }


@attrs.frozen
class CompactLayout(Layout):
    """The parts of a compact observation, in order; all are int32, amounts are chips.

    ============  ============  ==============================================================
    name          shape         what it says
    ============  ============  ==============================================================
    hole          (2,)          the observer's cards, by `int(card)`; four or more in Omaha
    board         (5,)          the board, -1 for cards not yet dealt
    street        (1,)          from 0; the number of streets once the hand is over
    position      (1,)          the observer's place: 0 is left of the button, the button is last
    pot           (1,)          all chips put in
    to_call       (1,)          what a call costs
    raise         (2,)          the smallest and largest total of a bet or raise; 0 when illegal
    live          (players,)    1 for each seat that has not folded; seats are counted from the observer
    stacks        (players,)    chips behind
    bets          (players,)    chips in front, on this street
    ============  ============  ==============================================================
    """

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each part, in order."""
        each = (self.players,)
        one = dict.fromkeys(("street", "position", "pot", "to_call"), (1,))
        return {
            "hole": (self.hole_cards,),
            "board": (5,),
            **one,
            "raise": (2,),
            "live": each,
            "stacks": each,
            "bets": each,
        }


class SeatEyes:
    """One seat's observation, updated by each action, so that looking costs one copy.

    Create one per seat and call `begin` for each hand.
    """

    __slots__ = (
        "_amounts",
        "_amounts_at",
        "_array",
        "_board_at",
        "_buffer",
        "_empty",
        "_history_at",
        "_kind",
        "_layout",
        "_pick",
        "_row",
        "_seat",
        "_street_at",
        "_unit",
    )

    def __init__(self, layout: Layout, seat: int, big_blind: int) -> None:
        from numpy import float32, frombuffer

        size = layout.players
        self._array, self._kind = frombuffer, float32
        self._layout = layout
        self._seat = seat
        self._unit = 1.0 / big_blind
        self._pick = itemgetter(*range(seat, size), *range(seat))
        self._row = struct.Struct("4f")
        self._amounts = struct.Struct(f"{3 * size + 4}f")
        self._amounts_at = layout.start("live") * _FLOAT
        self._board_at = layout.start("board") * _FLOAT
        self._street_at = layout.start("street") * _FLOAT
        self._history_at = layout.start("history") * _FLOAT
        rows = struct.pack("f", -1.0) * (layout.rows * HISTORY_COLUMNS)
        self._empty = bytes(layout.size * _FLOAT - len(rows)) + rows
        self._buffer = bytearray(self._empty)

    def begin(self, hole: tuple[Card, ...], place: int) -> None:
        """Start a new hand with the seat's own cards and its place left of the button."""
        self._buffer[:] = self._empty
        for card in hole:
            _ONE(self._buffer, int(card) * _FLOAT, 1.0)
        _ONE(self._buffer, self._street_at, 1.0)
        _ONE(self._buffer, self._street_at + (self._layout.streets + place) * _FLOAT, 1.0)

    def turn_street(self, before: int, street: int, cards: tuple[Card, ...]) -> None:
        """Note new board cards and the street; a street past the last one means the hand is over."""
        for card in cards:
            _ONE(self._buffer, self._board_at + int(card) * _FLOAT, 1.0)
        _ONE(self._buffer, self._street_at + before * _FLOAT, 0.0)
        if street < self._layout.streets:
            _ONE(self._buffer, self._street_at + street * _FLOAT, 1.0)

    def hear(self, place: int, street: int, seat: int, kind: int, amount: int) -> None:
        """Note the `place`-th action of the hand: its seat, its kind as a number, and its chips."""
        rows = self._layout.rows
        at = self._history_at
        if place >= rows:
            if not rows:
                return
            self._buffer[at:] = self._buffer[at + 16 :] + bytes(16)
            place = rows - 1
        seat = (seat - self._seat) % self._layout.players
        self._row.pack_into(self._buffer, at + place * 16, street, seat, kind, amount * self._unit)

    def look(self, hand: Hand, live: list[float], bounds: tuple[int, int, int]) -> Row:
        """Return the observation in a new array; `bounds` are the chips to call and the smallest and largest raise totals."""
        unit = self._unit
        pick = self._pick
        buffer = self._buffer.copy()
        self._amounts.pack_into(
            buffer,
            self._amounts_at,
            *pick(live),
            *[chips * unit for chips in pick(hand.stacks)],
            *[chips * unit for chips in pick(hand.bets)],
            (sum(hand.starting) - sum(hand.stacks)) * unit,
            bounds[0] * unit,
            bounds[1] * unit,
            bounds[2] * unit,
        )
        return self._array(buffer, self._kind)


_ONE: Final = struct.Struct("f").pack_into
