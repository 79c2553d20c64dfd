"""Count finished hands, one after another, into sums and the examples that a report shows."""

from __future__ import annotations

from functools import cache
from operator import add, sub
from typing import TYPE_CHECKING, Final

from poker_actors.bots import hand_class
from poker_actors.rules import Hand
from poker_actors.rules.log import BET, CALLED, RAISED, kind_of, seat_of
from poker_actors.sim.record import hand_record, record_digest
from poker_actors.sim.statistics.lines import Lines, read_line
from poker_actors.sim.statistics.moments import Correcting, count_units
from poker_actors.sim.statistics.seating import Seating, collectors, units_of_ends
from poker_actors.sim.statistics.sums import COUNTERS, EXAMPLES, STREETS, Seated, Sums, unpacked

if TYPE_CHECKING:
    from poker_actors.bots.mit import Ended

__all__ = ["PASSIVE", "Examples", "Tally", "count_starting_hands"]


PASSIVE: Final = frozenset(
    name for name in COUNTERS if name.endswith(("_folds", "_checks", "_calls", "hands"))
)
"""Counters of what happens in every other hand, which needs no examples."""


class Examples:
    """Collects example hands, for reports only: reading a hand by itself costs as much as counting it."""

    def note(self, sums: Sums, number: int, hand: Hand, who: tuple[int, ...]) -> None:
        """Add a finished hand to the examples of each counter and position it counts in."""
        size = len(who)
        dealt = [seat for seat, stack in enumerate(hand.starting) if stack]
        order = sorted(dealt, key=lambda seat: (seat - hand.button - 1) % size)
        counts = read_line(hand.log, hand.marks, order, size)
        for seat in dealt:
            for name, count in unpacked(counts[seat]).items():
                if count and name not in PASSIVE:
                    self._add(sums, who[seat], name, number)
        if hand.strengths is not None:
            for seat in collectors(hand):
                self._add(sums, who[seat], "showdowns_won", number)
        if len(hand.marks) > 1:
            for seat in collectors(hand):
                self._add(sums, who[seat], "flops_won", number)
        for seat in hand.live:
            if seat not in hand.can_bet:
                self._add(sums, who[seat], "all_ins", number)
        # from the button to the right, the order in which positions are named
        for place, seat in enumerate(sorted(dealt, key=lambda seat: (hand.button - seat) % size)):
            self._add(sums, who[seat], f"position {len(dealt)} {place}", number)

    def _add(self, sums: Sums, bot: int, name: str, number: int) -> None:
        named = sums.examples.setdefault((bot, name), [])
        if len(named) < EXAMPLES and number not in named:
            named.append(number)


def count_starting_hands(sums: Sums, hand: Hand, who: tuple[int, ...]) -> None:
    """Count the two hole cards of each seat of a finished hand, and whether they were played and raised before the flop."""
    entries = hand.log[: hand.marks[1]] if len(hand.marks) > 1 else hand.log
    if hand.game.streets[0].name != STREETS[0]:
        entries = []
    acted = [(seat_of(entry), kind_of(entry)) for entry in entries]
    raised = {seat for seat, kind in acted if kind in (BET, RAISED)}
    played = raised | {seat for seat, kind in acted if kind == CALLED}
    for seat, hole in enumerate(hand.holes):
        if len(hole) == 2:
            row = sums.starting_hands.setdefault((who[seat], _class_of(*hole)), [0, 0, 0, 0])
            won = hand.stacks[seat] - hand.starting[seat]
            row[:] = map(add, row, (1, seat in played, seat in raised, won))


_class_of: Final = cache(hand_class)


_SETTLE_AT: Final = 512
"""Results of one seating that are kept before they are added up.

Enough for sums by column to pay (see `add_columns`), few enough for memory to stay flat in a long run.
"""


class Tally:
    """Counts finished hands; `take` returns their sums.

    `block` is the number of hands per point of the curve, `unit` the number that depend on each other.
    With `correcting` the hands are also counted without the luck of the cards, with `keep_units` the
    results of each unit are kept, in order, and with `examples` example hands are collected. Until
    `take`, `sums` is complete only in hands, digest and rows.
    """

    __slots__ = (
        "_block",
        "_buttons",
        "_chips",
        "_correcting",
        "_dealt",
        "_everybody",
        "_examples",
        "_in_order",
        "_keep_units",
        "_lines",
        "_point_end",
        "_point_number",
        "_point_start",
        "_points",
        "_seatings",
        "_starting",
        "_unit",
        "_unit_results",
        "_units",
        "_who",
        "sums",
    )

    def __init__(
        self,
        size: int,
        block: int,
        unit: int = 1,
        correcting: Correcting | None = None,
        *,
        keep_units: bool = False,
        examples: bool = False,
    ) -> None:
        self.sums: Sums = Sums(size)
        self._everybody = tuple(range(size))
        # whole units: a unit must not be split between two blocks
        self._block = -(-block // unit) * unit
        self._point_end = self._point_start = self._point_number = 0
        self._unit = unit
        self._unit_results = [0] * size
        # units since they were last added up, and the number of units at the end of each point of the curve
        self._units: list[list[int]] = []
        self._points: list[tuple[int, int]] = []
        self._keep_units = keep_units
        self._correcting = correcting
        self._examples = Examples() if examples else None
        self._starting: tuple[int, ...] = ()
        self._chips = 0
        self._dealt = self._everybody
        self._who: tuple[int, ...] = ()
        self._in_order = True
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
        starting = hand.starting
        # by identity, which is fast: an equal tuple that is another object is only read again
        if starting is not self._starting or who != self._who:
            self._sit(starting, who)
        sums.chips_in += self._chips
        if hand.options is not None:
            sums.rake += hand.rake
        seating = self._buttons.get(hand.button)
        if seating is None:
            seating = self._seating(hand.button)
        payoffs = list(map(sub, hand.stacks, starting))
        seating.count(hand, payoffs, record)
        if self._unit == 1 and self._in_order:
            self._units.append(payoffs)
        else:
            self._count_unit(number, payoffs, who)
        if self._correcting is not None:
            self._correcting.count(number, hand, who)
        if self._examples is not None:
            self._examples.note(sums, number, hand, who)
        if len(seating.payoffs) >= _SETTLE_AT:
            seating.settle(sums)
            seating.read()

    def count_round(self, ended: Ended) -> None:
        """Count a round that the rules do not play; numbers ascend."""
        sums, number, who, state = self.sums, ended.number, ended.who, ended.state
        if number >= self._point_end:
            self._open_point(number)
        sums.hands += 1
        sums.digest += record_digest(ended.record)
        if ended.starting is not self._starting or who != self._who:
            self._sit(ended.starting, who)
        payoffs = ended.payoffs
        sums.chips_in += self._chips
        sums.rake -= sum(payoffs)  # less than nothing where a pot begins with chips that nobody paid
        seating = self._buttons.get(ended.button) or self._seating(ended.button)
        seating.payoffs.append(payoffs)
        ends = [0] * len(who)
        for player, seat in enumerate(ended.seats):
            paid = player in state.paid
            if not (state.showdown or paid):
                continue
            flop, gone = paid and state.street > 0, not state.stacks[player]
            bust = gone and payoffs[seat] == -ended.starting[seat]
            ends[seat] = units_of_ends(
                state.showdown, flop and state.showdown, flop and not state.showdown, gone and not bust, bust
            )
        seating.count_lines({(ended.line, ended.marks): 1}, ends)
        self._count_unit(number, payoffs, who)
        if len(seating.payoffs) >= _SETTLE_AT:
            seating.settle(sums)
            seating.read()

    def take(self) -> Sums:
        """Return the sums so far and reset them; the cache of lines is kept.

        Call it between units only: a unit's results are counted when it is complete.
        """
        self._close_point()
        self._settle_units()
        sums = self.sums
        for seated, seating in self._seatings.items():
            seating.settle(sums)
            habits = seating.take_habits()
            if any(habits):
                sums.habits[seated] = habits
        sums.chips_out = sums.chips_in + sum(map(sum, sums.results.values()))
        self.sums = Sums(sums.size)
        self._point_end = self._point_start = 0
        return sums

    def _sit(self, starting: tuple[int, ...], who: tuple[int, ...]) -> None:
        """Note a new seating or new stacks."""
        if starting is not self._starting:
            self._starting, self._chips = starting, sum(starting)
            dealt = tuple([seat for seat, stack in enumerate(starting) if stack])
            if dealt == self._dealt and who == self._who:
                return
            self._dealt = dealt
        self._who = who
        self._in_order = who == self._everybody
        # keyed by button alone, so invalid once anybody sits elsewhere
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
            self._units.append(of_unit)
            self._unit_results = [0] * self.sums.size

    def _settle_units(self) -> None:
        """Add up the units of several points at once: in a short run a point has too few for sums by column."""
        units = self._units
        if units:
            count_units(self.sums, units, self._points)
            if self._keep_units:
                self.sums.unit_rows += units
        self._units, self._points = [], []

    def _open_point(self, number: int) -> None:
        self._close_point()
        self._point_number = number // self._block
        self._point_end = (self._point_number + 1) * self._block
        self._point_start = self.sums.hands
        self.sums.curve.setdefault(self._point_number, [0] * len(self._everybody))

    def _close_point(self) -> None:
        sums = self.sums
        self._points.append((self._point_number, len(self._units)))
        if len(self._units) >= _SETTLE_AT:
            self._settle_units()
        if self._correcting is not None:
            self._correcting.settle(sums, self._point_number)
        if sums.hands > self._point_start:
            before = sums.blocks.get(self._point_number, 0)
            sums.blocks[self._point_number] = before + sums.hands - self._point_start
            self._point_start = sums.hands
