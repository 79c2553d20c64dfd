"""Counting finished hands, one after another, into sums."""

from __future__ import annotations

from operator import add, mul, sub
from typing import Final

from poker_actors.bots import SeedTree
from poker_actors.rules import Hand
from poker_actors.sim.record import hand_record, record_digest
from poker_actors.sim.statistics.all_in import MILLI, expected_payoffs
from poker_actors.sim.statistics.cards_dealt import CardsDealt
from poker_actors.sim.statistics.lines import Lines
from poker_actors.sim.statistics.seating import Seating
from poker_actors.sim.statistics.sums import Seated, Sums

__all__ = ["Tally"]

_SETTLE_AT: Final = 512
"""Results of one way of sitting that are kept before they are added up."""


class Tally:
    """Counts finished hands; `take` gives their sums.

    `stretch` is how many hands make one point of the curve, `unit` how many hang together; with
    `luck` all-in hands are also counted by what they were worth. Until it is taken, `sums` holds
    hands, digest, chips, units and rows only.
    """

    __slots__ = (
        "_buttons",
        "_cards",
        "_chips",
        "_dealt",
        "_everybody",
        "_expected",
        "_lines",
        "_luck",
        "_point",
        "_point_end",
        "_point_number",
        "_point_start",
        "_seatings",
        "_starting",
        "_stretch",
        "_unit",
        "_unit_results",
        "_who",
        "sums",
    )

    def __init__(self, size: int, stretch: int, unit: int = 1, luck: SeedTree | None = None) -> None:
        self.sums: Sums = Sums(size)
        self._everybody = tuple(range(size))
        # whole units: what hangs together is in one stretch
        self._stretch = -(-stretch // unit) * unit
        self._point: list[int] = []
        self._point_end = self._point_start = self._point_number = 0
        self._unit = unit
        self._unit_results = [0] * size
        self._luck = luck
        self._expected = [0] * size
        self._cards: CardsDealt | None = None
        self._starting: tuple[int, ...] = ()
        self._chips = 0
        self._dealt = self._everybody
        self._who: tuple[int, ...] = ()
        self._seatings: dict[Seated, Seating] = {}
        self._buttons: dict[int, Seating] = {}
        self._lines = Lines()

    def count(self, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Count hand `number`, with the bots `who` by seat; numbers ascend."""
        sums = self.sums
        if number >= self._point_end:
            self._open_point(number)
        sums.hands += 1
        record = hand_record(number, hand)
        sums.digest += record_digest(record)
        starting, stacks = hand.starting, hand.stacks
        if starting is not self._starting or who != self._who:
            self._sit(starting, who)
        sums.chips_in += self._chips
        sums.chips_out += sum(stacks)
        if type(hand) is not Hand:
            sums.rake += hand.public().rake
        seating = self._buttons.get(hand.button)
        if seating is None:
            seating = self._seating(hand.button)
        payoffs = list(map(sub, stacks, starting))
        seating.count(hand, payoffs, record)
        if self._unit > 1:
            self._count_unit(number, payoffs, who)
        if self._luck is not None:
            self._count_expected(number, hand, who, self._luck)
        if len(seating.payoffs) >= _SETTLE_AT:
            seating.settle(sums, self._point)
            seating.read()

    def take(self) -> Sums:
        """Give the sums so far and start again from nothing; what was learned of lines is kept.

        Only between units: a unit's results are squared when it is complete.
        """
        self._close_point()
        sums = self.sums
        for seated, seating in self._seatings.items():
            habits = seating.take_habits()
            if any(habits):
                sums.habits[seated] = habits
        if self._cards is not None:
            sums.cards_dealt = dict(enumerate(self._cards.take()))
        self.sums = Sums(sums.size)
        self._point_end = self._point_start = 0
        return sums

    def _sit(self, starting: tuple[int, ...], who: tuple[int, ...]) -> None:
        """Take note of who sits where, with what."""
        if starting is not self._starting:
            self._starting, self._chips = starting, sum(starting)
            dealt = tuple([seat for seat, stack in enumerate(starting) if stack])
            if dealt == self._dealt and who == self._who:
                return
            self._dealt = dealt
        self._who = who
        self._buttons = {}

    def _seating(self, button: int) -> Seating:
        seated = (button, self._who, self._dealt)
        seating = self._seatings.get(seated)
        if seating is None:
            seating = self._seatings[seated] = Seating(seated, self._lines)
        self._buttons[button] = seating
        return seating

    def _count_unit(self, number: int, payoffs: list[int], who: tuple[int, ...]) -> None:
        of_unit = self._unit_results
        for seat, bot in enumerate(who):
            of_unit[bot] += payoffs[seat]
        if (number + 1) % self._unit == 0:
            sums = self.sums
            sums.units += 1
            sums.unit_squares = list(map(add, sums.unit_squares, map(mul, of_unit, of_unit)))
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
        cards = self._cards
        if cards is None and CardsDealt.counts(hand.game):
            cards = self._cards = CardsDealt(hand.game, size)
        if cards is not None:
            cards.deal(hand, who)
        if (number + 1) % self._unit == 0:
            sums = self.sums
            if cards is not None:
                cards.close_unit(of_unit)
            sums.expected = list(map(add, sums.expected, of_unit))
            sums.expected_squares = list(map(add, sums.expected_squares, map(mul, of_unit, of_unit)))
            self._expected = [0] * size

    def _open_point(self, number: int) -> None:
        self._close_point()
        self._point_number = number // self._stretch
        self._point_end = (self._point_number + 1) * self._stretch
        self._point_start = self.sums.hands
        self._point = self.sums.curve.setdefault(self._point_number, [0] * len(self._everybody))

    def _close_point(self) -> None:
        sums = self.sums
        for seating in self._seatings.values():
            seating.settle(sums, self._point)
        if sums.hands > self._point_start:
            before = sums.stretches.get(self._point_number, 0)
            sums.stretches[self._point_number] = before + sums.hands - self._point_start
            self._point_start = sums.hands
