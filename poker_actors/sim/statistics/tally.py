"""Count finished hands, one after another, into sums and the examples that a report shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import add, sub
from typing import TYPE_CHECKING, Final

from poker_actors.bots import hand_class
from poker_actors.native import mypyc_attr
from poker_actors.rules import Hand
from poker_actors.rules.log import BET, CALLED, RAISED, kind_of, seat_of
from poker_actors.sim.record import hand_record, record_digest
from poker_actors.sim.statistics.lines import Line, Street, line_of, streets_of
from poker_actors.sim.statistics.moments import Correcting, count_units
from poker_actors.sim.statistics.seating import Ends, Seating, collectors, ends_of, ends_of_round
from poker_actors.sim.statistics.sums import AT, COUNTERS, EXAMPLES, STREETS, WIDTH, Seated, Sums

if TYPE_CHECKING:
    from poker_actors.bots.mit import Ended

_PASSIVE: Final = frozenset(
    at for name, at in AT.items() if name.endswith(("_folds", "_checks", "_calls", "hands"))
)
"""Counters of what happens in every other hand, which needs no examples."""
Figure = tuple[int, str]
"""A bot, and a counter or position of it."""


class Examples:
    """Collects the first hands of each figure, for reports; hands come in order, so the first found are kept."""

    def __init__(self) -> None:
        self._known: dict[Figure, int] = {}
        self._wanted: dict[Seated, set[int]] = {}
        self._found: dict[Figure, list[int]] = {}

    def note(self, bot: int, name: str, numbers: Sequence[int]) -> None:
        """Note hands that count in a figure, in order."""
        if numbers and self._known.get((bot, name), 0) < EXAMPLES:
            self._found.setdefault((bot, name), []).extend(numbers[:EXAMPLES])

    def note_line(
        self, seating: Seating, streets: Sequence[Street], numbers: Callable[[], Sequence[int]]
    ) -> None:
        """Note the hands of a seating that followed one line, given by its streets; they are fetched only if wanted."""
        wanted = self._wanted.get(seating.seated)
        if wanted is None:
            wanted = self._wanted[seating.seated] = self._wanted_of(seating)
        found: set[int] = set()
        for street in streets:
            if not wanted.isdisjoint(street.counted):
                found.update(wanted.intersection(street.counted))
        for at in found:
            place, counter = divmod(at, WIDTH)
            self.note(seating.who[seating.order[place]], COUNTERS[counter], numbers())

    def _wanted_of(self, seating: Seating) -> set[int]:
        """Return the counters of a seating's places that have too few examples yet."""
        who, known = seating.who, self._known
        return {
            WIDTH * place + counter
            for place, seat in enumerate(seating.order)
            for counter, name in enumerate(COUNTERS)
            if counter not in _PASSIVE and known.get((who[seat], name), 0) < EXAMPLES
        }

    def note_end(self, bot: int, counter: int, numbers: Sequence[int]) -> None:
        """Note a bot's hands that ended in one way; `all_ins` marks those in which it lost everything."""
        if counter != AT["busts"]:
            self.note(bot, COUNTERS[counter], numbers)

    def note_seats(self, seating: Seating, numbers: Sequence[int]) -> None:
        """Note a seating's hands by position, in the order in which positions are named: from the button to its right."""
        button, who, dealt = seating.seated
        for place, seat in enumerate(sorted(dealt, key=lambda seat: (button - seat) % len(who))):
            self.note(who[seat], f"position {len(dealt)} {place}", numbers)

    def settle(self, sums: Sums) -> None:
        """Add the first hands of each figure to `sums`; hands of different seatings arrive out of order."""
        for figure, numbers in self._found.items():
            sums.examples[figure] = sorted(numbers)[:EXAMPLES]
            self._known[figure] = self._known.get(figure, 0) + len(numbers)
        self._found, self._wanted = {}, {}


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


@mypyc_attr(allow_interpreted_subclasses=True)
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
        seating = self._buttons.get(hand.button) or self._seating(hand.button)
        payoffs = list(map(sub, hand.stacks, starting))
        line = (line_of(record, len(hand.log), seating.table), tuple(hand.marks))
        ends = ends_of(hand, collectors(hand) if len(hand.marks) > 1 else ())
        if self._examples is not None:
            ends = [*ends]
            self._note(number, seating, line, ends)
        self._count(number, seating, line, ends, payoffs)
        if self._correcting is not None:
            self._correcting.count(number, hand, who)

    def count_round(self, ended: Ended) -> None:
        """Count a round that the rules module does not play; numbers ascend."""
        sums, number, who = self.sums, ended.number, ended.who
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
        line = (ended.line.translate(seating.table), ended.marks)
        self._count(number, seating, line, ends_of_round(ended), payoffs)

    def _count(self, number: int, seating: Seating, line: Line, ends: Ends, payoffs: list[int]) -> None:
        seating.count(line, ends)
        seating.payoffs.append(payoffs)
        if len(seating.payoffs) >= _SETTLE_AT:
            seating.settle(self.sums)
            seating.read()
        if self._unit == 1 and self._in_order:
            self._units.append(payoffs)
            return
        of_unit = self._unit_results
        for seat, bot in enumerate(seating.who):
            of_unit[bot] += payoffs[seat]
        if (number + 1) % self._unit == 0:
            self._units.append(of_unit)
            self._unit_results = [0] * self.sums.size

    def _note(self, number: int, seating: Seating, line: Line, ends: Ends) -> None:
        assert self._examples is not None
        self._examples.note_line(seating, streets_of(line, len(seating.order)), lambda: (number,))
        self._examples.note_seats(seating, (number,))
        for seat, at in ends:
            self._examples.note_end(seating.who[seat], at, (number,))

    def take(self) -> Sums:
        """Return the sums so far and reset them.

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
        if self._examples is not None:
            self._examples.settle(sums)
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
        seating = self._buttons[button] = self._seated((button, self._who, self._dealt))
        return seating

    def _seated(self, seated: Seated) -> Seating:
        seating = self._seatings.get(seated)
        if seating is None:
            seating = self._seatings[seated] = Seating(seated)
        return seating

    def _settle_units(self) -> None:
        """Add up the units of several points at once: in a short run a point has too few for sums by column."""
        units = self._units
        if units:
            count_units(self.sums, list(zip(*units, strict=True)), self._points)
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
