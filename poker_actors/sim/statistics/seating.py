"""Count the actions and results of one seating: its hands since they were last taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from operator import add
from typing import Final

from poker_actors.rules import Event, Hand, event
from poker_actors.sim.statistics.lines import Lines, line_of, steps_by_place
from poker_actors.sim.statistics.sums import (
    BLOCK_BITS,
    ENDS,
    LAST_STREET,
    STREETS,
    Seated,
    Sums,
    all_places,
    order_of,
)

__all__ = [
    "Seating",
    "collectors",
    "ends_of",
    "units_of_ends",
]


def collectors(hand: Hand) -> list[int]:
    """Return the seats paid by a finished hand from the main pot or a side pot, in no order.

    Getting back one's own chips, because the others could not cover an ante, does not count.
    """
    strengths, live = hand.strengths, hand.live
    if strengths is None:
        return [live[0]]
    best = max(strengths)
    can_bet = hand.can_bet
    if hand.extra is not None:
        claims = [claim for board in hand.claims for claim in board]
        if len(claims) > 1 and len(can_bet) == len(live):
            return [*{seat for claim in claims for seat in claim.winners(live)}]
        if len(claims) > 1:
            return [seat for seat in live if _was_paid(hand, seat)]
    if strengths.count(best) == 1:  # most showdowns by far
        winners = [live[strengths.index(best)]]
    else:
        winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
    if len(can_bet) == len(live):
        return winners
    for seat in winners:
        if seat in can_bet:
            return winners  # a best hand that covers everybody takes every pot
    left = [seat for seat in live if seat not in winners and hand.stacks[seat]]
    if not left or (len(left) == 1 and _lost_what_the_best_had(hand, left[0], winners)):
        return winners
    return winners + [seat for seat in left if _was_paid(hand, seat)]


def _lost_what_the_best_had(hand: Hand, seat: int, winners: list[int]) -> bool:
    """Whether a seat lost exactly the best hand's stack, as usual with two all-in: the rest came back uncalled."""
    return hand.starting[seat] - hand.stacks[seat] == max(hand.starting[winner] for winner in winners)


def _was_paid(hand: Hand, seat: int) -> bool:
    """Whether a seat was awarded chips, by replaying the hand."""
    paid: set[int] = set()

    def listen(news: Event) -> None:
        if isinstance(news, event.Awarded):
            paid.add(news.seat)

    hand.replay(listener=listen)
    return seat in paid


_PLACES: Final = (*range(LAST_STREET), *repeat(LAST_STREET, 8))
"""The street under which each is counted: stud's fifth under the fourth, the last with counters."""
_SHOWDOWN: Final = ENDS["showdowns"]
_FLOP_WON: Final = ENDS["flops_won"]
_SHOWDOWN_WON: Final = ENDS["flops_won"] + ENDS["showdowns_won"]
_ALL_IN: Final = ENDS["all_ins"]
_BUST: Final = ENDS["all_ins"] + ENDS["busts"]


def units_of_ends(showdowns: int, showdowns_won: int, flops_won: int, all_ins: int, busts: int) -> int:
    """Return a seat's counts of how hands ended as a sum of units.

    `showdowns_won` and `flops_won` are hands that saw a flop, won with and without a showdown;
    `all_ins` are those that did not bust.
    """
    won = showdowns_won * _SHOWDOWN_WON + flops_won * _FLOP_WON
    return showdowns * _SHOWDOWN + won + all_ins * _ALL_IN + busts * _BUST


def ends_of(hand: Hand, paid: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield seats and units for pots won and stacks lost in a finished hand, whose `paid` seats won a pot.

    `Seating.count` adds the same in place, without a generator in the loop of every hand; tests hold the two together.
    """
    if len(hand.marks) > 1:
        won = _SHOWDOWN_WON if hand.strengths is not None else _FLOP_WON
        for seat in paid:
            yield seat, won << BLOCK_BITS[-1]
    stacks, can_bet = hand.stacks, hand.can_bet
    for seat in hand.live:
        if seat not in can_bet:
            yield seat, (_ALL_IN if stacks[seat] else _BUST) << BLOCK_BITS[-1]


class Seating:
    """Counts hands with the same button, the same bots in the same seats and the same seats dealt in.

    Results are kept until `settle`, which adds them up column by column, a third of the work of adding
    each hand to the sums. Lines are kept until `read`, which reads each distinct one once.
    """

    __slots__ = (
        "_ends",
        "_kept",
        "_nobody_folded",
        "_opening",
        "_order",
        "_streets",
        "_table",
        "payoffs",
        "seated",
        "who",
    )

    def __init__(self, seated: Seated, lines: Lines) -> None:
        _, self.who, dealt = seated
        self.seated = seated
        self.payoffs: list[list[int]] = []
        self._kept: dict[tuple[bytes, tuple[int, ...]], int] = {}
        self._order = order_of(seated)
        self._table = steps_by_place(self._order)
        self._opening = lines.of(0, None, len(dealt))
        self._streets = [0] * len(STREETS)
        self._ends = [0] * len(self.who)
        self._nobody_folded = 0

    def count(self, hand: Hand, payoffs: list[int], record: bytes) -> None:
        """Count a finished hand, given its payoffs in chips by seat and its record."""
        self.payoffs.append(payoffs)
        marks = hand.marks
        line = (line_of(record, len(hand.log), self._table), tuple(marks))
        kept = self._kept
        kept[line] = kept.get(line, 0) + 1
        live, can_bet = hand.live, hand.can_bet
        ends = self._ends
        showdown = hand.strengths is not None
        if showdown and len(live) == len(self._order):  # the common case: one sum instead of one per seat
            self._nobody_folded += 1
        elif showdown:
            for seat in live:
                ends[seat] += _SHOWDOWN
        if len(marks) > 1:
            paid = _SHOWDOWN_WON if showdown else _FLOP_WON
            for seat in collectors(hand):
                ends[seat] += paid
        if len(can_bet) < len(live):
            stacks = hand.stacks
            for seat in live:
                if seat not in can_bet:
                    ends[seat] += _ALL_IN if stacks[seat] else _BUST

    def count_lines(self, lines: Mapping[tuple[bytes, tuple[int, ...]], int], ends: Sequence[int]) -> None:
        """Count many hands at once: how often each line and its marks was played, and the units of ends by seat."""
        kept = self._kept
        for (line, marks), times in lines.items():
            placed = (line.translate(self._table), marks)
            kept[placed] = kept.get(placed, 0) + times
        self._ends = list(map(add, self._ends, ends))

    def settle(self, sums: Sums) -> None:
        """Add the results since the last call to `sums`."""
        if not self.payoffs:
            return
        results = sums.results.setdefault(self.seated, [0] * sums.size)
        squares = sums.squares.setdefault(self.seated, [0] * sums.size)
        for seat, column in enumerate(zip(*self.payoffs, strict=True)):
            results[seat] += sum(column)
            squares[seat] += sum([chips * chips for chips in column])
        self.payoffs = []

    def read(self) -> None:
        """Read the lines kept since the last call, street by street."""
        streets = self._streets
        for (line, marks), times in self._kept.items():
            lines = self._opening
            start, size = 0, len(line)
            for place, end in zip(_PLACES, (*marks[1:], size), strict=False):
                counts, lines = lines[line[start:end]]
                if counts:
                    streets[place] += counts if times == 1 else counts * times
                if end == size:
                    break  # nobody acts on a later street
                start = end
        self._kept = {}

    def take_habits(self) -> list[int]:
        """Return the counts in the form of `Sums.habits`, and reset them."""
        self.read()
        streets, ends, shown = self._streets, self._ends, self._nobody_folded * _SHOWDOWN
        self._streets, self._ends, self._nobody_folded = [0] * len(streets), [0] * len(ends), 0
        return [*streets, all_places(len(STREETS), [ends[seat] + shown for seat in self._order])]
