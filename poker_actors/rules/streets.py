"""The streets of a hand: cards are dealt, some perhaps discarded, then there is a round of betting.

Hold'em and similar games take the short way, with `extra` None. The second half of the class has open cards,
draws, bring-ins and several boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from poker_actors.cards import Card
from poker_actors.evaluator import open_strengths, suit_tie
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import BringIn, Discard, Lay
from poker_actors.rules.betting import NOT_YET, BettingRound
from poker_actors.rules.event import (
    Acted,
    HoleDealt,
    OpenDealt,
    Reshuffled,
    RunDealt,
    Shown,
    StreetDealt,
    UncalledReturned,
)
from poker_actors.rules.game import Betting, First, Street
from poker_actors.rules.log import AMOUNT_BITS, BROUGHT_IN, discarded
from poker_actors.rules.public import BETS, BRINGS_IN, DRAWS, THROWS

if TYPE_CHECKING:
    from poker_actors.rules.extra import Extra
    from poker_actors.rules.public import Dealt

_FIXED_LIMIT: Final = Betting.FIXED_LIMIT
"""A constant: looking a member up in its enum takes four times as long."""
_POSITION: Final = First.POSITION
_LOW_CARD: Final = First.LOW_CARD
_HIGH_CARD: Final = First.HIGH_CARD
_LOW_HAND: Final = First.LOW_HAND

NOBODYS_BET: Final = -1
"""The bet to match during a draw; see `BettingRound.decision`."""

FLOP: Final = 3
"""Cards of a flop: the first street that deals so many is one."""

STREET_FIELDS: Final = ("_dealt", "_next_card", "board", "cards", "extra", "holes", "marks")
"""The slots of `StreetRounds` besides those of betting."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class StreetRounds(BettingRound):
    """Deals and bets street after street; `Hand` starts it and pays at the end."""

    __slots__ = STREET_FIELDS

    _dealt: Dealt | None
    _next_card: int
    board: tuple[Card, ...]
    cards: tuple[Card, ...]
    """All cards that this hand can need, in the order taken from the deck."""
    extra: Extra | None
    """State beyond hole cards, one board and bets; None in a hand without."""
    holes: list[tuple[Card, ...]]
    marks: tuple[int, ...]
    """Length of the log when each street opened."""

    def _show_down(self) -> None:
        """Compare hands and pay, after the last street."""
        raise NotImplementedError

    def _deal_street(self, street: Street) -> None:
        at = self._next_card
        if street.hole:
            count, cards, holes = street.hole, self.cards, self.holes
            for seat in sorted(self.live):
                holes[seat] += cards[at : at + count]
                at += count
            self._next_card = at
        if street.board:
            self._next_card = at + street.board
            self.board += self.cards[at : self._next_card]
        if self.listener is not None:
            if self.street:
                self.listener(StreetDealt(street.name, self.board[len(self.board) - street.board :]))
            if street.hole:
                for seat in sorted(self.live):
                    self.listener(HoleDealt(seat, self.holes[seat][-street.hole :]))

    def _close_street(self) -> None:
        """Go on to the next street with a decision, or to the showdown."""
        if self.extra is not None:
            self._go_on(self.extra)
            return
        can_bet = self.can_bet
        streets = self.game.streets
        if len(can_bet) < len(self.live):
            self._return_uncalled()
            if len(can_bet) < 2 and self.street + 1 < len(streets):
                self._turn_up()
        while True:
            self.street += 1
            self._dealt = None
            if self.street == len(streets):
                self._show_down()
                return
            street = streets[self.street]
            self._open_street(street.bet_units)
            self._deal_street(street)
            if len(can_bet) > 1:
                self.to_act = tuple(can_bet)
                return

    def _open_street(self, bet_units: int) -> None:
        size = len(self.stacks)
        self.marks += (len(self.log),)
        self.bets = (0,) * size
        self.acted = [NOT_YET] * size
        self.aggressor = -1
        self.bet = 0
        self.raises = 0
        unit = self.stakes.min_bet
        if self.game.betting is _FIXED_LIMIT:
            unit *= bet_units
        self.min_raise = self.min_raise_to = unit

    def _return_uncalled(self) -> None:
        """Return the unmatched part of the highest bet to its seat."""
        most = max(self.bets)
        if self.bets.count(most) > 1:
            return
        bets = list(self.bets)
        seat = bets.index(most)
        bets[seat] = 0
        bets[seat] = matched = max(bets)
        self.bets = tuple(bets)
        self._give(seat, most - matched)
        if self.listener is not None:
            self.listener(UncalledReturned(seat, most - matched))

    def _give(self, seat: int, chips: int) -> None:
        """Add chips to a stack."""
        stacks = list(self.stacks)
        stacks[seat] += chips
        self.stacks = tuple(stacks)

    def _turn_up(self) -> None:
        """Show all hole cards to the listener: a seat is all-in and no decision is left.

        That happens before the rest of the board is dealt (TDA 2024, rule 16).
        """
        if self.listener is not None:
            for seat in self.live:
                self.listener(Shown(seat, self.holes[seat]))

    # -- draws, open cards, bring-ins, boards ---------------------------------------------------

    def _begin(self, extra: Extra) -> None:
        """Open the first street of a hand with `extra`; `to_act` is its order of play."""
        extra.opening = self.to_act
        street = self.game.streets[0]
        self._deal_holes(extra, street)
        self._throw_away_or_bet(extra, street)

    def _go_on(self, extra: Extra) -> None:
        """Continue when no seat is left to act: after a draw with the betting, else with the next street."""
        if self.decision:
            self.decision = BETS
            self.bet, self.min_raise_to = extra.answered
            self._bet(extra, self.game.streets[self.street])
            return
        streets = self.game.streets
        over = len(self.can_bet) < 2
        if over and extra.complete_from is None:
            extra.complete_from = extra.boards.copy()
        if len(self.can_bet) < len(self.live):
            self._return_uncalled()
        self._dealt = None
        if over and self.street + 1 < len(streets) and not (extra.turned_up or self._throws_to_come()):
            extra.turned_up = True
            self._turn_up()
        self.street += 1
        if self.street == len(streets):
            self._run_again(extra)
            self._show_down()
            return
        street = streets[self.street]
        self._open_street(street.bet_units)
        self._deal_holes(extra, street)
        self._throw_away_or_bet(extra, street)

    def _throws_to_come(self) -> bool:
        """Return whether a later street has discards."""
        return any(street.draw or street.throw for street in self.game.streets[self.street + 1 :])

    def _deal_holes(self, extra: Extra, street: Street) -> None:
        count = street.hole + street.up
        shared = count * len(self.live) > len(extra.stub)
        if shared:
            # too few cards for everybody: one card is shared by all (TDA 2024, RP-10-H)
            self._deal_board(extra, 0, 1)
        if self.street and not street.board and self.listener is not None:
            self.listener(StreetDealt(street.name, self.board[-1:] if shared else ()))
        if count and not shared:
            self._deal_to_seats(extra, street, count)

    def _deal_to_seats(self, extra: Extra, street: Street, count: int) -> None:
        seats = sorted(self.live)
        cards = extra.stub.take(count * len(seats))
        down, up, holes, opened = street.hole, street.up, self.holes, extra.open
        listener = self.listener
        each = zip(*[iter(cards)] * count, strict=True)
        for seat, new in zip(seats, each, strict=True):
            holes[seat] += new
            opened[seat] += new[down:]
            if listener is not None:
                if down:
                    listener(HoleDealt(seat, new[:down]))
                if up:
                    listener(OpenDealt(seat, new[down:]))

    def _deal_board(self, extra: Extra, number: int, count: int) -> None:
        extra.boards[number] += extra.stub.take(count)
        self.board = extra.boards[0]

    def _throw_away_or_bet(self, extra: Extra, street: Street) -> None:
        if not (street.draw or street.throw):
            self._bet(extra, street)
            return
        extra.answered = (self.bet, self.min_raise_to)
        self.bet = NOBODYS_BET
        self.min_raise_to = 0
        self.decision = THROWS if street.throw else DRAWS
        self._dealt = None
        # seats that are all-in draw too
        self.to_act = self.live

    def _bet(self, extra: Extra, street: Street) -> None:
        """Deal the street's boards, and start the betting."""
        for number in range(len(extra.boards) if street.board else 0):
            self._deal_board(extra, number, street.board)
            if self.listener is not None:
                cards = extra.boards[number][-street.board :]
                name = street.name
                self.listener(RunDealt(number, name, cards) if number else StreetDealt(name, cards))
        self._dealt = None
        self.to_act = ()
        if self.street == 0:
            self._open_first(extra, street)
        elif len(self.can_bet) > 1:
            self.to_act = self._from_first(street)
        if not self.to_act:
            self._close_street()

    def _open_first(self, extra: Extra, street: Street) -> None:
        if extra.bomb_pot and street.board < FLOP:
            return  # straight to the flop
        self.to_act = extra.opening
        if street.first is not _POSITION:
            first = self._first_seat(street.first)
            self.to_act = self._from_seat(first)
            if self.game.brings_in and self.to_act:
                self.bet = self.stakes.bring_in
                # if the seat with the bring-in card has no chips, the next one may also fold (TDA 2024, RP-10-E)
                self.decision = BRINGS_IN if self.to_act[0] == first else BETS
        if len(self.can_bet) < 2:
            self._spare_lone_bettor()
            self.decision = BETS

    def _from_first(self, street: Street) -> tuple[int, ...]:
        """Return the seats that can bet, the first to act first."""
        if street.first is _POSITION:
            return tuple(self.can_bet)
        return self._from_seat(self._first_seat(street.first))

    def _from_seat(self, first: int) -> tuple[int, ...]:
        """Return the seats that can bet, in order from the live seat `first`."""
        live, can_bet = self.live, self.can_bet
        start = live.index(first)
        seats = live[start:] + live[:start]
        return seats if len(can_bet) == len(seats) else tuple([seat for seat in seats if seat in can_bet])

    def _first_seat(self, first: First) -> int:
        """Return the live seat that acts first by its open cards."""
        assert self.extra is not None
        opened, live = self.extra.open, self.live
        if first is _LOW_CARD:
            ties = [suit_tie(opened[seat]) for seat in live]
            return live[ties.index(min(ties))]
        if first is _HIGH_CARD:
            ties = [suit_tie(opened[seat], low=True) for seat in live]
            return live[ties.index(max(ties))]
        low = first is _LOW_HAND
        strengths = open_strengths([opened[seat] for seat in live], low=low)
        best = max(strengths)
        tied = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
        return max(tied, key=lambda seat: suit_tie(opened[seat], low=low))

    def _showing_from(self) -> int:
        """Return the place in `live` of the seat that shows first (TDA 2024, rule 17).

        That is the last seat to bet on the last street, or, if nobody bet, the first to act there.
        """
        if self.aggressor in self.live:
            return self.live.index(self.aggressor)
        first = self.game.streets[-1].first
        return 0 if first is _POSITION else self.live.index(self._first_seat(first))

    def _run_again(self, extra: Extra) -> None:
        """Run the rest of each board again with the next cards, as often as agreed."""
        options = extra.options
        if options is None or extra.complete_from is None:
            return
        if any(seat in options.declined for seat in self.live):
            return
        for _ in range(1, options.boards):
            for before in extra.complete_from:
                to_come = self.game.board_cards - len(before)
                if to_come <= 0 or to_come > len(extra.stub):
                    return
                extra.boards.append(before + extra.stub.take(to_come))
                self._tell_run(len(extra.boards) - 1, len(before), extra.boards[-1])

    def _tell_run(self, number: int, before: int, board: tuple[Card, ...]) -> None:
        if self.listener is None:
            return
        dealt = 0
        for street in self.game.streets:
            if street.board and dealt >= before:
                self.listener(RunDealt(number, street.name, board[dealt : dealt + street.board]))
            dealt += street.board

    # -- turns other than bets ------------------------------------------------------------------

    def _decide(self, action: BringIn | Discard | Lay) -> None:
        """Take a legal action that is not a bet: a bring-in or discard."""
        assert not isinstance(action, Lay)
        if isinstance(action, BringIn):
            self._bring_in()
            return
        assert self.extra is not None
        hole = self.holes[self.to_act[0]]
        self._throw(self.extra, tuple(sorted([hole.index(card) for card in action.cards])))

    def _pass(self) -> int:
        """Bring in, throw the last cards away, or stand pat; return the chips paid."""
        if self.decision == BRINGS_IN:
            return self._bring_in()
        assert self.extra is not None
        count = self.game.streets[self.street].throw
        held = len(self.holes[self.to_act[0]])
        self._throw(self.extra, tuple(range(held - count, held)) if count else ())
        return 0

    def _bring_in(self) -> int:
        seat = self.to_act[0]
        self.to_act = self.to_act[1:]
        self.decision = BETS
        self._dealt = None
        paid = self._pay(seat, self.bet)
        self.log.append(paid << AMOUNT_BITS | BROUGHT_IN | seat)
        self._public = None
        self.acted[seat] = self.bet
        if self.listener is not None:
            self.listener(Acted(seat, BringIn(), paid, self.stacks[seat] == 0))
        if len(self.can_bet) < 2:
            self._spare_lone_bettor()
        if not self.to_act:
            self._close_street()
        return paid

    def _throw(self, extra: Extra, places: tuple[int, ...]) -> None:
        """Discard the acting seat's cards at `places` of its hand; in a draw, deal it as many new ones."""
        seat = self.to_act[0]
        self.to_act = self.to_act[1:]
        hole = self.holes[seat]
        gone = tuple([hole[place] for place in places])
        kept = tuple([card for card in hole if card not in gone])
        count = len(gone)
        self.log.append(discarded(seat, count))
        self._public = None
        if self.listener is not None:
            self.listener(Acted(seat, Discard(count=count), 0, False))
        new = self._draw(extra, seat, count, gone) if self.decision == DRAWS else ()
        extra.thrown.append((seat, places, gone))
        self.holes[seat] = kept + new
        if new and self.listener is not None:
            self.listener(HoleDealt(seat, new))
        if not self.to_act:
            self._close_street()

    def _draw(self, extra: Extra, seat: int, count: int, gone: tuple[Card, ...]) -> tuple[Card, ...]:
        """Deal `count` new cards for those `gone`; if the stub is too short, reshuffle it.

        The reshuffle adds all dealt cards that nobody holds and no board has, those of folded hands and this round's
        discards included. A seat is not dealt its own discards, unless no other cards are left.
        """
        never = {*gone, *extra.thrown_by(seat)}
        new = extra.stub.take_others(count, never)
        if new is None:
            lying = (*[self.holes[other] for other in self.live], *extra.boards)
            held = {card for cards in lying for card in cards}
            cards = extra.stub.reshuffle({*self.cards} - held)
            if self.listener is not None:
                self.listener(Reshuffled(cards))
            new = extra.stub.take_others(count, never)
        return extra.stub.take(count) if new is None else new
