"""The log of a hand, one packed integer per action; the layout is defined in this module only.

Elsewhere, read a `Log`, which yields street, seat, action and chips, or unpack one entry with `seat_of`,
`kind_of`, `amount_of` and `action_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.frozen import value
from poker_actors.rules.action import BRING_IN, CALL, CHECK, FOLD, Action, Bet, Discard, Lay, RaiseTo

__all__ = [
    "AMOUNT_BITS",
    "BET",
    "BROUGHT_IN",
    "CALLED",
    "CHECKED",
    "DISCARDED",
    "FOLDED",
    "LAID",
    "RAISED",
    "STEP",
    "Log",
    "Logged",
    "Sealed",
    "action_of",
    "amount_of",
    "discarded",
    "entries_of",
    "kind_of",
    "laid",
    "laid_in_order",
    "laid_of",
    "places_of",
    "seat_of",
    "steps_of",
]

# An entry is ``amount << 7 | kind | seat``: four bits of seat, three of kind, the amount above. The amount is on
# top because it alone is unbounded. Digests are computed over entries and journals store them, so moving a bit
# would invalidate both. All eight kinds are taken; a ninth would have to be encoded in the amount.
FOLDED: Final = 0
CHECKED: Final = 16
CALLED: Final = 32
"""Amount: chips paid."""
BET: Final = 48
"""Amount of a bet or raise: chips in front of the seat afterwards."""
RAISED: Final = 64
DISCARDED: Final = 80
"""Amount: number of cards, not which ones; see `discarded`."""
BROUGHT_IN: Final = 96
"""Amount: chips paid."""
LAID: Final = 112
"""Amount: the row each card of the hand went to; see `laid`."""
KINDS: Final = (FOLDED, CHECKED, CALLED, BET, RAISED, DISCARDED, BROUGHT_IN, LAID)
STEP: Final = 16
"""Difference between one kind and the next."""

AMOUNT_BITS: Final = 7
"""Bits the amount is shifted left by, used by code that writes entries."""
_SEAT: Final = 15
_KIND: Final = 112
_COUNT_BITS: Final = 4
"""Bits of a discard's amount that count cards (at most 15); a secret entry has a mask of places above them."""
_COUNT: Final = (1 << _COUNT_BITS) - 1
_ROW_BITS: Final = 2
_ROW: Final = 3
"""Mask of a row, 1 to 3 from the top; 0 is thrown away.

Minus one, it indexes a list of four: 0 becomes -1, the last element, so thrown-away cards need no extra case."""
_PLACE_BITS: Final = 3
_PLACE: Final = 7
"""Mask of a card's place in its row, 0 to 4; a secret entry has one for each card above the rows."""
# The top bit of an entry's lowest byte is the lowest bit of the amount. Unless it is masked out, one action would
# become two different steps depending on whether its amount is odd.
_STEPS: Final = bytes([number & (_KIND | _SEAT) for number in range(256)])


# Keep these three plain integer expressions: numba compiles them unchanged.
def seat_of(entry: int) -> int:
    """Return the seat that acted."""
    return entry & _SEAT


def kind_of(entry: int) -> int:
    """Return the kind of action, one of `KINDS`."""
    return entry & _KIND


def amount_of(entry: int) -> int:
    """Return the amount of an entry; its meaning depends on the kind, see the constants."""
    return entry >> AMOUNT_BITS


def discarded(seat: int, count: int, places: Sequence[int] = ()) -> int:
    """Return the entry for `seat` throwing away `count` cards.

    With `places`, indexes into its hand from 0, the entry also says which cards. It is then secret: for the
    hand's own record and journal, never for the public log.
    """
    if not count:
        return DISCARDED | seat
    mask = sum([1 << place for place in places])
    return (mask << _COUNT_BITS | count) << AMOUNT_BITS | DISCARDED | seat


def places_of(entry: int) -> tuple[int, ...]:
    """Return the hand indexes of the cards thrown away; raise `BadSpec` if the entry does not hold them."""
    amount = amount_of(entry)
    count, mask = amount & _COUNT, amount >> _COUNT_BITS
    if mask.bit_count() != count:
        raise BadSpec(f"log entry {entry}: {count} cards are discarded, without saying which")
    return tuple([place for place in range(mask.bit_length()) if mask >> place & 1])


def laid(seat: int, rows: Sequence[int]) -> int:
    """Return the entry for `seat` laying its cards; `rows[i]` is the row of card `i` from 0, 3 if thrown away.

    The entry does not reveal the cards.
    """
    places = sum([(row + 1 & _ROW) << _ROW_BITS * place for place, row in enumerate(rows)])
    return places << AMOUNT_BITS | LAID | seat


def laid_in_order(entry: int, action: Lay, hole: Sequence[Card]) -> int:
    """Return a laying entry that also says in which order `action` names the cards of each row.

    Such an entry is for the hand's own journal only. If that is also the order of `hole`, return `entry`
    unchanged, so that journals of versions that kept no order still read correctly.
    """
    if laid_of(entry, hole).rows == action.rows:
        return entry
    places = 0
    for number, card in enumerate(hole):
        row = action.row_of(card)
        if row < len(action.rows):
            places |= action.rows[row].index(card) << _PLACE_BITS * number
    return places << _ROW_BITS * len(hole) + AMOUNT_BITS | entry


def laid_of(entry: int, hole: Sequence[Card]) -> Lay:
    """Return the action a laying entry records for a seat that held the cards `hole`.

    The cards of a row are in the order of the entry if it has one (see `laid_in_order`), else in that of `hole`.
    """
    rows: tuple[list[Card], ...] = ([], [], [], [])
    kept = amount_of(entry)
    places = kept >> _ROW_BITS * len(hole)
    # without an order all places are 0, and sorting leaves the cards as they are
    for number in sorted(range(len(hole)), key=lambda number: places >> _PLACE_BITS * number & _PLACE):
        rows[(kept >> _ROW_BITS * number & _ROW) - 1].append(hole[number])
    return Lay(tuple(rows[0]), tuple(rows[1]), tuple(rows[2]))


def _counts(places: int) -> tuple[int, int, int]:
    found = [0, 0, 0, 0]
    while places:
        found[(places & _ROW) - 1] += 1
        places >>= _ROW_BITS
    return (found[0], found[1], found[2])


def steps_of(packed: bytes) -> bytes:
    """Return kind and seat of entries, one byte each; `packed` holds the lowest byte of each entry.

    Such a byte is an entry with amount 0, so `seat_of` and `kind_of` accept it.
    """
    return packed.translate(_STEPS)


def action_of(entry: int) -> Action:
    """Return the action an entry records; raise `BadSpec` for an unknown kind."""
    kind = kind_of(entry)
    if kind == FOLDED:
        return FOLD
    if kind == CHECKED:
        return CHECK
    if kind == CALLED:
        return CALL
    if kind == BET:
        return Bet(amount_of(entry))
    if kind == RAISED:
        return RaiseTo(amount_of(entry))
    if kind == DISCARDED:
        return Discard(count=amount_of(entry) & _COUNT)
    if kind == BROUGHT_IN:
        return BRING_IN
    if kind == LAID:
        return Lay(counts=_counts(amount_of(entry)))
    raise BadSpec(f"log entry {entry} is of kind {kind // STEP}: kinds are 0 to {len(KINDS) - 1}")


def _paid(entry: int, front: Sequence[int]) -> int:
    """Return the chips that an action moves from the stack; `front` has the chips in front of each seat before it."""
    kind = kind_of(entry)
    if kind in (CALLED, BROUGHT_IN):
        return amount_of(entry)
    return amount_of(entry) - front[seat_of(entry)] if kind in (BET, RAISED) else 0


@value
class Logged:
    """An unpacked log entry; amounts in chips."""

    street: int
    """counted from 0"""
    seat: int
    action: Action
    paid: int
    """chips moved from the stack by this action"""
    in_front: int
    """chips in front of the seat on this street, after the action"""
    put_in: int
    """chips the seat has put into the hand, after the action, antes and blinds included"""


class Sealed:
    """A hand's growing list of entries, as handed out: only `entries_of` can read it."""

    __slots__ = ("_list",)

    _list: list[int]

    def __init__(self, entries: list[int]) -> None:
        _set_list(self, entries)

    def __repr__(self) -> str:
        return "Sealed()"


# A public state shares the list, as a copy at every action took 3 % of a hand. Whoever is given the state must not be
# able to write to the list, so the slot's descriptor is taken off the class: no attribute leads there, nor does
# `object.__setattr__`.
_get_list: Final = Sealed.__dict__["_list"].__get__
_set_list: Final = Sealed.__dict__["_list"].__set__
del Sealed._list  # type: ignore[misc]  # taken off on purpose


def entries_of(sealed: Sealed, count: int) -> tuple[int, ...]:
    """Return the first `count` entries."""
    return tuple(_get_list(sealed)[:count])


class Log:
    """The actions of a hand in order, without forced bets.

    `entries` are packed actions; `marks` holds the log length when each street opened; `front` and `forced`
    are the chips each seat had in front and had put in before the first action.
    """

    __slots__ = ("_entries", "_front", "_marks", "_put_in", "_read")

    def __init__(
        self, entries: Sequence[int], marks: Sequence[int], front: Sequence[int], forced: Sequence[int]
    ) -> None:
        self._entries = entries
        self._marks = marks
        self._front = front
        self._put_in = list(forced)
        self._read: list[Logged] | None = None

    def _all(self) -> list[Logged]:
        read = self._read
        if read is None:
            read = self._read = [
                self._logged(street, entry, front)
                for street, (entries, front) in enumerate(self._streets())
                for entry in entries
            ]
        return read

    def _streets(self) -> Iterator[tuple[Sequence[int], list[int]]]:
        """Yield the entries of each street opened so far, and the chips in front of each seat before them."""
        front = list(self._front)
        ends = [*self._marks[1:], len(self._entries)]
        for start, end in zip(self._marks, ends, strict=True):
            yield self._entries[start:end], front
            front = [0] * len(front)

    def _logged(self, street: int, entry: int, front: list[int]) -> Logged:
        seat, paid = seat_of(entry), _paid(entry, front)
        front[seat] += paid
        self._put_in[seat] += paid
        return Logged(street, seat, action_of(entry), paid, front[seat], self._put_in[seat])

    def rounds(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield each open street's chips in front of each seat after its actions, and the seats that folded.

        It makes no `Logged`, which takes most of the time of `streets`.
        """
        for entries, front in self._streets():
            folded = []
            for entry in entries:
                if kind_of(entry) == FOLDED:
                    folded.append(seat_of(entry))
                else:
                    front[seat_of(entry)] += _paid(entry, front)
            yield front, folded

    def streets(self) -> list[list[Logged]]:
        """Return the actions of each street opened so far."""
        streets: list[list[Logged]] = [[] for _ in self._marks]
        for logged in self._all():
            streets[logged.street].append(logged)
        return streets

    @property
    def front(self) -> tuple[int, ...]:
        """Chips in front of each seat before the first action: blinds and straddles."""
        return tuple(self._front)

    @property
    def put_in(self) -> tuple[int, ...]:
        """Chips each seat has put into the hand, including an uncalled bet returned later."""
        self._all()
        return tuple(self._put_in)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Logged]:
        return iter(self._all())

    def __repr__(self) -> str:
        return f"<Log: {', '.join(f'{one.seat} {one.action}' for one in self)}>"
