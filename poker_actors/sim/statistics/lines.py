"""Count the actions of each seat and street from the log of a hand, its line.

In a line seats are **places**: 0 is the first seat dealt in to the left of the button, and so on. Hands
with different buttons thus share lines, and each line need be read only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.rules.log import (
    BROUGHT_IN,
    CALLED,
    CHECKED,
    DISCARDED,
    FOLDED,
    LAID,
    kind_of,
    seat_of,
    steps_of,
)
from poker_actors.sim.record import ENTRY_BYTES
from poker_actors.sim.statistics.sums import (
    BLOCK_BITS,
    ENDS,
    LAST_STREET,
    STREET_UNITS,
    STREETS,
    all_places,
)

__all__ = ["Lines", "StreetLines", "line_of", "read_line"]

_STEPS: Final = range(128)
"""The values of a byte in a line: a kind and a seat."""
_BYTES: Final = bytes(range(256))
_WORDS: Final = {FOLDED: "folds", CHECKED: "checks", CALLED: "calls"}
_PLACES_AND_KINDS: Final = [(seat_of(step), kind_of(step)) for step in _STEPS]
_STEP_UNITS: Final = [
    [(seat_of(step), units[f"{street}_{_WORDS.get(kind_of(step), 'raises')}"]) for step in _STEPS]
    for street, units in zip(STREETS, STREET_UNITS, strict=False)
]
"""By street and byte of a line, the seat and the unit counted for it."""
_NO_BETS: Final = bytes([step for step in _STEPS if kind_of(step) in (DISCARDED, BROUGHT_IN, LAID)])
"""Left out of the count: discarding or laying cards is not betting, and a bring-in is forced like a blind."""
_CBET_UNITS: Final = [
    [units[f"{street}_{what}"] for what in ("cbet_chances", "cbets", "cbets_faced", "cbets_folded_to")]
    for street, units in zip(STREETS[1:], STREET_UNITS[1:], strict=False)
]
_OPENING: Final = STREET_UNITS[0]
_HANDS: Final = _OPENING["hands"]
_FLOPS: Final = _OPENING["flops"]
_VPIP: Final = _OPENING["vpip"]
_PFR: Final = _OPENING["pfr"]
_THREE_BETS: Final = [
    _OPENING[f"three_{what}"] for what in ("bet_chances", "bets", "bets_faced", "bets_folded_to")
]
_STEALS: Final = [_OPENING[f"steal{what}"] for what in ("_chances", "s", "s_faced", "s_folded_to")]

_KEPT: Final = 16_384
"""Streets remembered, about 15 MB."""


def steps_by_place(order: Sequence[int]) -> bytes:
    """Make the table for `line_of`; `order` holds the seats dealt in, from the left of the button."""
    places = {seat: place for place, seat in enumerate(order)}
    table = bytes([kind | places.get(seat, 0) for seat, kind in _PLACES_AND_KINDS])
    return steps_of(_BYTES).translate(table + table)


def line_of(record: bytes, actions: int, table: bytes) -> bytes:
    """Return kind and place, a byte each, of the `actions` at the end of a hand's record.

    These are the lowest bytes of the log's entries without their top bit, where the amount begins.
    Slicing them out of the record is a fifth of the work of reading entry by entry.
    """
    return record[len(record) - ENTRY_BYTES * actions :: ENTRY_BYTES].translate(table)


class StreetLines(dict[bytes, tuple[int, "StreetLines"]]):
    """The counts of a street by its line, for one state at its opening; missing ones are computed.

    A value is the sum of the street's units, all places in one number, and the lines of the next street.
    """

    __slots__ = ("_lines", "_players", "_raiser", "_street")

    def __init__(self, lines: Lines, street: int, raiser: int | None, players: int) -> None:
        super().__init__()
        self._lines = lines
        self._street = street
        self._raiser = raiser
        self._players = players

    def __missing__(self, line: bytes) -> tuple[int, StreetLines]:
        self._lines.make_room()  # first: it may clear everything, this line included
        street = self._street
        counts, raiser = _read_street(street, line, self._raiser, self._players)
        following = self._lines.of(min(street + 1, LAST_STREET), raiser, self._players)
        found = self[line] = (all_places(street, counts), following)
        return found


class Lines:
    """A cache of streets by line. Whole hands seldom recur; nine streets in ten do."""

    def __init__(self) -> None:
        self._streets: dict[tuple[int, int | None, int], StreetLines] = {}
        self._kept = 0

    def of(self, street: int, raiser: int | None, players: int) -> StreetLines:
        """Return the lines of a street with this number of players; `raiser` may make a continuation bet there."""
        key = (street, raiser, players)
        found = self._streets.get(key)
        if found is None:
            found = self._streets[key] = StreetLines(self, street, raiser, players)
        return found

    def make_room(self) -> None:
        """Count one more street to be cached; clear the cache if it is full."""
        self._kept += 1
        if self._kept > _KEPT:
            # clear, not replace: a caller reading a hand holds the next street's lines already
            for lines in self._streets.values():
                lines.clear()
            self._kept = 1


def read_line(log: Sequence[int], marks: Sequence[int], order: list[int], size: int) -> list[int]:
    """Count the actions of `size` seats in a hand: all `COUNTERS` but those of pots won and all-ins.

    `log` and `marks` are those of a finished hand (amounts are ignored); `order` holds the seats
    dealt in, from the left of the button. Returns sums of units by seat.
    """
    counts = [0] * size
    players = len(order)
    line = bytes([entry & 255 for entry in log]).translate(steps_by_place(order))
    raiser: int | None = None
    for street, (start, end) in enumerate(zip(marks, [*marks[1:], len(line)], strict=True)):
        found, raiser = _read_street(street, line[start:end], raiser, players)
        for seat, units in zip(order, found, strict=True):
            counts[seat] += units << BLOCK_BITS[min(street, LAST_STREET)]
    live = [seat for place, seat in enumerate(order) if FOLDED | place not in line]
    for seat in live if len(live) > 1 else ():
        counts[seat] += ENDS["showdowns"] << BLOCK_BITS[-1]
    return counts


def _read_street(street: int, line: bytes, raiser: int | None, players: int) -> tuple[list[int], int | None]:
    """Count the actions of a street by place; return also the place that may make a continuation bet next."""
    counts = [0] * players
    street = min(street, LAST_STREET)
    line = line.translate(None, _NO_BETS)
    units = _STEP_UNITS[street]
    for entry in line:
        place, unit = units[entry]
        counts[place] += unit
    if street == 0:
        _dealt_in(line, counts)
        return counts, _before_the_flop(line, counts)
    if raiser is not None:
        raiser = _continued(line, raiser, _CBET_UNITS[street - 1], counts)
    return counts, raiser


def _dealt_in(line: Sequence[int], counts: list[int]) -> None:
    """Count hands and flops; a flop is seen by all who have not folded, if there are at least two."""
    left = [place for place in range(len(counts)) if FOLDED | place not in line]
    for place in range(len(counts)):
        counts[place] += _HANDS
    for place in left if len(left) > 1 else ():
        counts[place] += _FLOPS


def _before_the_flop(line: Sequence[int], counts: list[int]) -> int | None:
    """Count entering, raising, three-betting and stealing; return the last raiser's place."""
    last = len(counts) - 1
    # cutoff, button and small blind; three-handed the place before the button is the big blind, and
    # heads-up the button is the small blind
    thieves, blinds = [last, last - 1, 0] if last > 2 else [last, 0], [0, 1]
    if last == 1:
        thieves, blinds = [1], [0]
    three_chance, three_bet, three_faced, three_folded = _THREE_BETS
    steal_chance, steal, steal_faced, steal_folded = _STEALS
    raisers: list[int] = []
    entered: set[int] = set()
    callers = 0
    stealing = False
    for step in line:
        place, kind = _PLACES_AND_KINDS[step]
        fold, raises = kind == FOLDED, kind > CALLED
        if len(raisers) == 1 and place != raisers[0]:
            counts[place] += three_chance + raises * three_bet
            if stealing and not callers and place in blinds:
                counts[place] += steal_faced + fold * steal_folded
        elif len(raisers) == 2 and place == raisers[0]:
            counts[place] += three_faced + fold * three_folded
        elif not raisers and not callers and place in thieves:
            counts[place] += steal_chance + raises * steal
            stealing = raises
        if raises:
            counts[place] += 0 if place in raisers else _PFR
            raisers.append(place)
        if kind == CALLED:
            callers += 1
        if kind >= CALLED and place not in entered:
            entered.add(place)
            counts[place] += _VPIP
    return raisers[-1] if raisers else None


def _continued(line: Sequence[int], raiser: int, units: Sequence[int], counts: list[int]) -> int | None:
    """Count the continuation bet of a street and the answers; return its place if it was made and not raised."""
    chance, made, faced, folded = units
    betting = False
    for step in line:
        place, kind = _PLACES_AND_KINDS[step]
        raises = kind > CALLED
        if betting:
            counts[place] += faced + (folded if kind == FOLDED else 0)
            if raises:
                return None
        elif place == raiser:
            counts[place] += chance + (made if raises else 0)
            if not raises:
                return None
            betting = True
        elif raises:
            return None
    return raiser if betting else None
