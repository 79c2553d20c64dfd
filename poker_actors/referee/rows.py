"""Open-face Chinese poker: rows, fouls, royalties, fantasy land, points and chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.referee.betting import Turn, clockwise
from poker_actors.referee.facts import Sheet
from poker_actors.referee.hands import best

ROW_SIZES: Final = (3, 5, 5)
Rows = Sequence[Sequence[Card]]
"""The top, the middle and the bottom row."""

_TRIPS, _QUADS, _STRAIGHT_FLUSH, _ROYAL = 3, 7, 8, 9
_MIDDLE: Final = {3: 2, 4: 4, 5: 8, 6: 12, 7: 20, 8: 30, 9: 50}
_BOTTOM: Final = {4: 2, 5: 4, 6: 6, 7: 10, 8: 15, 9: 25}
"""Royalties by class, from three of a kind (3) to a royal flush (9)."""
_SIX, _QUEEN, _ACE = 4, 10, 12


def _value(row: Sequence[Card]) -> tuple[int, tuple[int, ...]]:
    """Return the class of a row and its ranks, the most frequent first."""
    found = best("high", row, ())
    assert found is not None
    kind, ranks = found
    assert isinstance(kind, int)
    assert isinstance(ranks, tuple)
    return kind, ranks


def _class(row: Sequence[Card]) -> int:
    kind, ranks = _value(row)
    return _ROYAL if kind == _STRAIGHT_FLUSH and ranks == (_ACE,) else kind


def fouls(rows: Rows) -> tuple[int, ...]:
    """Return the rows (0 is the top, 1 the middle) that beat the row below; any of them fouls the board."""
    values = [_value(row) for row in rows]
    # of two rows with equal cards as far as both have them, the longer one is no worse: tuples compare so
    return tuple([place for place, (above, below) in enumerate(pairwise(values)) if above > below])


def royalties(rows: Rows) -> tuple[int, int, int]:
    """Return the points that the top, middle and bottom row earn by themselves; none for a foul."""
    if fouls(rows):
        return (0, 0, 0)
    top, middle, bottom = rows
    kind, ranks = _value(top)
    if kind == _TRIPS:
        on_top = 10 + ranks[0]
    else:
        on_top = max(0, ranks[0] - _SIX + 1) if kind == 1 else 0
    return on_top, _MIDDLE.get(_class(middle), 0), _BOTTOM.get(_class(bottom), 0)


def reaches_fantasy(rows: Rows) -> bool:
    """Whether rows lead into fantasy land: queens or better on top, no foul."""
    kind, ranks = _value(rows[0])
    return not fouls(rows) and (kind == _TRIPS or (kind == 1 and ranks[0] >= _QUEEN))


def stays_in_fantasy(rows: Rows) -> bool:
    """Whether a seat in fantasy land stays: trips on top or quads or better at the bottom, and no foul."""
    return not fouls(rows) and (_class(rows[0]) == _TRIPS or _class(rows[2]) >= _QUADS)


@attrs.frozen
class RowScore:
    """The result of a deal for a seat."""

    points: int
    chips: int
    royalties: int
    fouled: bool


def score(boards: Mapping[int, Rows], stacks: Sequence[int], button: int, unit: int) -> dict[int, RowScore]:
    """Compare the rows of each pair of seats, from the left of the button, and move chips between them.

    No seat pays another more than the smaller of both stacks before the deal, or than it has left.
    """
    order = clockwise(boards, button, len(stacks))
    points, left = dict.fromkeys(order, 0), {seat: stacks[seat] for seat in order}
    for one, other in combinations(order, 2):
        won = sum(row_points(boards[one], boards[other]))
        points[one] += won
        points[other] -= won
        loser = other if won > 0 else one
        paid = min(abs(won) * unit, stacks[one], stacks[other], left[loser])
        left[one] += paid if won > 0 else -paid
        left[other] -= paid if won > 0 else -paid
    return {
        seat: RowScore(
            points[seat], left[seat] - stacks[seat], sum(royalties(boards[seat])), bool(fouls(boards[seat]))
        )
        for seat in order
    }


def row_points(one: Rows, other: Rows) -> tuple[int, int, int, int, int]:
    """Return the points the first seat wins from the second: three rows, all three or a foul, royalties."""
    more = sum(royalties(one)) - sum(royalties(other))
    if fouls(one) or fouls(other):
        return (0, 0, 0, 6 * (bool(fouls(other)) - bool(fouls(one))), more)
    top, middle, bottom = [
        (_value(a) > _value(b)) - (_value(a) < _value(b)) for a, b in zip(one, other, strict=True)
    ]
    every = top + middle + bottom if abs(top + middle + bottom) == 3 else 0
    return (top, middle, bottom, every, more)


class RowDeals:
    """The deals of one hand: the first, and one more as long as somebody is in fantasy land."""

    def __init__(self, sheet: Sheet, stacks: Sequence[int], button: int, unit: int) -> None:
        *self.streets, _ = sheet.streets
        self.button, self.unit = button, unit
        self.stacks = list(stacks)
        self.order = clockwise([seat for seat, stack in enumerate(stacks) if stack], button, len(stacks))
        self.fantasy: set[int] = set()
        self.due: dict[int, RowScore] = {}
        """results that have not been announced yet"""
        self.number = 0
        """deals that are over"""
        self._deal()

    def _deal(self) -> None:
        self.rows: dict[int, list[list[Card]]] = {seat: [[], [], []] for seat in self.order}
        self.held: dict[int, list[Card]] = {seat: [] for seat in self.order}
        self.street = 0
        self.queue = list(self.order)

    @property
    def turn(self) -> Turn | None:
        """The seat to lay cards, and how many; None before it has its cards, and between deals."""
        if not self.queue or len(self.held[self.queue[0]]) != self.to_deal:
            return None
        count = self.to_deal - self.to_throw
        return Turn(seat=self.queue[0], asks="lay", least=count, most=count)

    @property
    def to_deal(self) -> int:
        """Cards for the seat in turn: all at once in fantasy land, including those to throw away."""
        if self.queue[0] in self.fantasy:
            return sum(ROW_SIZES) + self.streets[1].throw
        return self.streets[self.street].down

    @property
    def to_throw(self) -> int:
        """Cards that the seat in turn throws away."""
        return self.streets[1 if self.queue[0] in self.fantasy else self.street].throw

    def refusal(self, seat: int, rows: Rows) -> str | None:
        """Return why these rows cannot be laid; None if they can."""
        laid = [card for row in rows for card in row]
        if len(set(laid)) < len(laid) or not {*laid} <= {*self.held[seat]}:
            return f"it holds {' '.join(map(str, self.held[seat]))}"
        if len(laid) != self.to_deal - self.to_throw:
            return f"it lays {self.to_deal - self.to_throw} cards"
        for name, size, row, more in zip(
            ("top", "middle", "bottom"), ROW_SIZES, self.rows[seat], rows, strict=True
        ):
            if len(row) + len(more) > size:
                return f"its {name} row has room for {size - len(row)} cards"
        return None

    def lay(self, seat: int, rows: Rows) -> None:
        """Lay the cards of the seat in turn, and score the deal after the last."""
        for row, more in zip(self.rows[seat], rows, strict=True):
            row.extend(more)
        self.held[seat] = []
        del self.queue[0]
        if self.queue:
            return
        self.street += 1
        if self.street < len(self.streets):
            self.queue = [seat for seat in self.order if seat not in self.fantasy]
        if not self.queue:
            self._score()

    def _score(self) -> None:
        self.due = score(self.rows, self.stacks, self.button, self.unit)
        for seat, result in self.due.items():
            self.stacks[seat] += result.chips

    def announced(self, seat: int) -> None:
        """Note that a seat's result was announced; after the last, deal again for fantasy land."""
        del self.due[seat]
        if self.due:
            return
        self.number += 1
        # a seat without chips can win nothing, and is dealt no more cards
        self.order = [seat for seat in self.order if self.stacks[seat]]
        self.fantasy = {
            seat
            for seat in self.order
            if (stays_in_fantasy if seat in self.fantasy else reaches_fantasy)(self.rows[seat])
        }
        if len(self.order) < 2:
            self.fantasy = set()
        if self.fantasy:
            self._deal()

    @property
    def over(self) -> bool:
        """Whether no deal is left."""
        return self.number > 0 and not self.fantasy
