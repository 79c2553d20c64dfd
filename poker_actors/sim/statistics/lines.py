"""What each seat did on each street of a hand, read off its log: the line of the hand."""

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
from poker_actors.sim.statistics.counters import BLOCK_BITS, ENDS, LAST_STREET, STREET_UNITS, STREETS

__all__ = ["Lines", "StreetLines", "line_of", "read_line"]

_STEPS: Final = range(128)
"""What a byte of a line may be: a kind and a seat."""
_WORDS: Final = {FOLDED: "folds", CHECKED: "checks", CALLED: "calls"}
_STEP_UNITS: Final = [
    [(seat_of(step), units[f"{street}_{_WORDS.get(kind_of(step), 'raises')}"]) for step in _STEPS]
    for street, units in zip(STREETS, STREET_UNITS, strict=False)
]
"""By street and byte of a line, the seat and what is counted for it."""
_NO_BETS: Final = bytes([step for step in _STEPS if kind_of(step) in (DISCARDED, BROUGHT_IN, LAID)])
"""Cards thrown away or laid are no bets, and a bring-in is no more of a choice than a blind."""
_CBET_UNITS: Final = [
    [units[f"{street}_{what}"] for what in ("cbet_chances", "cbets", "cbets_faced", "cbets_folded_to")]
    for street, units in zip(STREETS[1:], STREET_UNITS[1:], strict=False)
]
_OPENING: Final = STREET_UNITS[0]

_KEPT: Final = 16_384
"""Streets remembered, about 15 MB."""


def line_of(record: bytes, actions: int) -> bytes:
    """Give kind and seat, a byte each, of the `actions` that the record of a hand ends with.

    These are the lowest bytes of the log, less the bit in which the amount begins: a fifth of the work of
    taking them entry by entry.
    """
    return steps_of(record[len(record) - ENTRY_BYTES * actions :: ENTRY_BYTES])


class StreetLines(dict[bytes, tuple[list[int] | None, "StreetLines"]]):
    """What a street comes to, by its line, with what was known when it opened; worked out when missing.

    Gives a sum of the street's units by seat, None where nothing is to be counted, and the same for
    the next street.
    """

    __slots__ = ("_lines", "_order", "_raiser", "_size", "_street")

    def __init__(self, lines: Lines, street: int, raiser: int | None, order: list[int], size: int) -> None:
        super().__init__()
        self._lines = lines
        self._street = street
        self._raiser = raiser
        self._order = order
        self._size = size

    def __missing__(self, line: bytes) -> tuple[list[int] | None, StreetLines]:
        self._lines.make_room()
        street = self._street
        counts, raiser = _read_street(street, line, self._raiser, self._order, self._size)
        last = street + 1 == len(STREETS)
        following = self if last else self._lines.later(street + 1, raiser, self._size)
        found = self[line] = (counts if any(counts) else None, following)
        return found


class Lines:
    """The lines of streets seen lately. Whole hands seldom come again; nine streets in ten do."""

    def __init__(self) -> None:
        self._openings: list[StreetLines] = []
        self._later: dict[tuple[int, int | None, int], StreetLines] = {}
        self._kept = 0

    def opening(self, order: list[int], size: int) -> StreetLines:
        """Give the lines of the first street of a way of sitting: see `read_line`."""
        self._openings.append(StreetLines(self, 0, None, order, size))
        return self._openings[-1]

    def later(self, street: int, raiser: int | None, size: int) -> StreetLines:
        """Give the lines of a street, with the seat that may make a continuation bet, if any."""
        key = (street, raiser, size)
        found = self._later.get(key)
        if found is None:
            found = self._later[key] = StreetLines(self, street, raiser, [], size)
        return found

    def make_room(self) -> None:
        """Take note that one more is to be kept; forget all when it would be too many."""
        self._kept += 1
        if self._kept > _KEPT:
            for lines in (*self._openings, *self._later.values()):
                lines.clear()
            self._kept = 1


def read_line(log: Sequence[int], marks: Sequence[int], order: list[int], size: int) -> list[int]:
    """Count what each of `size` seats did in a hand; see `COUNTERS`, all but who was paid and all-ins.

    `log` and `marks` are those of a finished hand (amounts are not looked at); `order` the seats
    dealt in, from the left of the button. Gives a sum of units by seat.
    """
    counts = [0] * size
    line = bytes([kind_of(entry) | seat_of(entry) for entry in log])
    raiser: int | None = None
    for street, (start, end) in enumerate(zip(marks, [*marks[1:], len(line)], strict=True)):
        found, raiser = _read_street(street, line[start:end], raiser, order, size)
        for seat in range(size):
            counts[seat] += found[seat] << BLOCK_BITS[min(street, LAST_STREET)]
    live = [seat for seat in order if FOLDED | seat not in line]
    for seat in live if len(live) > 1 else ():
        counts[seat] += ENDS["showdowns"] << BLOCK_BITS[-1]
    return counts


def _read_street(
    street: int, line: bytes, raiser: int | None, order: list[int], size: int
) -> tuple[list[int], int | None]:
    """Count what the seats did on a street; give also who may make a continuation bet on the next."""
    counts = [0] * size
    street = min(street, LAST_STREET)
    line = line.translate(None, _NO_BETS)
    units = _STEP_UNITS[street]
    for entry in line:
        seat, unit = units[entry]
        counts[seat] += unit
    if street == 0:
        _dealt_in(line, order, counts)
        return counts, _before_the_flop(line, order, counts)
    if raiser is not None:
        raiser = _continued(line, raiser, _CBET_UNITS[street - 1], counts)
    return counts, raiser


def _dealt_in(line: Sequence[int], order: list[int], counts: list[int]) -> None:
    """Count hands and flops: there is one unless all but one have folded."""
    left = [seat for seat in order if FOLDED | seat not in line]
    for seat in order:
        counts[seat] += _OPENING["hands"]
    for seat in left if len(left) > 1 else ():
        counts[seat] += _OPENING["flops"]


def _before_the_flop(line: Sequence[int], order: list[int], counts: list[int]) -> int | None:
    """Count entering, raising, three-betting and stealing; give the last raiser."""
    thieves = order[-2:] + order[:1] if len(order) > 3 else order[-1:] + order[:1]
    blinds = order[:2]
    if len(order) == 2:
        thieves, blinds = order[-1:], order[:1]
    raisers: list[int] = []
    entered: set[int] = set()
    callers = 0
    stealing = False
    for entry in line:
        seat, kind = seat_of(entry), kind_of(entry)
        fold, raises = kind == FOLDED, kind > CALLED
        if len(raisers) == 1 and seat != raisers[0]:
            counts[seat] += _OPENING["three_bet_chances"] + raises * _OPENING["three_bets"]
            if stealing and not callers and seat in blinds:
                counts[seat] += _OPENING["steals_faced"] + fold * _OPENING["steals_folded_to"]
        elif len(raisers) == 2 and seat == raisers[0]:
            counts[seat] += _OPENING["three_bets_faced"] + fold * _OPENING["three_bets_folded_to"]
        elif not raisers and not callers and seat in thieves:
            counts[seat] += _OPENING["steal_chances"] + raises * _OPENING["steals"]
            stealing = raises
        if raises:
            counts[seat] += 0 if seat in raisers else _OPENING["pfr"]
            raisers.append(seat)
        if kind == CALLED:
            callers += 1
        if kind >= CALLED and seat not in entered:
            entered.add(seat)
            counts[seat] += _OPENING["vpip"]
    return raisers[-1] if raisers else None


def _continued(line: Sequence[int], raiser: int, units: Sequence[int], counts: list[int]) -> int | None:
    """Count the continuation bet of a street and the answers to it; give who made it, if anybody."""
    chance, made, faced, folded = units
    betting = False
    for entry in line:
        seat, kind = seat_of(entry), kind_of(entry)
        raises = kind > CALLED
        if betting:
            counts[seat] += faced + (folded if kind == FOLDED else 0)
            if raises:
                return None
        elif seat == raiser:
            counts[seat] += chance + (made if raises else 0)
            if not raises:
                return None
            betting = True
        elif raises:
            return None
    return raiser if betting else None
