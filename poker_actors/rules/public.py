"""The public state of a hand: what everybody at the table can see, in one shared value."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from poker_actors.cards import Card
from poker_actors.errors import IllegalAction
from poker_actors.frozen import value
from poker_actors.rules.action import CALL, CHECK, Action, RaiseTo
from poker_actors.rules.event import Awarded
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.laying import NO_ROWS, ROW_SIZES, LayLegal, Layout
from poker_actors.rules.legal import BringInLegal, DiscardLegal, Legal
from poker_actors.rules.log import Log, Sealed, action_of, entries_of, seat_of
from poker_actors.rules.options import HandOptions
from poker_actors.rules.stakes import Stakes

_NO_LIMIT: Final = Betting.NO_LIMIT
"""A constant: looking a member up in its enum takes four times as long."""
_FIXED_LIMIT: Final = Betting.FIXED_LIMIT

BETS: Final = 0
BRINGS_IN: Final = 1
DRAWS: Final = 2
THROWS: Final = 3
LAYS: Final = 4
"""The decision of the seat to act: a bet, the bring-in, cards to exchange or give up, rows to lay cards in."""


class HandSetup(NamedTuple):
    """The setup of a hand: game, stakes, stacks in chips by seat, positions."""

    game: Game
    stakes: Stakes
    stacks: tuple[int, ...]
    button: int
    small_blind: int | None
    big_blind: int
    missing_blinds: int = 0
    """chips missing from the blinds, because one was short or the small blind dead"""
    front: tuple[int, ...] = ()
    """chips in front of each seat before the first action: blinds and straddles"""
    forced: tuple[int, ...] = ()
    """chips that each seat put in before the first action, antes included"""


@value
class Taken:
    """One action of the hand so far."""

    street: str
    seat: int
    action: Action


class Beside(NamedTuple):
    """The parts of a hand besides hole cards, one board and bets; see the properties of `PublicState`."""

    decision: int
    """`BETS`, `BRINGS_IN`, `DRAWS`, `THROWS` or `LAYS`"""
    open: tuple[tuple[Card, ...], ...]
    boards: tuple[tuple[Card, ...], ...]
    rake: int
    options: HandOptions | None
    layout: Layout | None = None
    awards: tuple[Awarded, ...] = ()


class Dealt(NamedTuple):
    """The cards up to a street's opening, and the hand's log, which only grows."""

    setup: HandSetup
    street: int
    board: tuple[Card, ...]
    shown: tuple[tuple[int, tuple[Card, ...]], ...]
    """seats and their hole cards turned up at the showdown"""
    log: Sealed
    """see `PublicState.entries`"""
    marks: tuple[int, ...]
    """length of the log when each street opened"""
    beside: Beside | None = None
    """None in a hand with hole cards, one board and bets only"""


class PublicState(NamedTuple):
    """What everybody at the table can see at one moment; shared and immutable.

    Sequences are by seat, amounts in chips. A tuple of the hand's own tuples: making one copies references only, and
    nobody can write to it, not even by `object.__setattr__`, which bypasses an attrs class.
    """

    dealt: Dealt
    seq: int
    """the number of actions so far"""
    chips_behind: tuple[int, ...]
    chips_in_front: tuple[int, ...]
    seats_live: tuple[int, ...]
    seats_to_act: tuple[int, ...]
    bet: int
    """the bet to match on this street; 0 during a draw"""
    min_raise_to: int
    """the total of a full raise, regardless of stacks; 0 if the seat to act may not raise"""

    @property
    def entries(self) -> tuple[int, ...]:
        """The hand so far, a number for each action; `log` and `actions` decode them."""
        return entries_of(self.dealt.log, self.seq)

    @property
    def setup(self) -> HandSetup:
        """Game, stakes, starting stacks, positions."""
        return self.dealt.setup

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards."""
        return self.dealt.board

    @property
    def shown(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """Seats and hole cards turned up at the showdown and, by choice, after the hand, in order."""
        return self.dealt.shown

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind."""
        return self.chips_behind

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips in front on this street."""
        return self.chips_in_front

    @property
    def live(self) -> tuple[int, ...]:
        """Seats still in the hand, from the left of the button."""
        return self.seats_live

    @property
    def won(self) -> dict[int, int]:
        """Seat -> chips won from the pots of a finished hand, without uncalled bets."""
        if not self.over:
            return {}
        paid = self.log.put_in
        gains: dict[int, int] = {}
        for seat in self.seats_live:
            most = max([chips for other, chips in enumerate(paid) if other != seat], default=0)
            back = self.chips_behind[seat] - (self.setup.stacks[seat] - paid[seat])
            gains[seat] = back - max(0, paid[seat] - most)
        return {seat: gain for seat, gain in gains.items() if gain > 0}

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats still to act on this street, the next first; empty once the hand is over."""
        return self.seats_to_act

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return not self.seats_to_act

    @property
    def phase(self) -> str:
        """The street's name; `showdown` once the hand is over."""
        streets = self.dealt.setup.game.streets
        street = self.dealt.street
        return streets[street].name if street < len(streets) else "showdown"

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included; 0 once paid out."""
        dealt = self.dealt
        beside = dealt.beside
        pot = sum(dealt.setup.stacks) - sum(self.chips_behind)
        return pot if beside is None else pot - beside.rake

    @property
    def active(self) -> int | None:
        """The seat to act; None once the hand is over."""
        return self.seats_to_act[0] if self.seats_to_act else None

    @property
    def rake(self) -> int:
        """Chips that the house took out of the pots; 0 before the hand is over."""
        beside = self.dealt.beside
        return 0 if beside is None else beside.rake

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """All boards, including those run again; the first, usually the only one, is `board`."""
        beside = self.dealt.beside
        return (self.dealt.board,) if beside is None else beside.boards

    @property
    def open(self) -> tuple[tuple[Card, ...], ...]:
        """Open cards of each seat, in the order dealt; empty in most games."""
        beside = self.dealt.beside
        return ((),) * len(self.dealt.setup.stacks) if beside is None else beside.open

    @property
    def layout(self) -> Layout | None:
        """The rows of open-face Chinese poker; None in other games."""
        beside = self.dealt.beside
        return None if beside is None else beside.layout

    @property
    def awards(self) -> tuple[Awarded, ...]:
        """Payments of a finished hand by pot, board and share; empty without `Dealt.beside`: see `won`."""
        beside = self.dealt.beside
        return () if beside is None else beside.awards

    @property
    def options(self) -> HandOptions | None:
        """The hand's cash-table options; None if it has none."""
        beside = self.dealt.beside
        return None if beside is None else beside.options

    @property
    def drawing(self) -> bool:
        """Whether the seat to act discards instead of betting."""
        beside = self.dealt.beside
        decision = BETS if beside is None else beside.decision
        return decision in (DRAWS, THROWS)

    def to_call(self, seat: int) -> int:
        """Return the chips `seat` must add to stay in, at most its stack; 0 for a seat out of the hand."""
        owed = self.bet - self.chips_in_front[seat]
        if owed <= 0 or not self.seats_to_act or seat not in self.seats_live:
            return 0
        stack = self.chips_behind[seat]
        return owed if owed < stack else stack

    def legal(self, seat: int, hole: tuple[Card, ...] = ()) -> Legal:
        """Return what `seat` may do now; a false `Legal` if it is not its turn.

        Given its `hole` cards, a draw also lists what can be discarded.
        """
        # each field is read once: reading a field of a tuple by name is slower than reading a slot
        to_act, dealt, bet, least = self.seats_to_act, self.dealt, self.bet, self.min_raise_to
        if not to_act or to_act[0] != seat:
            return Legal(seat, turn=False)
        mine = self.chips_in_front[seat]
        stack = self.chips_behind[seat]
        beside = dealt.beside
        kind = Legal
        if beside is not None:
            if beside.layout is not None:
                return self._may_lay(seat, hole, beside.layout)
            if beside.decision >= DRAWS:
                street = dealt.setup.game.streets[dealt.street]
                return DiscardLegal(seat, street.draw or street.throw, street.throw, mine + stack, hole)
            if beside.decision == BRINGS_IN:
                kind = BringInLegal
        owed = bet - mine
        low = high = 0
        if least and stack > owed:
            game = dealt.setup.game
            # no limit and no cap is the usual case: it is decided here without a call
            usual = game.betting is _NO_LIMIT and not game.capped
            high = mine + stack if usual else self._raise_limit(mine + stack, owed)
            low = least if least < high else high
        return kind(seat, min(owed, stack), low, high, bet == 0, mine + stack, stack <= owed)

    def _may_lay(self, seat: int, hole: tuple[Card, ...], layout: Layout) -> Legal:
        streets, rows = self.dealt.setup.game.streets, layout.rows[seat]
        room = tuple([size - len(row) for size, row in zip(ROW_SIZES, rows, strict=True)])
        # in fantasy land all cards are laid at once, with as many discards as on a later street
        first = rows == NO_ROWS and seat not in layout.fantasy
        throw = streets[0].throw if first else streets[1].throw
        return LayLegal(seat, hole, room, throw, self.chips_behind[seat])

    def action_for(self, seat: int, amount: object) -> Action:
        """Return the action that `amount` chips put in by `seat` mean: a check, call, bet or raise.

        Raises `IllegalAction`: `not_active` out of turn, `not_enough` for less than the call,
        `insufficient_funds` for more than the stack.
        """
        legal = self.legal(seat)
        if not legal:
            turn = "the hand is over" if self.over else f"seat {self.active} is to act"
            raise IllegalAction(f"bet {amount}: {turn}", code="not_active")
        if type(amount) is not int or amount < 0:
            raise IllegalAction(f"bet {amount!r:.40}: chips must be whole numbers, 0 or more")
        stack = self.chips_behind[seat]
        if amount > stack:
            raise IllegalAction(f"bet {amount} is above the stack of {stack}", code="insufficient_funds")
        if amount < legal.to_call:
            raise IllegalAction(f"bet {amount}: there are {legal.to_call} to call", code="not_enough")
        if amount == legal.to_call:
            return CALL if amount else CHECK
        return RaiseTo(self.chips_in_front[seat] + amount)

    def _raise_limit(self, all_in: int, owed: int) -> int:
        """Return the highest total that the betting structure allows."""
        game = self.dealt.setup.game
        betting = game.betting
        if game.capped:
            me = self.seats_to_act[0]
            others = [seat for seat in self.seats_live if seat != me]
            all_in = min(all_in, max(self.chips_in_front[seat] + self.chips_behind[seat] for seat in others))
        if betting is _NO_LIMIT:
            return all_in
        if betting is _FIXED_LIMIT:
            return min(self.min_raise_to, all_in)
        pot = self.pot
        if self.dealt.street == 0:
            # short and dead blinds count in full (TDA 2024, rule 54-B)
            pot += self.dealt.setup.missing_blinds
        return min(max(self.bet + pot + owed, self.min_raise_to), all_in)

    @property
    def actions(self) -> tuple[Taken, ...]:
        """Every action so far, in order; forced bets are not actions."""
        return self.actions_since(0)

    def actions_since(self, seq: int) -> tuple[Taken, ...]:
        """Return the actions after the first `seq`."""
        streets = self.dealt.setup.game.streets
        ends = [*self.dealt.marks[1:], self.seq]
        street = 0
        taken = []
        entries = self.entries
        for place in range(seq, self.seq):
            while place >= ends[street]:
                street += 1
            entry = entries[place]
            taken.append(Taken(streets[street].name, seat_of(entry), action_of(entry)))
        return tuple(taken)

    @property
    def log(self) -> Log:
        """The log: every action so far, the chips it moved, and what its seat has put in."""
        dealt = self.dealt
        setup = dealt.setup
        return Log(self.entries, dealt.marks, setup.front, setup.forced)

    def later(  # noqa: PLR0913  all that changes in a hand of hole cards, one board and bets, by name
        self,
        *,
        street: int,
        board: tuple[Card, ...],
        marks: tuple[int, ...],
        entries: list[int],
        stacks: tuple[int, ...],
        bets: tuple[int, ...],
        live: tuple[int, ...],
        to_act: tuple[int, ...],
        bet: int,
        min_raise_to: int,
    ) -> PublicState:
        """Return a later state of this hand, for a follower that has no `Hand`."""
        dealt = Dealt(self.dealt.setup, street, board, (), Sealed(entries), marks)
        return PublicState(
            dealt, len(entries), stacks, bets, live, seats_to_act=to_act, bet=bet, min_raise_to=min_raise_to
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicState):
            return NotImplemented
        return self._compared() == other._compared()

    def __ne__(self, other: object) -> bool:
        return not self == other  # without this, the tuple's own would compare the logs by identity

    def __hash__(self) -> int:
        return hash((self.seq, self.bet, self.min_raise_to, *self.entries))

    def _compared(self) -> tuple[object, ...]:
        setup, street, board, shown, _, marks, beside = self.dealt
        return (setup, street, board, shown, marks, beside, self.entries, *tuple(self)[1:])

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (self.dealt._replace(log=Sealed([])), self.entries, tuple(self)[2:]))


def _restored(dealt: Dealt, entries: tuple[int, ...], rest: tuple[Any, ...]) -> PublicState:
    """Unpickle a state, giving it its own log."""
    return PublicState(dealt._replace(log=Sealed(list(entries))), len(entries), *rest)
