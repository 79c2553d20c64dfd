"""The sums over many hands: made hand by hand, added up over workers."""

from __future__ import annotations

from operator import add, mul, sub
from typing import Any, Final, TypeVar

import attrs

from poker_actors.bots import Faults, SeedTree
from poker_actors.rules import Hand
from poker_actors.sim.record import hand_digest
from poker_actors.sim.statistics.all_in import MILLI, expected_payoffs
from poker_actors.sim.statistics.lines import KIND_AND_SEAT, read_line
from poker_actors.sim.statistics.winners import collectors

__all__ = ["Seated", "Sums", "Tally"]

Key = TypeVar("Key")

_BY_BOT: Final = (
    "squares",
    "showdowns_won",
    "flops_won",
    "all_ins",
    "busts",
    "unit_squares",
    "expected",
    "expected_squares",
    "decisions",
    "nanoseconds",
)

_LINES_KEPT: Final = 16_384
"""Lines remembered, about 25 MB: six callers make six, six thinkers make more than can be kept."""

Seated = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The button, the bot in each seat and the seats dealt in: what habits are counted by."""


@attrs.define
class Sums:
    """What a stretch of hands comes to; every field but `faults` is a sum of whole numbers.

    Lists are by bot. `habits` are sums of units (see `COUNTERS`) by seat, for each way of sitting.
    """

    size: int
    hands: int = 0
    digest: int = 0
    chips_in: int = 0
    chips_out: int = 0
    squares: list[int] = attrs.field(init=False)
    """squared results in chips, of each hand"""
    curve: dict[int, list[int]] = attrs.field(factory=dict)
    """results in chips by stretch of hands; their sum is the net result"""
    showdowns_won: list[int] = attrs.field(init=False)
    flops_won: list[int] = attrs.field(init=False)
    all_ins: list[int] = attrs.field(init=False)
    busts: list[int] = attrs.field(init=False)
    """hands that left it with nothing"""
    units: int = 0
    unit_squares: list[int] = attrs.field(init=False)
    """squared results in chips of each unit: a duplicate deck, a session"""
    expected: list[int] = attrs.field(init=False)
    """adjusted results in thousandths of a chip, where they were asked for"""
    expected_squares: list[int] = attrs.field(init=False)
    """their squares, of each unit"""
    habits: dict[Seated, list[int]] = attrs.field(factory=dict)
    results: dict[Seated, list[int]] = attrs.field(factory=dict)
    """results in chips by seat, for each way of sitting"""
    faults: list[Faults] = attrs.field(init=False)
    decisions: list[int] = attrs.field(init=False)
    """decisions that were timed, and how long they took together"""
    nanoseconds: list[int] = attrs.field(init=False)
    rows: list[dict[str, Any]] = attrs.field(factory=list)
    """the hands themselves, where they were asked for"""

    def __attrs_post_init__(self) -> None:
        for name in _BY_BOT:
            setattr(self, name, [0] * self.size)
        self.faults = [Faults() for _ in range(self.size)]

    @property
    def net(self) -> list[int]:
        """What each bot has won or lost, in chips."""
        return [sum(column) for column in zip(*self.curve.values(), strict=True)] or [0] * self.size

    def add(self, other: Sums) -> None:
        """Take in another stretch of the same match."""
        self.hands += other.hands
        self.digest += other.digest
        self.chips_in += other.chips_in
        self.chips_out += other.chips_out
        self.units += other.units
        self.rows += other.rows
        for name in _BY_BOT:
            setattr(self, name, list(map(add, getattr(self, name), getattr(other, name))))
        _add_rows(self.curve, other.curve)
        _add_rows(self.habits, other.habits)
        _add_rows(self.results, other.results)
        for mine_faults, their_faults in zip(self.faults, other.faults, strict=True):
            mine_faults.add(their_faults)


def _add_rows(mine: dict[Key, list[int]], theirs: dict[Key, list[int]]) -> None:
    for key, row in theirs.items():
        mine[key] = list(map(add, mine[key], row)) if key in mine else row.copy()


class _Seating:
    """One way of sitting: what is the same for all its hands, and the lines seen there."""

    __slots__ = ("habits", "lines", "number", "order", "results", "who")

    def __init__(self, number: int, seated: Seated, lines: dict[object, list[int]]) -> None:
        button, self.who, dealt = seated
        size = len(self.who)
        self.order: list[int] = sorted(dealt, key=lambda seat: (seat - button - 1) % size)
        self.habits: list[int] = [0] * size
        self.results: list[int] = [0] * size
        self.lines = lines
        self.number = number
        """tells its lines from those of other ways of sitting, which are kept together"""

    def read(self, hand: Hand) -> None:
        """Count what the seats did; a line that was seen lately is not read again."""
        log = hand.log
        line = (self.number, bytes([entry & KIND_AND_SEAT for entry in log]), *hand.marks)
        counts = self.lines.get(line)
        if counts is None:
            if len(self.lines) >= _LINES_KEPT:
                self.lines.clear()
            counts = self.lines[line] = read_line(log, hand.marks, self.order, len(self.who))
        self.habits[:] = map(add, self.habits, counts)


class Tally:
    """Counts finished hands into `sums`, one after another.

    `stretch` is how many hands make one point of the curve, `unit` how many hang together; with
    `luck` all-in hands are also counted by what they were worth.
    """

    __slots__ = (
        "_chips",
        "_dealt",
        "_everybody",
        "_expected",
        "_lines",
        "_luck",
        "_point",
        "_point_end",
        "_seatings",
        "_starting",
        "_stretch",
        "_unit",
        "_unit_results",
        "sums",
    )

    def __init__(self, size: int, stretch: int, unit: int = 1, luck: SeedTree | None = None) -> None:
        self.sums: Sums = Sums(size)
        self._everybody = tuple(range(size))
        self._stretch = stretch
        self._point: list[int] = []
        self._point_end = 0
        self._unit = unit
        self._unit_results = [0] * size
        self._luck = luck
        self._expected = [0] * size
        self._starting: tuple[int, ...] = ()
        self._chips = 0
        self._dealt = self._everybody
        self._seatings: dict[Seated, _Seating] = {}
        self._lines: dict[object, list[int]] = {}

    def count(self, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Count hand `number`, with the bots `who` by seat; numbers ascend."""
        sums = self.sums
        sums.hands += 1
        sums.digest += hand_digest(number, hand)
        starting, stacks = hand.starting, hand.stacks
        if starting is not self._starting:
            self._starting, self._chips = starting, sum(starting)
            self._dealt = tuple([seat for seat, stack in enumerate(starting) if stack])
        sums.chips_in += self._chips
        sums.chips_out += sum(stacks)
        payoffs = list(map(sub, stacks, starting))
        seating = self._seating(hand.button, who)
        seating.results[:] = map(add, seating.results, payoffs)
        seating.read(hand)
        if who != self._everybody:
            payoffs = [payoffs[who.index(bot)] for bot in self._everybody]
        if number >= self._point_end:
            self._open_point(number)
        self._point[:] = map(add, self._point, payoffs)
        sums.squares = list(map(add, sums.squares, map(mul, payoffs, payoffs)))
        if self._unit > 1:
            self._count_unit(number, payoffs)
        if self._luck is not None:
            self._count_expected(number, hand, who, self._luck)
        if len(hand.marks) > 1:
            self._count_winners(hand, who)
        if len(hand.can_bet) < len(hand.live):
            self._count_all_ins(hand, who)

    def take(self) -> Sums:
        """Give the sums so far and start again from nothing; what was learned of lines is kept.

        Only between units: a unit's results are squared when it is complete.
        """
        sums = self.sums
        size = len(self._everybody)
        self.sums = Sums(size)
        self._point_end = 0
        for seated, seating in self._seatings.items():
            seating.habits = self.sums.habits[seated] = [0] * size
            seating.results = self.sums.results[seated] = [0] * size
        return sums

    def _count_unit(self, number: int, payoffs: list[int]) -> None:
        self._unit_results = list(map(add, self._unit_results, payoffs))
        if (number + 1) % self._unit == 0:
            results, sums = self._unit_results, self.sums
            sums.units += 1
            sums.unit_squares = list(map(add, sums.unit_squares, map(mul, results, results)))
            self._unit_results = [0] * sums.size

    def _count_expected(self, number: int, hand: Hand, who: tuple[int, ...], luck: SeedTree) -> None:
        """Count what the hand was worth; the luck of the boards drawn is that of nobody else."""
        size = len(who)
        expected = expected_payoffs(hand, luck.rng(number, size))
        if expected is None:
            expected = [MILLI * chips for chips in map(sub, hand.stacks, hand.starting)]
        of_unit = self._expected
        for seat, bot in enumerate(who):
            of_unit[bot] += expected[seat]
        if (number + 1) % self._unit == 0:
            sums = self.sums
            sums.expected = list(map(add, sums.expected, of_unit))
            sums.expected_squares = list(map(add, sums.expected_squares, map(mul, of_unit, of_unit)))
            self._expected = [0] * size

    def _count_all_ins(self, hand: Hand, who: tuple[int, ...]) -> None:
        sums = self.sums
        for seat in hand.live:
            if seat not in hand.can_bet:
                sums.all_ins[who[seat]] += 1
                sums.busts[who[seat]] += not hand.stacks[seat]

    def _seating(self, button: int, who: tuple[int, ...]) -> _Seating:
        seated = (button, who, self._dealt)
        seating = self._seatings.get(seated)
        if seating is None:
            seating = self._seatings[seated] = _Seating(len(self._seatings), seated, self._lines)
            self.sums.habits[seated] = seating.habits
            self.sums.results[seated] = seating.results
        return seating

    def _open_point(self, number: int) -> None:
        point = number // self._stretch
        self._point_end = (point + 1) * self._stretch
        self._point = self.sums.curve.setdefault(point, [0] * len(self._everybody))

    def _count_winners(self, hand: Hand, who: tuple[int, ...]) -> None:
        """Count who was paid in a hand that went to the flop or beyond."""
        sums = self.sums
        showdown = hand.strengths is not None
        for seat in collectors(hand):
            bot = who[seat]
            sums.flops_won[bot] += 1
            sums.showdowns_won[bot] += showdown
