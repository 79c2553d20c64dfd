"""One way of sitting: what the seats did and won in the hands played so, since the last look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import add, mul
from typing import Final

from poker_actors.rules import Hand
from poker_actors.sim.statistics.counters import BLOCK_BITS, ENDS, LAST_STREET, STREETS
from poker_actors.sim.statistics.lines import Lines, line_of
from poker_actors.sim.statistics.sums import Seated, Sums
from poker_actors.sim.statistics.winners import collectors

__all__ = ["Seating", "units_of_ends"]

_PLACES: Final = (*range(LAST_STREET), *repeat(LAST_STREET, 8))
"""Where streets are counted: stud's fifth with the fourth, the last that has counters."""
_SHOWDOWN: Final = ENDS["showdowns"]
_FLOP_WON: Final = ENDS["flops_won"]
_SHOWDOWN_WON: Final = ENDS["flops_won"] + ENDS["showdowns_won"]
_ALL_IN: Final = ENDS["all_ins"]
_BUST: Final = ENDS["all_ins"] + ENDS["busts"]


def units_of_ends(showdowns: int, showdowns_won: int, flops_won: int, all_ins: int, busts: int) -> int:
    """Give how hands ended for a seat as a sum of units of the end of a hand.

    Won are hands that saw a flop, at a showdown or without; of the all-in ones `busts` left nothing.
    """
    won = showdowns_won * _SHOWDOWN_WON + flops_won * _FLOP_WON
    return showdowns * _SHOWDOWN + won + all_ins * _ALL_IN + busts * _BUST


class Seating:
    """Counts hands of one button, the same bots in the same seats and the same seats dealt in.

    Results are kept until `settle`, which adds them up column by column, a third of the work of adding
    each hand to the sums. Lines are kept until `read`, which reads each different one once.
    """

    __slots__ = ("_kept", "_opening", "_streets", "payoffs", "seated", "who")

    def __init__(self, seated: Seated, lines: Lines) -> None:
        button, self.who, dealt = seated
        size = len(self.who)
        self.seated = seated
        self.payoffs: list[list[int]] = []
        self._kept: dict[tuple[bytes, tuple[int, ...]], int] = {}
        self._opening = lines.opening(sorted(dealt, key=lambda seat: (seat - button - 1) % size), size)
        self._streets: list[list[int]] = [[0] * size for _ in BLOCK_BITS]

    def count(self, hand: Hand, payoffs: list[int], record: bytes) -> None:
        """Count a finished hand, what each seat won in it, and its record."""
        self.payoffs.append(payoffs)
        line = (line_of(record, len(hand.log)), tuple(hand.marks))
        kept = self._kept
        kept[line] = kept.get(line, 0) + 1
        live, can_bet = hand.live, hand.can_bet
        ends = self._streets[-1]
        showdown = hand.strengths is not None
        if showdown:
            for seat in live:
                ends[seat] += _SHOWDOWN
        if len(hand.marks) > 1:
            paid = _SHOWDOWN_WON if showdown else _FLOP_WON
            for seat in collectors(hand):
                ends[seat] += paid
        if len(can_bet) < len(live):
            stacks = hand.stacks
            for seat in live:
                if seat not in can_bet:
                    ends[seat] += _ALL_IN if stacks[seat] else _BUST

    def count_lines(self, lines: Mapping[tuple[bytes, tuple[int, ...]], int], ends: Sequence[int]) -> None:
        """Count many hands at once: their lines and marks, with how often each was played, and how they ended by seat, in units."""
        kept = self._kept
        for line, times in lines.items():
            kept[line] = kept.get(line, 0) + times
        self._streets[-1] = list(map(add, self._streets[-1], ends))

    def settle(self, sums: Sums) -> None:
        """Add the results since the last time to `sums`."""
        if not self.payoffs:
            return
        results = sums.results.setdefault(self.seated, [0] * sums.size)
        squares = sums.squares.setdefault(self.seated, [0] * sums.size)
        for seat, column in enumerate(zip(*self.payoffs, strict=True)):
            results[seat] += sum(column)
            squares[seat] += sum(map(mul, column, column))
        self.payoffs = []

    def read(self) -> None:
        """Read the lines kept since the last time."""
        for (line, marks), times in self._kept.items():
            self._read(line, marks, times)
        self._kept = {}

    def _read(self, line: bytes, marks: tuple[int, ...], times: int) -> None:
        """Count what the seats did in hands of one line, street by street."""
        streets = self._streets
        lines = self._opening
        start = 0
        for place, end in zip(_PLACES, (*marks[1:], len(line)), strict=False):
            counts, lines = lines[line[start:end]]
            if counts is not None:
                if times > 1:
                    counts = [count * times for count in counts]
                streets[place] = list(map(add, streets[place], counts))
            start = end

    def take_habits(self) -> list[int]:
        """Give what was counted by seat, as sums of units of whole hands, and start again from nothing."""
        self.read()
        totals = [0] * len(self.who)
        for street, (counts, bits) in enumerate(zip(self._streets, BLOCK_BITS, strict=True)):
            for seat, count in enumerate(counts):
                totals[seat] += count << bits
            self._streets[street] = [0] * len(counts)
        return totals


assert len(BLOCK_BITS) == len(STREETS) + 1
