"""What each seat did in a hand, read off its log once: the line of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.rules import view
from poker_actors.sim.statistics.counters import STREETS, UNIT

__all__ = ["KIND_AND_SEAT", "read_line"]

KIND_AND_SEAT: Final = 127
"""Of a log entry (`amount << 7 | kind | seat`), what a line looks at."""
FOLDED, CHECKED, CALLED = view.FOLDED, view.CHECKED, view.CALLED
_SEAT: Final = 15
_KIND: Final = 112
_ACTION_UNITS: Final = [
    {FOLDED: UNIT[f"{street}_folds"], CHECKED: UNIT[f"{street}_checks"], CALLED: UNIT[f"{street}_calls"]}
    for street in STREETS
]
_RAISE_UNITS: Final = [UNIT[f"{street}_raises"] for street in STREETS]
_CBET_UNITS: Final = [
    [UNIT[f"{street}_{what}"] for what in ("cbet_chances", "cbets", "cbets_faced", "cbets_folded_to")]
    for street in STREETS[1:]
]


def read_line(log: Sequence[int], marks: Sequence[int], order: list[int], size: int) -> list[int]:
    """Count what each of `size` seats did.

    `log` and `marks` are those of a finished hand (amounts are not looked at); `order` the seats
    dealt in, from the left of the button. Gives a sum of units by seat.
    """
    counts = [0] * size
    ends = [*marks[1:], len(log)]
    for street, (start, end) in enumerate(zip(marks, ends, strict=True)):
        simple, raised = _ACTION_UNITS[street], _RAISE_UNITS[street]
        for entry in log[start:end]:
            counts[entry & _SEAT] += simple.get(entry & _KIND, raised)
    raiser = _before_the_flop(log[: ends[0]], order, counts)
    folded = {entry & _SEAT for entry in log if entry & _KIND == FOLDED}
    gone = {entry & _SEAT for entry in log[: ends[0]] if entry & _KIND == FOLDED}
    for seat in order:
        counts[seat] += UNIT["hands"]
        if len(marks) > 1 and seat not in gone:
            counts[seat] += UNIT["flops"]
        if len(folded) < len(order) - 1 and seat not in folded:
            counts[seat] += UNIT["showdowns"]
    for street in range(1, len(marks)):
        if raiser is None:
            break
        raiser = _continued(log[marks[street] : ends[street]], raiser, _CBET_UNITS[street - 1], counts)
    return counts


def _before_the_flop(log: Sequence[int], order: list[int], counts: list[int]) -> int | None:
    """Count entering, raising, three-betting and stealing; give the last raiser."""
    thieves = order[-2:] + order[:1] if len(order) > 3 else order[-1:] + order[:1]
    blinds = order[:2]
    if len(order) == 2:
        thieves, blinds = order[-1:], order[:1]
    raisers: list[int] = []
    entered: set[int] = set()
    callers = 0
    stealing = False
    for entry in log:
        seat, kind = entry & _SEAT, entry & _KIND
        fold, raises = kind == FOLDED, kind > CALLED
        if len(raisers) == 1 and seat != raisers[0]:
            counts[seat] += UNIT["three_bet_chances"] + raises * UNIT["three_bets"]
            if stealing and not callers and seat in blinds:
                counts[seat] += UNIT["steals_faced"] + fold * UNIT["steals_folded_to"]
        elif len(raisers) == 2 and seat == raisers[0]:
            counts[seat] += UNIT["three_bets_faced"] + fold * UNIT["three_bets_folded_to"]
        elif not raisers and not callers and seat in thieves:
            counts[seat] += UNIT["steal_chances"] + raises * UNIT["steals"]
            stealing = raises
        if raises:
            counts[seat] += 0 if seat in raisers else UNIT["pfr"]
            raisers.append(seat)
        if kind == CALLED:
            callers += 1
        if kind >= CALLED and seat not in entered:
            entered.add(seat)
            counts[seat] += UNIT["vpip"]
    return raisers[-1] if raisers else None


def _continued(log: Sequence[int], raiser: int, units: Sequence[int], counts: list[int]) -> int | None:
    """Count the continuation bet of a street and the answers to it; give who made it, if anybody."""
    chance, made, faced, folded = units
    betting = False
    for entry in log:
        seat, kind = entry & _SEAT, entry & _KIND
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
