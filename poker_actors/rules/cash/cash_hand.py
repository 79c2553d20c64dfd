"""A hand with options: raked, begun on the flop, run to the river on several boards.

It is a class of its own so that a plain hand does no work for what it has not. What it plays
without options is what `Hand` plays, which a property test compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.rules.cash.options import HandOptions
from poker_actors.rules.event import (
    Awarded,
    HandEnded,
    Listener,
    Mucked,
    Post,
    Posted,
    Raked,
    RunDealt,
    Shown,
)
from poker_actors.rules.game import HOLDEM, Game
from poker_actors.rules.hand import Hand
from poker_actors.rules.opening import check_cards
from poker_actors.rules.positions import Positions
from poker_actors.rules.pots import Pot, split_pot
from poker_actors.rules.public import PUBLIC_FIELDS, PublicState
from poker_actors.rules.showdown import return_uncalled, showdown_order, shown_seats, turn_up
from poker_actors.rules.stakes import Stakes

__all__ = ["CashHand", "CashState", "deal_hand"]

Board = tuple[Card, ...]


def deal_hand(
    stacks: Sequence[int],
    stakes: Stakes,
    *,
    deck: Deck,
    options: HandOptions | None = None,
    button: int = 0,
    game: Game = HOLDEM,
    positions: Positions | None = None,
) -> Hand:
    """Deal a hand: a plain one without `options`."""
    if options is None:
        return Hand(stacks, stakes, deck=deck, button=button, game=game, positions=positions)
    return CashHand(stacks, stakes, deck=deck, options=options, button=button, game=game, positions=positions)


class CashState(PublicState):
    """What everybody can see of a hand with options."""

    __slots__ = ("_boards", "_rake", "options")

    def __init__(
        self, plain: PublicState, rake: int, boards: tuple[Board, ...], options: HandOptions
    ) -> None:
        super().__init__(*[getattr(plain, name) for name in PUBLIC_FIELDS])
        self._rake = rake
        self._boards = boards
        self.options: Final = options

    @property
    def rake(self) -> int:
        """Chips the house has taken, once the hand is over."""
        return self._rake

    @property
    def boards(self) -> tuple[Board, ...]:
        """Every board that was run; the first is `board`."""
        return self._boards

    @property
    def pot(self) -> int:
        """All chips put in so far; 0 once it is paid out."""
        return super().pot - self.rake

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CashState):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((super().__hash__(), self.rake, self.boards, self.options))

    def __repr__(self) -> str:
        return f"CashState({super().__repr__()}, {self.rake!r}, {self.boards!r}, {self.options!r})"

    def _compared(self) -> tuple[object, ...]:
        return (*super()._compared(), self.rake, self.boards, self.options)

    def __reduce__(self) -> tuple[type[PublicState], tuple[Any, ...]]:
        plain, fields = super().__reduce__()
        return (CashState, (plain(*fields), self.rake, self.boards, self.options))


class CashHand(Hand):
    """A hand with options; everything else is as `Hand` has it.

    Raises `BadSpec` as that does, and for options that the game has no board for.
    """

    __slots__ = ("_deck", "_shared", "boards", "options", "rake")

    def __init__(
        self,
        stacks: Sequence[int],
        stakes: Stakes,
        *,
        deck: Deck,
        options: HandOptions,
        button: int = 0,
        game: Game = HOLDEM,
        positions: Positions | None = None,
        listener: Listener | None = None,
    ) -> None:
        if not game.board_cards and (options.bomb_pot or options.boards > 1):
            raise BadSpec(f"{game.name} has no board: it has no bomb pots and none to run twice")
        self._begin_with(options, deck)
        posts = None
        if options.bomb_pot:
            size = len(stacks)
            seats = [seat % size for seat in range(button + 1, button + 1 + size) if stacks[seat % size]]
            dealt = seats if positions is None else [seat for seat in seats if seat in positions.dealt]
            posts = [Posted(seat, Post.ANTE, options.bomb_pot) for seat in dealt]
        super().__init__(
            stacks,
            stakes,
            deck=deck,
            button=button,
            game=game,
            positions=positions,
            posts=posts,
            listener=listener,
        )

    def _begin_with(self, options: HandOptions, deck: Deck | None = None) -> None:
        self.options: HandOptions = options
        self.rake: int = 0
        """Chips the house has taken."""
        self.boards: tuple[Board, ...] = ()
        """Every board that was run, once the last is complete."""
        self._deck = deck
        self._shared: tuple[PublicState, CashState] | None = None

    def _start(self, order: list[int], cards: tuple[Card, ...], small: int | None, big: int) -> None:
        deck, self._deck = self._deck, None
        if deck is not None and self.options.boards > 1:
            more = (self.options.boards - 1) * self.game.board_cards
            cards += deck.draw(min(more, len(deck)))
            if not deck.shuffles(self.game.pack):
                check_cards(self.game, cards)
        super()._start(order, cards, small, big)

    def _open_with_blinds(self, opening: int) -> None:
        super()._open_with_blinds(opening)
        if self.options.bomb_pot:
            self.to_act = []  # straight to the flop

    # -- streets and the end ----------------------------------------------------------------

    def _close_street(self) -> None:
        can_bet = self.can_bet
        streets = self.game.streets
        over = len(can_bet) < 2
        if len(can_bet) < len(self.live):
            return_uncalled(self)
            if self.listener is not None and over and self.street + 1 < len(streets):
                turn_up(self)
        before = self.board
        while True:
            self.street += 1
            self._dealt = None
            if self.street == len(streets):
                break
            self._open_street(streets[self.street].bet_units)
            if not over:
                self.to_act = can_bet.copy()
                return
        self.boards = (self.board, *self._other_boards(before))
        self._show_down()

    def _other_boards(self, before: Board) -> Iterator[Board]:
        """Deal what was to come after `before` again, from the next cards of the deck."""
        to_come = self.game.board_cards - len(before)
        if not to_come or any(seat in self.options.declined for seat in self.live):
            return
        at = self._next_card
        for number in range(1, self.options.boards):
            if at + to_come > len(self.cards):
                return
            board = before + self.cards[at : at + to_come]
            at += to_come
            self._next_card = at
            self._tell_run(number, len(before), board)
            yield board

    def _tell_run(self, number: int, before: int, board: Board) -> None:
        if self.listener is None:
            return
        dealt = 0
        for street in self.game.streets:
            if street.board and dealt >= before:
                self.listener(RunDealt(number, street.name, board[dealt : dealt + street.board]))
            dealt += street.board

    def _show_down(self) -> None:
        live, game = self.live, self.game
        holes = [self.holes[seat] for seat in live]
        ranked = [dict(zip(live, game.strengths(holes, board), strict=True)) for board in self.boards]
        self.strengths = list(ranked[0].values())
        pots = self.pots
        listener = self.listener
        if listener is not None and not (len(self.can_bet) < 2 and self.marks[-1] == len(self.log)):
            shown = shown_seats(self)
            for seat in showdown_order(self):
                listener(Shown(seat, self.holes[seat]) if seat in shown else Mucked(seat))
        for number, (pot, rake) in enumerate(zip(pots, self.rakes(pots), strict=True)):
            self._take_rake(number, rake)
            # odd chips go to the first boards, and of each board to the first seats left of the button
            for board, (_, share) in enumerate(split_pot(pot.amount - rake, range(len(ranked)))):
                strengths = ranked[board]
                best = max(strengths[seat] for seat in pot.seats)
                winners = [seat for seat in pot.seats if strengths[seat] == best]
                for seat, amount in split_pot(share, winners) if share else ():
                    if amount:
                        self._award(Awarded(number, seat, amount, board))
        if listener is not None:
            listener(HandEnded(tuple(self.stacks), self.payoffs))

    def _pay_last_seat(self) -> None:
        self._dealt = None
        self.to_act = []
        return_uncalled(self)
        seat, amount = self.live[0], self.pot
        # those who have folded could have won it: the seats are all who were dealt in
        (rake,) = self.rakes([Pot(amount, self._dealt_in())])
        self.street = len(self.game.streets)
        self._take_rake(0, rake)
        if amount:
            self._award(Awarded(0, seat, amount - rake))
        if self.listener is not None:
            self.listener(HandEnded(tuple(self.stacks), self.payoffs))

    def _dealt_in(self) -> tuple[int, ...]:
        return tuple(seat for seat, hole in enumerate(self.holes) if hole)

    def rakes(self, pots: Sequence[Pot]) -> list[int]:
        """Give what the house takes, in chips, out of each of `pots` when they are paid now."""
        rake = self.options.rake
        return [0] * len(pots) if rake is None else rake.of(pots, flop=len(self.marks) > 1)

    def _take_rake(self, pot: int, rake: int) -> None:
        if rake:
            self.rake += rake
            if self.listener is not None:
                self.listener(Raked(pot, rake))

    def _award(self, award: Awarded) -> None:
        stacks = self.stacks.copy()
        stacks[award.seat] += award.amount
        self.stacks = stacks
        if self.listener is not None:
            self.listener(award)

    # -- looking, copies and replays --------------------------------------------------------

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included; 0 once it is paid out."""
        return super().pot - self.rake

    def public(self) -> PublicState:
        """What everybody can see now; one shared value until the next change."""
        plain = super().public()
        if self._shared is None or self._shared[0] is not plain:
            state = CashState(plain, self.rake, self.boards or (self.board,), self.options)
            self._shared = (plain, state)
        return self._shared[1]

    def _blank(self) -> Hand:
        other = CashHand.__new__(CashHand)
        other._begin_with(self.options)
        return other

    def copy(self) -> Hand:
        """Give a hand that goes its own way from here, without a listener."""
        other = super().copy()
        assert isinstance(other, CashHand)
        other.rake, other.boards = self.rake, self.boards
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CashHand):
            return NotImplemented
        return self.options == other.options and super().__eq__(other) is True

    __hash__ = None
