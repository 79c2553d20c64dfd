"""Count finished hands, one after another, into sums."""

from __future__ import annotations

from operator import sub
from typing import Final

from poker_actors.rules import Hand
from poker_actors.sim.record import hand_record, record_digest
from poker_actors.sim.statistics.correcting import Correcting
from poker_actors.sim.statistics.examples import Examples
from poker_actors.sim.statistics.lines import Lines
from poker_actors.sim.statistics.moments import count_units
from poker_actors.sim.statistics.seating import Seating
from poker_actors.sim.statistics.sums import Seated, Sums

__all__ = ["Tally"]

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
