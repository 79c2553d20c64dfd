"""Count the actions and results of one seating since they were last taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from poker_actors.rules import Event, Hand, event
from poker_actors.sim.statistics.lines import Line, Street, steps_by_place, streets_of
from poker_actors.sim.statistics.moments import Columns, product_of, total_of
from poker_actors.sim.statistics.sums import AT, WIDTH, Seated, Sums, order_of

if TYPE_CHECKING:
    from poker_actors.bots.mit import Ended


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
    """Whether a seat lost exactly the winner's stack, as when two are all-in and the rest is returned uncalled."""
    return hand.starting[seat] - hand.stacks[seat] == max(hand.starting[winner] for winner in winners)


def _was_paid(hand: Hand, seat: int) -> bool:
    """Whether a seat was awarded chips, by replaying the hand."""
    paid: set[int] = set()

    def listen(news: Event) -> None:
        if isinstance(news, event.Awarded):
            paid.add(news.seat)

    hand.replay(listener=listen)
    return seat in paid


_SHOWDOWNS, _SHOWDOWNS_WON, _FLOPS_WON, _ALL_INS, _BUSTS = (
    AT[name] for name in ("showdowns", "showdowns_won", "flops_won", "all_ins", "busts")
)
Ends = Iterable[tuple[int, int]]
"""Seats, and the counters that a hand's end adds one to."""


def ends_of(hand: Hand, paid: Sequence[int]) -> Ends:
    """Yield seats and counters for showdowns, pots won and stacks lost in a finished hand; `paid` seats won a pot."""
    live, can_bet = hand.live, hand.can_bet
    if len(live) > 1:
        for seat in live:
            yield seat, _SHOWDOWNS
    if len(hand.marks) > 1:
        shown = hand.strengths is not None
        for seat in paid:
            yield seat, _FLOPS_WON
            if shown:
                yield seat, _SHOWDOWNS_WON
    if len(can_bet) < len(live):
        for seat in live:
            if seat not in can_bet:
                yield seat, _ALL_INS
                if not hand.stacks[seat]:
                    yield seat, _BUSTS


def ends_of_round(ended: Ended) -> Ends:
    """Yield seats and counters for a round that the rules module does not play."""
    state, payoffs = ended.state, ended.payoffs
    for player, seat in enumerate(ended.seats):
        paid = player in state.paid
        if state.showdown:
            yield seat, _SHOWDOWNS
        if paid and state.street > 0:
            yield seat, _FLOPS_WON
            if state.showdown:
                yield seat, _SHOWDOWNS_WON
        if (state.showdown or paid) and not state.stacks[player]:
            yield seat, _ALL_INS
            if payoffs[seat] <= -ended.starting[seat]:  # a bounty of 2025 is paid from beyond the stack
                yield seat, _BUSTS


class Seating:
    """Counts hands with the same button, the same bots in the same seats and the same seats dealt in.

    Results are kept until `settle`, which adds them up column by column, a third of the work of adding
    each hand to the sums. Lines are kept until `read`, which reads each distinct one once.
    """

    __slots__ = ("_counts", "_kept", "_played", "_rows", "order", "payoffs", "seated", "table", "who")

    def __init__(self, seated: Seated) -> None:
        _, self.who, dealt = seated
        self.seated = seated
        self.payoffs: list[list[int]] = []
        self.order: Final = order_of(seated)
        self.table: Final = steps_by_place(self.order)
        self._kept: dict[Line, int] = {}
        self._played: dict[Street, int] = {}
        self._rows = {seat: WIDTH * place for place, seat in enumerate(self.order)}
        self._counts = [0] * (WIDTH * len(dealt))

    def count(self, line: Line, ends: Ends) -> None:
        """Count a hand: its line and marks, and how it ended."""
        kept = self._kept
        kept[line] = kept.get(line, 0) + 1
        counts, rows = self._counts, self._rows
        for seat, at in ends:
            counts[rows[seat] + at] += 1

    def count_line(self, line: Line, times: int) -> list[Street]:
        """Count a line that was played `times` times; return its streets."""
        streets, played = streets_of(line, len(self.order)), self._played
        for street in streets:
            played[street] = played.get(street, 0) + times
        return streets

    def count_ends(self, ends: Mapping[tuple[int, int], int]) -> None:
        """Count how often each seat's hands ended in each way."""
        for (seat, at), times in ends.items():
            self._counts[self._rows[seat] + at] += times

    def settle(self, sums: Sums) -> None:
        """Add the results since the last call to `sums`."""
        if self.payoffs:
            self.add_results(sums, list(zip(*self.payoffs, strict=True)))
            self.payoffs = []

    def add_results(self, sums: Sums, columns: Columns) -> None:
        """Add results in chips to `sums`, a column for each seat."""
        results = sums.results.setdefault(self.seated, [0] * sums.size)
        squares = sums.squares.setdefault(self.seated, [0] * sums.size)
        for seat, column in enumerate(columns):
            results[seat] += total_of(column)
            squares[seat] += product_of(column, column)

    def read(self) -> None:
        """Read the lines kept since the last call, street by street."""
        for line, times in self._kept.items():
            self.count_line(line, times)
        counts = self._counts
        for street, times in self._played.items():
            for at in street.counted:
                counts[at] += times
        self._kept, self._played = {}, {}

    def take_habits(self) -> list[int]:
        """Return the counts in the form of `Sums.habits`, and reset them."""
        self.read()
        counts, self._counts = self._counts, [0] * len(self._counts)
        return counts
