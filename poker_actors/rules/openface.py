"""The course of an open-face hand: each seat is dealt cards on its turn and lays them, then rows are scored.

A hand is one deal plus any fantasy-land deals it earns, all with the same button, so that no state carries over
from hand to hand. There is no betting: each point is worth one minimum bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from poker_actors.cards import Card
from poker_actors.evaluator.openface import OpenFaceBoard, points
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import BringIn, Discard, Lay
from poker_actors.rules.event import Acted, HandEnded, HoleDealt, Reshuffled, Scored, Shown, StreetDealt
from poker_actors.rules.laying import NO_ROWS, Layout, Rows, ScoredDeal
from poker_actors.rules.log import laid
from poker_actors.rules.payout import PaidRounds
from poker_actors.rules.public import LAYS
from poker_actors.rules.streets import NOBODYS_BET

if TYPE_CHECKING:
    from poker_actors.rules.extra import Extra

_CARDS: Final = 13


def settled(
    boards: dict[int, OpenFaceBoard], stacks: Sequence[int], unit: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return points by seat and chips won or lost by seat, at `unit` chips a point.

    Seats are compared in pairs in the order of `boards`, from the left of the button. In each pair
    a seat wins or loses at most the smaller of the two stacks, and pays at most what it has left.
    """
    seats = list(boards)
    total = dict.fromkeys(seats, 0)
    chips = dict.fromkeys(seats, 0)
    for place, one in enumerate(seats):
        for other in seats[place + 1 :]:
            won = points(boards[one], boards[other])
            total[one] += won
            total[other] -= won
            loser, winner = (other, one) if won > 0 else (one, other)
            paid = min(abs(won) * unit, stacks[one], stacks[other], stacks[loser] + chips[loser])
            chips[winner] += paid
            chips[loser] -= paid
    return total, chips


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class LaidRounds(PaidRounds):
    """Streets and a showdown or, in an open-face game, rows and points."""

    __slots__ = ()

    def _begin(self, extra: Extra) -> None:
        if not self.game.open_face:
            super()._begin(extra)
            return
        extra.opening = self.to_act
        self._deal_rows(extra, ())

    def _deal_rows(self, extra: Extra, fantasy: tuple[int, ...]) -> None:
        """Start a deal in which the seats in `fantasy` get all their cards at once."""
        extra.fantasy = fantasy
        extra.rows = [NO_ROWS] * len(self.stacks)
        extra.round = 0
        self.to_act = extra.opening
        self._ask_to_lay(extra)

    def _ask_to_lay(self, extra: Extra) -> None:
        """Deal to the seat to act, only now: its cards stay in the stub while the others lay theirs."""
        self.decision = LAYS
        self.bet = NOBODYS_BET
        self.min_raise_to = 0
        self._dealt = None
        seat, streets = self.to_act[0], self.game.streets
        # a seat in fantasy land acts only once, in the first round
        count = _CARDS + streets[1].throw if seat in extra.fantasy else streets[extra.round].hole
        self.holes[seat] = extra.stub.take(count)
        if self.listener is not None:
            self.listener(HoleDealt(seat, self.holes[seat]))

    def _decide(self, action: BringIn | Discard | Lay) -> None:
        if not isinstance(action, Lay):
            super()._decide(action)
            return
        assert self.extra is not None
        extra, seat = self.extra, self.to_act[0]
        hole = self.holes[seat]
        self.to_act = self.to_act[1:]
        self.log.append(laid(seat, [action.row_of(card) for card in hole]))
        self._public = None
        # a copy: whoever gave the action keeps it, and might write to it
        extra.laid.append((Lay(action.top, action.middle, action.bottom), hole))
        top, middle, bottom = extra.rows[seat]
        extra.rows[seat] = (top + action.top, middle + action.middle, bottom + action.bottom)
        self.holes[seat] = ()
        self._dealt = None
        if self.listener is not None:
            hidden = seat in extra.fantasy
            self.listener(Acted(seat, action.hidden() if hidden else action, 0, False))
        if self.to_act:
            self._ask_to_lay(extra)
        else:
            self._next_round(extra)

    def _pass(self) -> int:
        if not self.game.open_face:
            return super()._pass()
        passive = self.legal.passive
        assert isinstance(passive, Lay)
        self._decide(passive)
        return 0

    def _next_round(self, extra: Extra) -> None:
        extra.round += 1
        last = len(self.game.streets) - 1
        waiting = tuple([seat for seat in extra.opening if seat not in extra.fantasy])
        if extra.round == last or not waiting:
            self._score(extra)
            return
        if not extra.scored:
            self.street += 1
            self._open_street(1)
            self._tell_street()
        self.to_act = waiting
        self._ask_to_lay(extra)

    def _tell_street(self) -> None:
        if self.listener is not None:
            self.listener(StreetDealt(self.game.streets[self.street].name, ()))

    def _score(self, extra: Extra) -> None:
        """Compare the rows, pay the points, and deal again if a seat has earned fantasy land."""
        seats = extra.opening
        boards = {seat: OpenFaceBoard.of(*extra.rows[seat]) for seat in seats}
        won, chips = settled(boards, self.stacks, self.stakes.min_bet)
        size = range(len(self.stacks))
        by_seat = tuple([chips.get(seat, 0) for seat in size])
        extra.scored.append(
            ScoredDeal(tuple(extra.rows), tuple([won.get(seat, 0) for seat in size]), by_seat)
        )
        self.stacks = tuple([stack + paid for stack, paid in zip(self.stacks, by_seat, strict=True)])
        if self.listener is not None:
            for seat in seats:
                if seat in extra.fantasy:
                    self.listener(Shown(seat, _joined(extra.rows[seat])))
            for seat in seats:
                self.listener(
                    Scored(seat, won[seat], chips[seat], sum(boards[seat].royalties), boards[seat].fouled)
                )
        self._go_to_fantasy_land(extra, boards)

    def _go_to_fantasy_land(self, extra: Extra, boards: dict[int, OpenFaceBoard]) -> None:
        earned = [
            seat
            for seat, board in boards.items()
            if (board.stays_in_fantasy_land if seat in extra.fantasy else board.reaches_fantasy_land)
        ]
        first = len(extra.scored) == 1
        extra.opening = tuple([seat for seat in extra.opening if self.stacks[seat]])
        fantasy = tuple([seat for seat in earned if seat in extra.opening])
        if not fantasy or len(extra.opening) < 2:
            self._end_rows(extra)
            return
        cards = extra.stub.reshuffle(self.cards)
        if self.listener is not None:
            self.listener(Reshuffled(cards))
        if first:
            self.street = len(self.game.streets) - 1
            self._open_street(1)
            self._tell_street()
        self._deal_rows(extra, fantasy)

    def _end_rows(self, extra: Extra) -> None:
        """End the hand with all cards face up."""
        self.decision = 0
        self.bet = self.min_raise_to = 0
        self._dealt = None
        self.to_act = ()
        self.street = len(self.game.streets)
        self.strengths = [self.stacks[seat] - self.starting[seat] for seat in self.live]
        for seat in self.live:
            self.holes[seat] = _joined(extra.scored[-1].rows[seat])
        if self.listener is not None:
            self.listener(HandEnded(self.stacks, self.payoffs))

    def shown_seats(self) -> tuple[int, ...]:
        """Return the seats that showed their cards, in the order they showed; none without a showdown."""
        if self.game.open_face:
            return () if self.strengths is None else self.live
        return super().shown_seats()

    def _look_at_rows(self, extra: Extra) -> Layout | None:
        """Return the public state of the rows; None in other games."""
        if not self.game.open_face:
            return None
        over = not self.to_act
        rows = [NO_ROWS if seat in extra.fantasy and not over else row for seat, row in enumerate(extra.rows)]
        return Layout(tuple(rows), extra.fantasy, tuple(extra.scored))


def _joined(rows: Rows) -> tuple[Card, ...]:
    return rows[0] + rows[1] + rows[2]
