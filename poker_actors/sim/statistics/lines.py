"""Count the actions of each seat and street from the log of a hand, its line. This defines the counters.

In a line, seats are **places**: 0 is the first seat dealt in to the left of the button, and so on. Hands
with different buttons thus share lines, and each line need be read only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import repeat
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
from poker_actors.sim.statistics.sums import AT, LAST_STREET, STREETS, WIDTH

_BYTES: Final = bytes(range(256))
_PLACES_AND_KINDS: Final = [(seat_of(step), kind_of(step)) for step in range(128)]
_WORDS: Final = {FOLDED: "folds", CHECKED: "checks", CALLED: "calls"}
_COUNTED: Final = [
    [WIDTH * place + AT[f"{street}_{_WORDS.get(kind, 'raises')}"] for place, kind in _PLACES_AND_KINDS]
    for street in STREETS
]
"""By street and byte of a line, where it is counted."""
_NO_BETS: Final = bytes([step for step in range(128) if kind_of(step) in (DISCARDED, BROUGHT_IN, LAID)])
"""Left out of the count: discarding or laying cards is not betting, and a bring-in is forced like a blind."""
_STREETS: Final = (*range(LAST_STREET), *repeat(LAST_STREET, 8))
"""The street under which each is counted: stud's fifth under the fourth, the last with counters."""
_KEPT: Final = 16_384
"""Streets remembered, about 15 MB."""


Line = tuple[bytes, tuple[int, ...]]
"""The steps of a hand by place, and the number of them before each street."""


@cache
def steps_by_place(order: tuple[int, ...]) -> bytes:
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


class Street:
    """A street: the counters to increase, in a row for each place, and the place that may continuation-bet.

    `raiser` is the place that may do so on this street, and then the one for the next.
    """

    __slots__ = ("counted", "raiser")

    def __init__(self, street: int, line: bytes, raiser: int | None, players: int) -> None:
        steps = [_PLACES_AND_KINDS[step] for step in line]
        self.counted = [_COUNTED[street][step] for step in line]
        self.raiser = raiser
        if street == 0:
            left = [place for place in range(players) if FOLDED | place not in line]
            self.counted += [WIDTH * place + AT["hands"] for place in range(players)]
            self.counted += [WIDTH * place + AT["flops"] for place in left if len(left) > 1]
            self.raiser = self._before_the_flop(steps, players)
        elif raiser is not None:
            self.raiser = self._continued(STREETS[street], steps, raiser)

    def _count(self, place: int, name: str) -> None:
        self.counted.append(WIDTH * place + AT[name])

    def _chance(self, place: int, of: str, name: str, taken: bool) -> None:
        self._count(place, of)
        if taken:
            self._count(place, name)

    def _before_the_flop(self, steps: Sequence[tuple[int, int]], players: int) -> int | None:
        """Count entering, raising, three-betting and stealing; return the last raiser's place."""
        last = players - 1
        # cutoff, button and small blind; three-handed the place before the button is the big blind, and
        # heads-up the button is the small blind
        thieves, blinds = {last, last - 1, 0} if last > 2 else {last, 0}, {0, 1}
        if last == 1:
            thieves, blinds = {1}, {0}
        raisers: list[int] = []
        entered: set[int] = set()
        callers, stealing = 0, False
        for place, kind in steps:
            raises = kind > CALLED
            if len(raisers) == 1 and place != raisers[0]:
                self._chance(place, "three_bet_chances", "three_bets", raises)
                if stealing and not callers and place in blinds:
                    self._chance(place, "steals_faced", "steals_folded_to", kind == FOLDED)
            elif len(raisers) == 2 and place == raisers[0]:
                self._chance(place, "three_bets_faced", "three_bets_folded_to", kind == FOLDED)
            elif not raisers and not callers and place in thieves:
                self._chance(place, "steal_chances", "steals", raises)
                stealing = raises
            if raises:
                if place not in raisers:
                    self._count(place, "pfr")
                raisers.append(place)
            callers += kind == CALLED
            if kind >= CALLED and place not in entered:
                self._count(place, "vpip")
                entered.add(place)
        return raisers[-1] if raisers else None

    def _continued(self, street: str, steps: Sequence[tuple[int, int]], raiser: int) -> int | None:
        """Count the continuation bet of a street and the answers; return its place if it was made and not raised."""
        betting = False
        for place, kind in steps:
            raises = kind > CALLED
            if betting:
                self._chance(place, f"{street}_cbets_faced", f"{street}_cbets_folded_to", kind == FOLDED)
                if raises:
                    return None
            elif place == raiser:
                self._chance(place, f"{street}_cbet_chances", f"{street}_cbets", raises)
                if not raises:
                    return None
                betting = True
            elif raises:
                return None
        return raiser if betting else None


@lru_cache(_KEPT)
def _street(street: int, line: bytes, raiser: int | None, players: int) -> Street:
    """Read a street, cached: whole hands seldom recur, but nine streets in ten do."""
    return Street(street, line.translate(None, _NO_BETS), raiser, players)


def streets_of(line: Line, players: int) -> list[Street]:
    """Return the streets of a hand of `players` players."""
    steps, marks = line
    start, raiser, found = 0, None, []
    for street, end in zip(_STREETS, (*marks[1:], len(steps)), strict=False):
        read = _street(street, steps[start:end], raiser, players)
        found.append(read)
        if end == len(steps):
            break  # nobody acts on a later street
        raiser, start = read.raiser, end
    return found


def read_line(log: Sequence[int], marks: Sequence[int], order: tuple[int, ...]) -> list[int]:
    """Return where a hand's actions add one, in rows of `COUNTERS` for each place, one after another.

    `log` and `marks` are those of a hand (amounts are ignored); `order` holds the seats dealt in, from the left of the
    button. The counters of its end are left out.
    """
    steps = bytes([entry & 255 for entry in log]).translate(steps_by_place(order))
    return [at for street in streets_of((steps, tuple(marks)), len(order)) for at in street.counted]
