"""The log of a hand: one number an action; this file alone knows how the number is packed.

Everybody else reads a `Log`, which gives street, seat, action, chips and what the seat has paid so far,
or asks one number with `seat_of`, `kind_of`, `amount_of` and `action_of`.
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
    "action_of",
    "amount_of",
    "discarded",
    "kind_of",
    "laid",
    "laid_of",
    "places_of",
    "seat_of",
    "steps_of",
]

# An entry is ``amount << 7 | kind | seat``: four bits of seat, three of kind, and chips above them. The amount is
# on top because it alone has no bound. Digests are made of these numbers and journals hold them, so no bit may
# move; all eight kinds are taken, and a ninth would have to go into the amount.
FOLDED: Final = 0
CHECKED: Final = 16
CALLED: Final = 32
"""Amount: the chips paid."""
BET: Final = 48
"""Amount, of a bet and of a raise: the chips in front of the seat after it."""
RAISED: Final = 64
DISCARDED: Final = 80
"""Amount: how many cards, never which; see `discarded`."""
BROUGHT_IN: Final = 96
"""Amount: the chips paid."""
LAID: Final = 112
"""Amount: into which row each card of the hand went; see `laid`."""
KINDS: Final = (FOLDED, CHECKED, CALLED, BET, RAISED, DISCARDED, BROUGHT_IN, LAID)
STEP: Final = 16
"""Between one kind and the next."""

AMOUNT_BITS: Final = 7
"""How far the amount is shifted; who writes an entry shifts by it."""
_SEAT: Final = 15
_KIND: Final = 112
_COUNT_BITS: Final = 4
"""Of a discard's amount: how many cards, at most 15; a secret entry has the mask of their places above."""
_COUNT: Final = (1 << _COUNT_BITS) - 1
_ROW_BITS: Final = 2
_ROW: Final = 3
"""In an entry a row is 1 to 3, from the top, and 0 is thrown away.

Less one it is an index, and that of 0 is -1, the last of four: so thrown away needs no case of its own."""
# A byte of an entry has the lowest bit of the amount on top: left in, the same action would be two steps.
_STEPS: Final = bytes([number & (_KIND | _SEAT) for number in range(256)])


# Plain expressions, so that numba compiles these three as they stand.
def seat_of(entry: int) -> int:
    """Give the seat that acted."""
    return entry & _SEAT


def kind_of(entry: int) -> int:
    """Give the kind of action, one of `KINDS`."""
    return entry & _KIND


def amount_of(entry: int) -> int:
    """Give the chips of an entry; what they count depends on its kind."""
    return entry >> AMOUNT_BITS


def discarded(seat: int, count: int, places: Sequence[int] = ()) -> int:
    """Give the entry of a seat that throws `count` cards away.

    With the `places` in its hand, from 0, the entry is a secret one: it says which cards, and is for the
    hand's own record and its journal, never for the log that everybody sees.
    """
    if not count:
        return DISCARDED | seat
    mask = sum([1 << place for place in places])
    return (mask << _COUNT_BITS | count) << AMOUNT_BITS | DISCARDED | seat


def places_of(entry: int) -> tuple[int, ...]:
    """Give the places in its hand that a seat threw away; raises `BadSpec` when the entry does not say."""
    amount = amount_of(entry)
    count, mask = amount & _COUNT, amount >> _COUNT_BITS
    if mask.bit_count() != count:
        raise BadSpec(f"log entry {entry}: {count} cards are thrown away, and it does not say which")
    return tuple([place for place in range(mask.bit_length()) if mask >> place & 1])


def laid(seat: int, rows: Sequence[int]) -> int:
    """Give the entry of a seat that lays its cards, by place in its hand, in `rows`, from 0; 3 is thrown away.

    It tells nobody which cards they are.
    """
    places = sum([(row + 1 & _ROW) << _ROW_BITS * place for place, row in enumerate(rows)])
    return places << AMOUNT_BITS | LAID | seat


def laid_of(entry: int, hole: Sequence[Card]) -> Lay:
    """Give the action by which a seat with these cards made an entry."""
    rows: tuple[list[Card], ...] = ([], [], [], [])
    places = amount_of(entry)
    for place, card in enumerate(hole):
        rows[(places >> _ROW_BITS * place & _ROW) - 1].append(card)
    return Lay(tuple(rows[0]), tuple(rows[1]), tuple(rows[2]))


def _counts(places: int) -> tuple[int, int, int]:
    found = [0, 0, 0, 0]
    while places:
        found[(places & _ROW) - 1] += 1
        places >>= _ROW_BITS
    return (found[0], found[1], found[2])


def steps_of(packed: bytes) -> bytes:
    """Give kind and seat of entries, a byte each, from the lowest byte of each entry.

    Such a byte is an entry without its amount: `seat_of` and `kind_of` read it as well.
    """
    return packed.translate(_STEPS)


def action_of(entry: int) -> Action:
    """Give the action that an entry records; raises `BadSpec` for a kind there is none of."""
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
    raise BadSpec(f"log entry {entry} is of kind {kind // STEP}: there are {len(KINDS)}, from 0")


@value
class Logged:
    """An action of the log, read: amounts in chips."""

    street: int
    """counted from 0"""
    seat: int
    action: Action
    paid: int
    """what it moved from the stack"""
    in_front: int
    """what lies in front of the seat on this street after it"""
    put_in: int
    """what the seat has put into the hand after it, antes and blinds included"""


class Log:
    """The actions of a hand in order, forced bets not among them.

    `entries` are the numbers, `marks` the length of the log as each street opened, `front` and `forced`
    what each seat had in front and had put in before the first action.
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
            read = self._read = [logged for street in self._streets() for logged in street]
        return read

    def _streets(self) -> Iterator[list[Logged]]:
        front = list(self._front)
        ends = [*self._marks[1:], len(self._entries)]
        for street, (start, end) in enumerate(zip(self._marks, ends, strict=True)):
            yield [self._logged(street, entry, front) for entry in self._entries[start:end]]
            front = [0] * len(front)

    def _logged(self, street: int, entry: int, front: list[int]) -> Logged:
        action, seat, kind = action_of(entry), seat_of(entry), kind_of(entry)
        paid = 0
        if kind in (CALLED, BROUGHT_IN):
            paid = amount_of(entry)
        elif kind in (BET, RAISED):
            paid = amount_of(entry) - front[seat]
        front[seat] += paid
        self._put_in[seat] += paid
        return Logged(street, seat, action, paid, front[seat], self._put_in[seat])

    def streets(self) -> list[list[Logged]]:
        """Give the actions of each street that has opened."""
        streets: list[list[Logged]] = [[] for _ in self._marks]
        for logged in self._all():
            streets[logged.street].append(logged)
        return streets

    @property
    def front(self) -> tuple[int, ...]:
        """What lay in front of each seat before the first action: blinds and straddles."""
        return tuple(self._front)

    @property
    def put_in(self) -> tuple[int, ...]:
        """What each seat has put into the hand, also once it is over; a bet nobody called included."""
        self._all()
        return tuple(self._put_in)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Logged]:
        return iter(self._all())

    def __repr__(self) -> str:
        return f"<Log: {', '.join(f'{one.seat} {one.action}' for one in self)}>"
