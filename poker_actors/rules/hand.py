"""The state machine of one hand of poker, from the blinds to the payout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import sub
from typing import Final, SupportsIndex

from attrs import evolve

from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import Action, Discard
from poker_actors.rules.betting import BETTING_FIELDS, NOT_YET
from poker_actors.rules.event import (
    Event,
    HandStarted,
    Listener,
    Post,
    Posted,
    Shown,
)
from poker_actors.rules.extra import Extra, Stub
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.games import HOLDEM
from poker_actors.rules.legal import Legal
from poker_actors.rules.log import (
    DISCARDED,
    LAID,
    Sealed,
    action_of,
    discarded,
    kind_of,
    laid_in_order,
    laid_of,
    places_of,
    seat_of,
)
from poker_actors.rules.openface import LaidRounds
from poker_actors.rules.opening import (
    check_cards,
    check_stacks,
    check_stakes,
    opening_bet,
    post_blinds,
    post_listed,
    seating,
)
from poker_actors.rules.options import HandOptions
from poker_actors.rules.payout import PAID_FIELDS
from poker_actors.rules.positions import Positions
from poker_actors.rules.public import BETS, Beside, Dealt, HandSetup, PublicState
from poker_actors.rules.stakes import Stakes
from poker_actors.rules.streets import STREET_FIELDS
from poker_actors.rules.view import Stream, View

_new: Final = tuple.__new__

_OWN_FIELDS: Final = (
    "_behind",
    "_front",
    "_sealed",
    "_setup",
    "button",
    "missing_blinds",
    "positions",
    "posts",
    "shows",
)
HAND_FIELDS: Final = tuple(sorted((*_OWN_FIELDS, *PAID_FIELDS, *STREET_FIELDS)))
"""The slots of a `Hand` beyond those of `BettingRound`."""
_SETTING: Final = (
    "game",
    "stakes",
    "starting",
    "button",
    "positions",
    "posts",
    "options",
)
"""The settings a hand starts from, apart from its deck; `replay` and `==` use them."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Hand(LaidRounds):
    """A hand in progress, or over. It changes in place; `copy()` is cheap.

    `stacks` are chips by seat, 0 for a seat not dealt in; `button` is a seat. The deck deals each seat
    its hole cards in turn, then the board, without burns. Blinds are posted left of the button
    (heads-up the button posts the small blind) unless `positions` says otherwise. `posts` lists forced
    bets one by one instead, for cases `stakes` cannot express: several straddles, a newcomer's blind,
    the ante of a single seat. `options` are those of a cash table: rake, a bomb pot, boards run again.

    Seats act in the order of `to_act`: `act`, `fold`, `check_or_call`, `raise_to` and `put_in` act for
    `to_act[0]`. Streets are dealt and chips moved automatically. `listener` is called with every `Event`.

    Read attributes, but never write them; `cards`, `holes` and `strengths` are secret.
    Raise `BadSpec` for stacks, seats, positions, stakes or a deck that cannot make a hand.
    """

    __slots__ = _OWN_FIELDS

    _sealed: Sealed | None
    _setup: HandSetup | None
    _front: tuple[int, ...]
    _behind: tuple[int, ...]
    shows: tuple[int, ...]
    """Seats that have turned up their cards by choice, once the hand was over, in order."""
    missing_blinds: int
    """Chips missing from full blinds, because of short stacks or a dead small blind."""

    def __init__(  # noqa: PLR0913  each argument is one setting of a hand
        self,
        stacks: Sequence[int],
        stakes: Stakes,
        *,
        deck: Deck,
        button: SupportsIndex = 0,
        game: Game = HOLDEM,
        positions: Positions | None = None,
        posts: Sequence[Posted] | None = None,
        options: HandOptions | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.game = game
        self.stakes = stakes
        self.starting = tuple(stacks)
        self.positions: Positions | None = positions
        self.posts: tuple[Posted, ...] | None = None if posts is None else tuple(posts)
        self.options = options
        self.listener = listener
        # `button` is not annotated `int`: compiled code would reject 0.5 with a bare `TypeError`, not a `BadSpec`
        check_stacks(self.starting, button, game)
        assert isinstance(button, int)
        self.button: int = button
        if stakes.straddle or stakes.bring_in or not game.plain or options is not None:
            check_stakes(stakes, game, options)
        order, small, big = seating(self.starting, button, positions)
        if options is None and game.plain:
            cards = deck.draw(game.hole_cards * len(order) + game.board_cards)
        else:
            cards = deck.draw(self._cards_needed(len(order), len(deck)))
            if options is not None and options.bomb_pot:
                # an ante from every seat replaces the blinds; other antes and dead blinds listed are still owed
                owed = [post for post in self.posts or () if post.kind in (Post.ANTE, Post.DEAD_BLIND)]
                antes = [Posted(seat, Post.ANTE, options.bomb_pot) for seat in order]
                self.posts = (*antes, *owed)
        if not deck.shuffles(game.pack):
            check_cards(game, cards)
        self._start(order, cards, small, big, deck.reshuffle_key() if game.draws else b"")

    def _cards_needed(self, seats: int, there: int) -> int:
        options = self.options
        runs, boards = (1, 1) if options is None else (options.boards, options.bomb_boards)
        return self.game.cards_needed(seats, there, boards=boards, runs=runs)

    def _start(
        self, order: tuple[int, ...], cards: tuple[Card, ...], small: int | None, big: int, key: bytes
    ) -> None:
        starting, stakes = self.starting, self.stakes
        size = len(starting)
        self.cards = cards
        self._public = self._dealt = self._setup = self._sealed = self.extra = self.strengths = None
        self._next_card = self.street = 0
        self.decision = BETS
        self.acted = [NOT_YET] * size
        self.live = order
        self.board = ()
        self.holes = [()] * size
        self.log = []
        self.shows = ()
        self.marks = (0,)
        self.aggressor = -1
        if self.listener is not None:
            self.listener(HandStarted(self.button, starting))
        posts = self.posts
        if posts is None:
            forced = post_blinds(order, starting, stakes, (small, big), self.listener)
        else:
            forced = post_listed(order, starting, posts, self.listener)
        self.stacks, self.bets, self.can_bet, self.to_act, self.dead, self.missing_blinds = forced
        if small is None and posts is not None and (self.options is None or not self.options.bomb_pot):
            self.missing_blinds += stakes.small_blind  # a dead one cannot be listed: nobody owes it
        # the state before the first action
        self._front, self._behind = self.bets, self.stacks
        self._open_with_blinds(
            stakes.straddle or stakes.big_blind if posts is None else opening_bet(posts, size)
        )
        if self.options is not None or not self.game.plain:
            self._start_with_extra(size, key)
            return
        self._deal_street(self.game.streets[0])
        if len(self.can_bet) < 2:
            self._spare_lone_bettor()
        if not self.to_act:
            self._close_street()

    def _start_with_extra(self, size: int, key: bytes) -> None:
        options = self.options
        boards = self.game.boards
        if self.game.open_face and self.posts:
            raise BadSpec(f"{self.game} is played for points: there are no forced bets to list")
        if options is not None and options.bomb_pot:
            boards = max(boards, options.bomb_boards)
        self.extra = Extra(size, boards, Stub(self.cards, key), options)
        self._begin(self.extra)

    def put_in(self, amount: object) -> None:
        """Put in `amount` chips for the seat to act; see `PublicState.action_for`, which also says what it raises."""
        self.act(self.public().action_for(self.to_act[0] if self.to_act else -1, amount))

    def _open_with_blinds(self, opening: int) -> None:
        unit = self.stakes.min_bet
        self.bet = opening
        self.raises = 1 if opening else 0
        if self.game.betting is Betting.FIXED_LIMIT:
            unit *= self.game.streets[0].bet_units
            self.raises = max(self.raises, opening // unit)
        elif opening > unit:
            unit = opening
        self.min_raise = unit
        self.min_raise_to = opening + unit

    # -- looking ----------------------------------------------------------------------------

    @property
    def cards_dealt(self) -> tuple[Card, ...]:
        """The cards dealt so far, in order: hole cards by seat, street by street, then boards."""
        return self.cards[: self._next_card] if self.extra is None else tuple(self.extra.stub.dealt)

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """Every board: those of the game and, once betting is over, those run again."""
        return (self.board,) if self.extra is None else tuple(self.extra.boards)

    @property
    def open(self) -> tuple[tuple[Card, ...], ...]:
        """The face-up cards of each seat; none in most games."""
        return ((),) * len(self.starting) if self.extra is None else tuple(self.extra.open)

    @property
    def reshuffle_key(self) -> bytes:
        """The secret key that orders a reshuffle; a journal stores it with the cards."""
        return b"" if self.extra is None else self.extra.stub.key

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return not self.to_act

    @property
    def phase(self) -> str:
        """The name of the current street; `showdown` when the hand is over."""
        return self.public().phase

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat to act; falsy when the hand is over."""
        if not self.to_act:
            return self.public().legal(-1)
        seat = self.to_act[0]
        return self.public().legal(seat, self.holes[seat])

    def public(self) -> PublicState:
        """Return what everybody can see now; the same object until the next action."""
        public = self._public
        if public is not None:
            return public
        dealt = self._dealt
        if dealt is None:
            dealt = self._look_at_cards()
        bet, to_act = self.bet, self.to_act
        raise_to = 0
        if to_act:
            # a first action without a cap is the usual case: it is decided here without a call
            usual = self.acted[to_act[0]] == NOT_YET and not self.game.bets_per_street
            if len(self.can_bet) > 1 and (usual or self._may_raise()):
                raise_to = self.min_raise_to
        if bet < 0:  # noqa: PLR1730  a call of `max` would cost 2 % of a hand
            bet = 0  # not `NOBODYS_BET`: there is nothing to call while cards are thrown away
        # not by `PublicState(...)`: its constructor, written in Python, takes twice as long
        public = self._public = _new(
            PublicState, (dealt, len(self.log), self.stacks, self.bets, self.live, to_act, bet, raise_to)
        )
        return public

    def _look_at_cards(self) -> Dealt:
        setup = self._setup
        if setup is None:
            _, small, big = seating(self.starting, self.button, self.positions)
            starting, front, behind = self.starting, self._front, self._behind
            forced = tuple(map(sub, starting, behind))
            fixed = (self.game, self.stakes, starting, self.button, small, big)
            setup = HandSetup(*fixed, self.missing_blinds, front, forced)
            self._setup = setup
        sealed = self._sealed
        if sealed is None:
            sealed = self._sealed = Sealed(self.log)
        shown: tuple[tuple[int, tuple[Card, ...]], ...] = ()
        if self.strengths is not None or self.shows:
            shown = tuple([(seat, self.holes[seat]) for seat in (*self.shown_seats(), *self.shows)])
        beside = None
        if self.extra is not None:
            rows = self._look_at_rows(self.extra)
            # copies: the hand keeps its own, and an event can be written to
            awards = tuple([evolve(award) for award in self.extra.awards])
            beside = Beside(self.decision, self.open, self.boards, self.rake, self.options, rows, awards)
        dealt = Dealt(setup, self.street, self.board, shown, sealed, self.marks, beside)
        # Reused for the whole street while betting; any other decision changes cards or rows with every turn.
        if not self.decision:
            self._dealt = dealt
        return dealt

    def show(self, seat: int) -> None:
        """Turn up a seat's cards after the hand, because its player chooses to; this wins nothing.

        Nothing changes if they are already turned up. Raise `IllegalAction` while the hand is in progress,
        and `BadSpec` for a seat that was not dealt in.
        """
        if self.to_act:
            raise IllegalAction(f"seat {seat} may show its cards only once the hand is over")
        if type(seat) is not int or not 0 <= seat < len(self.holes) or not self.holes[seat]:
            raise BadSpec(f"seat {seat!r:.40} was dealt no cards to show")
        if seat in self.shown_seats() or seat in self.shows:
            return
        self.shows += (seat,)
        self._public = self._dealt = None
        if self.listener is not None:
            self.listener(Shown(seat, self.holes[seat]))

    def view(self, seat: int, stream: Stream | None = None) -> View:
        """Return what `seat` may know now."""
        return View(self.public(), seat, self.holes[seat], stream)

    # -- copies and replays -----------------------------------------------------------------

    def copy(self) -> Hand:
        """Return an independent copy of the hand, without a listener."""
        other = Hand.__new__(Hand)
        for name in (*BETTING_FIELDS, *HAND_FIELDS):
            kept = getattr(self, name)
            setattr(other, name, kept.copy() if isinstance(kept, list) else kept)
        if self.extra is not None:
            other.extra = self.extra.copy()
        other.listener = other._public = other._dealt = other._sealed = None
        return other

    def entries(self, *, order: bool = False) -> Sequence[int]:
        """Return the log with the places of discards filled in, for a journal or record; secret in draw games.

        With `order`, for a journal, it also has the order in which the cards of a row were named: secret in
        open-face. Records and digests have none.
        """
        extra = self.extra
        if extra is None or not (extra.thrown or (order and extra.laid)):
            return self.log
        if extra.laid:  # nothing else is done in such a game
            return [laid_in_order(entry, *kept) for entry, kept in zip(self.log, extra.laid, strict=True)]
        thrown = iter(extra.thrown)
        return [self._with_places(entry, thrown) for entry in self.log]

    def whole_actions(self) -> list[Action]:
        """Return every action with its cards, even those discarded or laid face down; secret, like `entries`."""
        extra = self.extra
        if extra is None:
            return [action_of(entry) for entry in self.log]
        thrown, laid = iter(extra.thrown), iter(extra.laid)
        whole: list[Action] = []
        for entry in self.log:
            kind = kind_of(entry)
            if kind == DISCARDED:
                whole.append(Discard(next(thrown)[2]))
            else:
                whole.append(next(laid)[0] if kind == LAID else action_of(entry))
        return whole

    @staticmethod
    def _with_places(entry: int, thrown: Iterator[tuple[int, tuple[int, ...], tuple[Card, ...]]]) -> int:
        if kind_of(entry) != DISCARDED:
            return entry
        seat, places, _ = next(thrown)
        return discarded(seat, len(places), places)

    def replay(self, log: Iterable[int] | None = None, listener: Listener | None = None) -> Hand:
        """Replay the same deal from `log`, in the form of `entries`; by default this hand's log and later shows.

        Raise `IllegalAction` at the first entry that is not legal there, and `BadSpec` for one that cannot be read.
        """
        other = Hand.__new__(Hand)
        for name in _SETTING:
            setattr(other, name, getattr(self, name))
        other.listener = listener
        order, small, big = seating(other.starting, other.button, other.positions)
        other._start(order, self.cards, small, big, self.reshuffle_key)
        for entry in self.entries(order=True) if log is None else tuple(log):
            other._take(entry)
        for seat in self.shows if log is None else ():
            other.show(seat)
        return other

    def _take(self, entry: int) -> None:
        """Take the action that `entry`, one of `entries`, records."""
        seat = seat_of(entry)
        if self.to_act and self.to_act[0] != seat:
            text = f"seat {seat} is not to act: seat {self.to_act[0]} is"
            raise IllegalAction(text, code="not_active")
        hole = self.holes[seat]
        if kind_of(entry) == LAID:
            self.act(laid_of(entry, hole))
            return
        if kind_of(entry) != DISCARDED:
            self.act(action_of(entry))
            return
        places = places_of(entry)
        if places and places[-1] >= len(hole):
            raise IllegalAction(f"seat {seat} discards card {places[-1] + 1}, but holds only {len(hole)}")
        self.act(Discard(tuple([hole[place] for place in places])))

    def events(self) -> list[Event]:
        """Return the events so far, produced by replaying the log."""
        events: list[Event] = []
        self.replay(listener=events.append)
        return events

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        compared = (*_SETTING, "cards", "reshuffle_key")
        if any(getattr(self, name) != getattr(other, name) for name in compared):
            return False
        return self.entries() == other.entries() and self.shows == other.shows

    __hash__ = None  # type: ignore[assignment]  # mutable, so not hashable

    def __repr__(self) -> str:
        board = " ".join(map(str, self.board)) or "-"
        turn = f"seat {self.to_act[0]} to act" if self.to_act else "over"
        return f"<Hand: {self.game.name} {self.phase}, board {board}, pot {self.pot}, {turn}>"


def deal_hand(
    stacks: Sequence[int],
    stakes: Stakes,
    *,
    deck: Deck,
    options: HandOptions | None = None,
    button: int = 0,
    game: Game = HOLDEM,
    positions: Positions | None = None,
    posts: Sequence[Posted] | None = None,
) -> Hand:
    """Deal a hand; see `Hand` for the arguments and errors."""
    return Hand(
        stacks,
        stakes,
        deck=deck,
        button=button,
        game=game,
        positions=positions,
        posts=posts,
        options=options,
    )
