"""One hand of poker from the blinds to the payout: the state machine of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import Card, Deck
from poker_actors.errors import IllegalAction
from poker_actors.native import mypyc_attr
from poker_actors.rules.betting import BETTING_FIELDS, NOT_YET, BettingRound
from poker_actors.rules.event import Event, HoleDealt, Listener, Posted, StreetDealt
from poker_actors.rules.game import HOLDEM, Betting, Game
from poker_actors.rules.legal import Legal
from poker_actors.rules.log import action_of, seat_of
from poker_actors.rules.opening import check_cards, check_stacks, opening_bet, post_blinds, seating
from poker_actors.rules.positions import Positions
from poker_actors.rules.pots import Pot, layer_pots
from poker_actors.rules.public import Dealt, HandSetup, PublicState
from poker_actors.rules.showdown import pay_last_seat, return_uncalled, show_down, shown_seats, turn_up
from poker_actors.rules.stakes import Stakes
from poker_actors.rules.view import Stream, View

__all__ = ["HAND_FIELDS", "Hand"]

_FIXED_LIMIT: Final = Betting.FIXED_LIMIT
"""Looking a member up in its enum costs four times as much."""


HAND_FIELDS: Final = (
    "_dealt",
    "_next_card",
    "_public",
    "_opened",
    "_setup",
    "board",
    "button",
    "cards",
    "dead",
    "holes",
    "marks",
    "missing_blinds",
    "positions",
    "posts",
    "starting",
    "street",
    "strengths",
)
"""What a `Hand` holds beside its `BettingRound`."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Hand(BettingRound):
    """A hand in progress, or over. Changes in place; `copy()` is cheap.

    `stacks` are chips by seat, 0 for a seat not dealt in; `button` is a seat. The deck gives each
    seat in turn its hole cards, then the board, without burns. Blinds fall left of the button
    (heads-up the button posts small) unless `positions` says otherwise; `posts` lists forced bets
    one by one instead, for what `stakes` cannot say (several straddles, a newcomer's blind, an
    ante of one seat). Seats act in the order of
    `to_act`; `act`, or `fold`, `check_or_call`, `raise_to` and `put_in`, take the turn of
    `to_act[0]`. Streets advance and chips move by themselves. `listener` hears every `Event`.

    Attributes may be read and must not be written; `cards`, `holes` and `strengths` are secret.
    Raises `BadSpec` for stacks, seats, positions or a deck that cannot make a hand.
    """

    __slots__ = HAND_FIELDS

    def __init__(
        self,
        stacks: Sequence[int],
        stakes: Stakes,
        *,
        deck: Deck,
        button: int = 0,
        game: Game = HOLDEM,
        positions: Positions | None = None,
        posts: Sequence[Posted] | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.game = game
        self.stakes = stakes
        self.starting: tuple[int, ...] = tuple(stacks)
        self.button: int = button
        self.positions: Positions | None = positions
        self.posts: tuple[Posted, ...] | None = None if posts is None else tuple(posts)
        self.listener = listener
        check_stacks(self)
        order, small, big = seating(self)
        cards = deck.draw(game.hole_cards * len(order) + game.board_cards)
        if not deck.shuffles(game.pack):
            check_cards(game, cards)
        self._start(order, cards, small, big)

    def _start(self, order: list[int], cards: tuple[Card, ...], small: int | None, big: int) -> None:
        size = len(self.starting)
        self.cards: tuple[Card, ...] = cards
        """Every card this hand can need, in the order dealt."""
        self._next_card: int = 0
        self._public: PublicState | None = None
        self._dealt: Dealt | None = None
        self._setup: HandSetup | None = None
        self.stacks = list(self.starting)
        self.bets = [0] * size
        self.acted = [NOT_YET] * size
        self.live = order
        self.can_bet = order.copy()
        self.board: tuple[Card, ...] = ()
        self.holes: list[tuple[Card, ...]] = [()] * size
        self.log = []
        self.marks: list[int] = [0]
        """Length of the log as each street opened."""
        self.street: int = 0
        self.aggressor = -1
        self.dead: tuple[tuple[int, int], ...] = ()
        """Antes for the whole table and dead blinds: who put them in, and how much."""
        self.missing_blinds: int = 0
        """Chips by which short blinds and a dead small blind fall short of full ones."""
        self.strengths: list[int] | None = None
        """After a showdown: the strength of each live seat, as `live`."""
        self.to_act = post_blinds(self, small, big)
        self._opened: tuple[list[int], list[int]] = (self.bets, self.stacks)
        """What lay in front and behind before the first action."""
        self._open_with_blinds(opening_bet(self))
        self._deal_street()
        if len(self.can_bet) < 2:
            self._spare_lone_bettor()
        if not self.to_act:
            self._close_street()

    def put_in(self, amount: object) -> None:
        """Put `amount` chips in now; see `PublicState.action_for`, and raises as it does."""
        self.act(self.public().action_for(self.to_act[0] if self.to_act else -1, amount))

    # -- streets ----------------------------------------------------------------------------

    def _deal_street(self) -> None:
        street = self.game.streets[self.street]
        at = self._next_card
        if street.hole:
            count = street.hole
            holes = self.holes
            for seat in sorted(self.live):
                holes[seat] += self.cards[at : at + count]
                at += count
        if street.board:
            self.board += self.cards[at : at + street.board]
            at += street.board
        self._next_card = at
        if self.listener is not None:
            if self.street:
                self.listener(StreetDealt(street.name, self.board[len(self.board) - street.board :]))
            if street.hole:
                for seat in sorted(self.live):
                    self.listener(HoleDealt(seat, self.holes[seat][-street.hole :]))

    def _close_street(self) -> None:
        """Go on to the next street with a decision in it, or to the showdown."""
        can_bet = self.can_bet
        streets = self.game.streets
        if len(can_bet) < len(self.live):
            return_uncalled(self)
            if self.listener is not None and len(can_bet) < 2 and self.street + 1 < len(streets):
                turn_up(self)
        while True:
            self.street += 1
            self._dealt = None
            if self.street == len(streets):
                show_down(self)
                return
            self._open_street(streets[self.street].bet_units)
            if len(can_bet) > 1:
                self.to_act = can_bet.copy()
                return

    def _open_with_blinds(self, opening: int) -> None:
        unit = self.stakes.min_bet
        self.bet = opening
        self.raises = 1 if opening else 0
        if opening > unit:
            if self.game.betting is Betting.FIXED_LIMIT:
                self.raises = opening // unit
            else:
                unit = opening
        self.min_raise = unit
        self.min_raise_to = opening + unit

    def _open_street(self, bet_units: int) -> None:
        size = len(self.stacks)
        self.marks.append(len(self.log))
        self.bets = [0] * size
        self.acted = [NOT_YET] * size
        self.aggressor = -1
        self.bet = 0
        self.raises = 0
        unit = self.stakes.min_bet
        if self.game.betting is _FIXED_LIMIT:
            unit *= bet_units
        self.min_raise = self.min_raise_to = unit
        self._deal_street()

    def _pay_last_seat(self) -> None:
        self._dealt = None
        pay_last_seat(self)

    # -- looking ----------------------------------------------------------------------------

    @property
    def cards_dealt(self) -> tuple[Card, ...]:
        """The cards that have been dealt so far, in order: holes by seat, street by street, then boards."""
        return self.cards[: self._next_card]

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return not self.to_act

    @property
    def phase(self) -> str:
        """The street's name; `showdown` when the hand is over."""
        return self.public().phase

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included; 0 once it is paid out."""
        return sum(self.starting) - sum(self.stacks)

    @property
    def pots(self) -> list[Pot]:
        """Main pot and side pots as they stand, chips in front included."""
        put_in = [start - stack for start, stack in zip(self.starting, self.stacks, strict=True)]
        dead = 0
        for seat, amount in self.dead:
            put_in[seat] -= amount
            dead += amount
        all_in = [seat for seat in self.live if seat not in self.can_bet]
        return layer_pots(put_in, self.live, all_in, dead)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """What each seat has won or lost, in chips; before the end, what it has put in, negative."""
        return tuple(stack - start for stack, start in zip(self.stacks, self.starting, strict=True))

    @property
    def legal(self) -> Legal:
        """What the seat to act may do; false when the hand is over."""
        return self.public().legal(self.to_act[0] if self.to_act else -1)

    def public(self) -> PublicState:
        """What everybody can see now; one shared value until the next change."""
        seq = len(self.log)
        public = self._public
        if public is not None and public.seq == seq:
            return public
        dealt = self._dealt or self._look_at_cards()
        raise_to = self.min_raise_to if self._may_raise() else 0
        public = self._public = PublicState(
            dealt, seq, self.stacks, self.bets, self.live, self.to_act, self.bet, raise_to
        )
        return public

    def _look_at_cards(self) -> Dealt:
        setup = self._setup
        if setup is None:
            _, small, big = seating(self)
            starting, (front, behind) = self.starting, self._opened
            forced = tuple([start - left for start, left in zip(starting, behind, strict=True)])
            fixed = (self.game, self.stakes, starting, self.button, small, big)
            setup = HandSetup(*fixed, self.missing_blinds, tuple(front), forced)
            self._setup = setup
        shown: tuple[tuple[int, tuple[Card, ...]], ...] = ()
        if self.strengths is not None:
            shown = tuple([(seat, self.holes[seat]) for seat in shown_seats(self)])
        dealt = self._dealt = Dealt(setup, self.street, self.board, shown, self.log, self.marks)
        return dealt

    def view(self, seat: int, stream: Stream | None = None) -> View:
        """What `seat` may know now."""
        return View(self.public(), seat, self.holes[seat], stream)

    # -- copies and replays -----------------------------------------------------------------

    def copy(self) -> Hand:
        """Give a hand that goes its own way from here, without a listener."""
        other = self._blank()
        for name in (*BETTING_FIELDS, *HAND_FIELDS):
            kept = getattr(self, name)
            setattr(other, name, kept.copy() if isinstance(kept, list) else kept)
        other.listener = other._public = other._dealt = None
        return other

    def _blank(self) -> Hand:
        """Give a hand of this kind with nothing in it yet."""
        return Hand.__new__(Hand)

    def replay(self, log: Iterable[int] | None = None, listener: Listener | None = None) -> Hand:
        """Play the same deal again by `log` (this hand's own, if none) and give the new hand.

        Raises `IllegalAction` at the first entry that is not legal there.
        """
        other = self._blank()
        for name in ("game", "stakes", "starting", "button", "positions", "posts"):
            setattr(other, name, getattr(self, name))
        other.listener = listener
        order, small, big = seating(other)
        other._start(order, self.cards, small, big)
        for entry in list(self.log if log is None else log):
            if other.to_act and other.to_act[0] != seat_of(entry):
                text = f"seat {seat_of(entry)} is not to act: seat {other.to_act[0]} is"
                raise IllegalAction(text, code="not_active")
            other.act(action_of(entry))
        return other

    def events(self) -> list[Event]:
        """Everything that has happened so far, made by playing the log again."""
        events: list[Event] = []
        self.replay(listener=events.append)
        return events

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        compared = ("game", "stakes", "starting", "button", "positions", "posts", "cards", "log")
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    __hash__ = None  # type: ignore[assignment]  # a hand changes: it is no key

    def __repr__(self) -> str:
        board = " ".join(map(str, self.board)) or "-"
        turn = f"seat {self.to_act[0]} to act" if self.to_act else "over"
        return f"<Hand: {self.game.name} {self.phase}, board {board}, pot {self.pot}, {turn}>"
