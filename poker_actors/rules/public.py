"""The public state of a hand: what everybody at the table can see, in one shared value."""

from __future__ import annotations

from typing import Any, Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import IllegalAction
from poker_actors.frozen import value
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import CALL, CHECK, Action, RaiseTo
from poker_actors.rules.event import Awarded
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.laying import NO_ROWS, ROW_SIZES, LayLegal, Layout
from poker_actors.rules.legal import BringInLegal, DiscardLegal, Legal
from poker_actors.rules.log import Log, action_of, seat_of
from poker_actors.rules.options import HandOptions
from poker_actors.rules.stakes import Stakes

__all__ = [
    "BETS",
    "BRINGS_IN",
    "DRAWS",
    "LAYS",
    "PUBLIC_FIELDS",
    "THROWS",
    "Beside",
    "Dealt",
    "HandSetup",
    "PublicState",
    "Taken",
]

_NO_LIMIT: Final = Betting.NO_LIMIT
"""A constant: looking a member up in its enum takes four times as long."""
_FIXED_LIMIT: Final = Betting.FIXED_LIMIT

BETS: Final = 0
BRINGS_IN: Final = 1
DRAWS: Final = 2
THROWS: Final = 3
LAYS: Final = 4
"""What the seat to act decides: a bet, the bring-in, cards to exchange, cards to give up, rows to lay cards in."""


@value
class HandSetup:
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


@value
class Beside:
    """What a hand has besides hole cards, one board and bets; see the properties of `PublicState`."""

    decision: int
    """`BETS`, `BRINGS_IN`, `DRAWS`, `THROWS` or `LAYS`"""
    open: tuple[tuple[Card, ...], ...]
    boards: tuple[tuple[Card, ...], ...]
    rake: int
    options: HandOptions | None
    layout: Layout | None = None
    awards: tuple[Awarded, ...] = ()


@value
class Dealt:
    """What a street opened with, and the hand's log, which only grows."""

    setup: HandSetup
    street: int
    board: tuple[Card, ...]
    shown: tuple[tuple[int, tuple[Card, ...]], ...]
    """seats and their hole cards turned up at the showdown"""
    log: list[int] = attrs.field(repr=False, eq=False)
    """a number for each action; `PublicState.log` decodes them"""
    marks: list[int] = attrs.field(repr=False, eq=False)
    """length of the log when each street opened"""
    beside: Beside | None = None
    """None in a hand with hole cards, one board and bets only"""


PUBLIC_FIELDS: Final = (
    "dealt",
    "seq",
    "chips_behind",
    "chips_in_front",
    "seats_live",
    "seats_to_act",
    "bet",
    "min_raise_to",
)
"""The slots of a `PublicState`, in the order of its constructor."""


@mypyc_attr(allow_interpreted_subclasses=True)
class PublicState:
    """What everybody at the table can see at one moment; shared and immutable.

    Sequences are by seat, amounts in chips. The hand replaces its lists and never writes to them, so making this
    value copies references only. Read them through the properties, as tuples.
    """

    # written by hand: one is made for every action of every hand, and mypyc does not compile attrs classes
    __slots__ = PUBLIC_FIELDS

    def __init__(
        self,
        dealt: Dealt,
        seq: int,
        chips_behind: list[int],
        chips_in_front: list[int],
        seats_live: list[int],
        seats_to_act: list[int],
        bet: int,
        min_raise_to: int,
    ) -> None:
        self.dealt: Final = dealt
        self.seq: Final = seq
        """the number of actions so far"""
        self.chips_behind: Final = chips_behind
        self.chips_in_front: Final = chips_in_front
        self.seats_live: Final = seats_live
        self.seats_to_act: Final = seats_to_act
        self.bet: Final = bet
        """the bet to match on this street; 0 during a draw"""
        self.min_raise_to: Final = min_raise_to
        """the total of a full raise, regardless of stacks; 0 if the seat to act may not raise"""

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
        """Seats and hole cards turned up at the showdown, in order."""
        return self.dealt.shown

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind."""
        return tuple(self.chips_behind)

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips in front on this street."""
        return tuple(self.chips_in_front)

    @property
    def live(self) -> tuple[int, ...]:
        """Seats still in the hand, from the left of the button."""
        return tuple(self.seats_live)

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
        return tuple(self.seats_to_act)

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
        beside = self.dealt.beside
        pot = sum(self.dealt.setup.stacks) - sum(self.chips_behind)
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
        """All boards, those run again included; the first, and usually only, one is `board`."""
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
        """Payments of a finished hand by pot, board and share; empty in a hand without `Dealt.beside`, see `won`."""
        beside = self.dealt.beside
        return () if beside is None else beside.awards

    @property
    def options(self) -> HandOptions | None:
        """The hand's options of a cash table; None without."""
        beside = self.dealt.beside
        return None if beside is None else beside.options

    @property
    def drawing(self) -> bool:
        """Whether the seat to act discards instead of betting."""
        beside = self.dealt.beside
        decision = BETS if beside is None else beside.decision
        return decision in (DRAWS, THROWS) and bool(self.seats_to_act)

    def to_call(self, seat: int) -> int:
        """Return the chips `seat` must add to stay in, at most its stack; 0 for a seat out of the hand."""
        owed = self.bet - self.chips_in_front[seat]
        if owed <= 0 or seat not in self.seats_live or not self.seats_to_act:
            return 0
        stack = self.chips_behind[seat]
        return owed if owed < stack else stack

    def legal(self, seat: int, hole: tuple[Card, ...] = ()) -> Legal:
        """Return what `seat` may do now; a false `Legal` if it is not its turn.

        Given its `hole` cards, a draw also lists what can be discarded.
        """
        if not self.seats_to_act or self.seats_to_act[0] != seat:
            return Legal(seat, turn=False)
        mine = self.chips_in_front[seat]
        stack = self.chips_behind[seat]
        beside = self.dealt.beside
        kind = Legal
        if beside is not None:
            if beside.layout is not None:
                return self._may_lay(seat, hole, beside.layout)
            if beside.decision >= DRAWS:
                street = self.dealt.setup.game.streets[self.dealt.street]
                return DiscardLegal(seat, street.draw or street.throw, street.throw, mine + stack, hole)
            if beside.decision == BRINGS_IN:
                kind = BringInLegal
        owed = self.bet - mine
        low = high = 0
        if self.min_raise_to and stack > owed:
            high = self._raise_limit(mine + stack, owed)
            low = min(self.min_raise_to, high)
        return kind(seat, min(owed, stack), low, high, self.bet == 0, mine + stack, stack <= owed)

    def _may_lay(self, seat: int, hole: tuple[Card, ...], layout: Layout) -> Legal:
        streets, rows = self.dealt.setup.game.streets, layout.rows[seat]
        room = tuple([size - len(row) for size, row in zip(ROW_SIZES, rows, strict=True)])
        # in fantasy land all cards are laid at once, and as many discarded as on a later street
        first = rows == NO_ROWS and seat not in layout.fantasy
        throw = streets[0].throw if first else streets[1].throw
        return LayLegal(seat, hole, room, throw, self.chips_behind[seat])

    def action_for(self, seat: int, amount: object) -> Action:
        """Return what a dealer takes `amount` chips put in by `seat` for: a check, call, bet or raise.

        Raises `IllegalAction`: `not_active` out of turn, `not_enough` for less than the call,
        `insufficient_funds` for more than the stack.
        """
        legal = self.legal(seat)
        if not legal:
            turn = "the hand is over" if self.over else f"seat {self.active} is to act"
            raise IllegalAction(f"bet {amount}: {turn}", code="not_active")
        if type(amount) is not int or amount < 0:
            raise IllegalAction(f"bet {amount!r:.40}: chips are whole numbers, 0 or more")
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
        for place in range(seq, self.seq):
            while place >= ends[street]:
                street += 1
            entry = self.dealt.log[place]
            taken.append(Taken(streets[street].name, seat_of(entry), action_of(entry)))
        return tuple(taken)

    @property
    def log(self) -> Log:
        """The log: every action so far, the chips it moved, and what its seat has put in."""
        dealt = self.dealt
        setup = dealt.setup
        return Log(dealt.log[: self.seq], dealt.marks[: dealt.street + 1], setup.front, setup.forced)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicState):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((self.dealt, self.seq, self.bet, self.min_raise_to))

    def __repr__(self) -> str:
        fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in PUBLIC_FIELDS])
        return f"PublicState({fields})"

    def _compared(self) -> tuple[object, ...]:
        dealt = self.dealt
        chips = (self.chips_behind, self.chips_in_front, self.seats_live, self.seats_to_act)
        return (dealt, self.seq, chips, self.bet, self.min_raise_to, dealt.log[: self.seq])

    def __reduce__(self) -> tuple[type[PublicState], tuple[Any, ...]]:
        dealt = self.dealt
        marks = dealt.marks[: dealt.street + 1]
        dealt = attrs.evolve(dealt, log=dealt.log[: self.seq], marks=marks)
        rest = (self.chips_behind, self.chips_in_front, self.seats_live, self.seats_to_act)
        return (PublicState, (dealt, self.seq, *rest, self.bet, self.min_raise_to))
