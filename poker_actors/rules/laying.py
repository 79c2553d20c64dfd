"""Open-face Chinese poker: the layout of the table and the legal lays of the seat to act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Final, NamedTuple, TypeAlias

from poker_actors.cards import Card
from poker_actors.rules.action import Action, Lay
from poker_actors.rules.legal import Legal

Rows: TypeAlias = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""The cards of a seat: its top, middle and bottom rows."""

ROW_SIZES: Final = (3, 5, 5)
NO_ROWS: Final[Rows] = ((), (), ())


class ScoredDeal(NamedTuple):
    """The result of a deal, by seat: rows, points, and chips won or lost."""

    rows: tuple[Rows, ...]
    points: tuple[int, ...]
    chips: tuple[int, ...]


class Layout(NamedTuple):
    """The public state of an open-face hand."""

    rows: tuple[Rows, ...]
    """by seat; empty for a seat in fantasy land until the deal is scored"""
    fantasy: tuple[int, ...]
    """the seats in fantasy land in this deal"""
    scored: tuple[ScoredDeal, ...]
    """the deals of this hand already scored"""


class LayLegal(Legal):
    """The choices of a seat that must lay its cards `hole` in rows, all but `throw` of them.

    `hole` is empty in the view of another seat; then only the room in the rows is checked.
    """

    __slots__ = ("_hole", "_room", "_throw")

    def __init__(
        self, seat: int, hole: tuple[Card, ...], room: tuple[int, ...], throw: int, all_in_total: int
    ) -> None:
        super().__init__(seat, all_in_total=all_in_total)
        self._hole = hole
        self._room = room
        self._throw = throw

    @property
    def room(self) -> tuple[int, ...]:
        """Free places in the top, middle and bottom rows."""
        return self._room

    @property
    def lays(self) -> int:
        """Number of cards to lay in rows; the rest are thrown away."""
        return len(self._hole) - self._throw

    @property
    def can_check(self) -> bool:
        """Always false: the cards must be laid."""
        return False

    @property
    def passive(self) -> Action:
        """The lay for a player who runs out of time: fill bottom, middle, then top, and throw the last cards away."""
        left = list(self._hole)
        rows = []
        for room in reversed(self._room):
            rows.append(tuple(left[:room]))
            del left[:room]
        return self._trimmed(rows[2], rows[1], rows[0])

    def _trimmed(self, *rows: tuple[Card, ...]) -> Lay:
        gone = self._hole[self.lays :]
        top, middle, bottom = [tuple([card for card in row if card not in gone]) for row in rows]
        return Lay(top, middle, bottom)

    def _refusal(self, action: Action) -> str | None:
        if not isinstance(action, Lay):
            return f"{action}: this turn is for laying cards"
        for name, room, row in zip(("top", "middle", "bottom"), self._room, action.rows, strict=True):
            if len(row) > room:
                return f"{action}: the {name} row has room for {room}"
        named = [card for row in action.rows for card in row]
        if len(set(named)) != len(named):
            return f"{action}: a card is named twice"
        return self._count_refusal(action, named) if self._hole else None

    def _count_refusal(self, action: Lay, named: Sequence[Card]) -> str | None:
        missing = [card for card in named if card not in self._hole]
        if missing:
            return f"{action}: seat {self.seat} does not hold {missing[0]}"
        if len(named) == self.lays:
            return None
        return f"{action} lays {len(named)} cards: it has to be {self.lays} of {len(self._hole)}"

    def __iter__(self) -> Iterator[Action]:
        yield from self._ways(0, list(self._room), ([], [], []), self._throw)

    def _ways(self, at: int, room: list[int], rows: tuple[list[Card], ...], throw: int) -> Iterator[Action]:
        """Yield every way to lay the cards from index `at` on; `room` and `rows` are restored on the way back."""
        if at == len(self._hole):
            if not throw:
                yield Lay(tuple(rows[0]), tuple(rows[1]), tuple(rows[2]))
            return
        for row, laid in enumerate(rows):
            if room[row]:
                room[row] -= 1
                laid.append(self._hole[at])
                yield from self._ways(at + 1, room, rows, throw)
                laid.pop()
                room[row] += 1
        if throw:
            yield from self._ways(at + 1, room, rows, throw - 1)

    def __len__(self) -> int:
        held, laid, total = len(self._hole), self.lays, 0
        for top in range(min(self._room[0], laid) + 1):
            for middle in range(min(self._room[1], laid - top) + 1):
                if laid - top - middle <= self._room[2]:
                    total += comb(held, laid) * comb(laid, top) * comb(laid - top, middle)
        return total

    def __str__(self) -> str:
        top, middle, bottom = self._room
        what = f"lay {self.lays} of {len(self._hole)} cards" if self._throw else "lay all cards"
        return f"{what}; room for {top} on top, {middle} in the middle, {bottom} at the bottom"

    def __repr__(self) -> str:
        return f"LayLegal({self.seat}, {self._hole}, {self._room}, {self._throw}, {self.all_in_total})"

    def _compared(self) -> tuple[object, ...]:
        return (self.seat, self._hole, self._room, self._throw, self.all_in_total)

    def __reduce__(self) -> tuple[object, ...]:
        return (LayLegal, self._compared())
