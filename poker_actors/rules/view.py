"""All that one seat may know of a hand, and the public part that every seat shares."""

from __future__ import annotations

from random import Random
from typing import Final, Protocol

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.frozen import value
from poker_actors.rules.action import CALL, CHECK, FOLD, Action, Bet, RaiseTo
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.legal import Legal
from poker_actors.rules.stakes import Stakes

__all__ = [
    "BET",
    "CALLED",
    "CHECKED",
    "FOLDED",
    "RAISED",
    "Dealt",
    "HandSetup",
    "PublicState",
    "Stream",
    "Taken",
    "View",
    "action_of",
]

FOLDED: Final = 0
CHECKED: Final = 16
CALLED: Final = 32
BET: Final = 48
RAISED: Final = 64
"""Kinds of log entries; see `Dealt.log`."""


@value
class HandSetup:
    """What was settled before the first card: game, stakes, stacks in chips by seat, positions."""

    game: Game
    stakes: Stakes
    stacks: tuple[int, ...]
    button: int
    small_blind: int | None
    big_blind: int
    missing_blinds: int = 0
    """chips by which short blinds and a dead small blind fall short of full ones"""


@value
class Taken:
    """One action of the hand so far."""

    street: str
    seat: int
    action: Action


@value
class Dealt:
    """What a street opened with, and the log of the hand, which only ever grows."""

    setup: HandSetup
    street: int
    board: tuple[Card, ...]
    shown: tuple[tuple[int, tuple[Card, ...]], ...]
    """hole cards turned up at the showdown, by seat"""
    log: list[int] = attrs.field(repr=False, eq=False)
    """one number an action: ``amount << 7 | kind | seat``; kind is one of `FOLDED`, `CHECKED`,
    `CALLED` (amount: chips paid), `BET` and `RAISED` (amount: the total in front)"""
    marks: list[int] = attrs.field(repr=False, eq=False)
    """length of the log as each street opened"""


@value
class PublicState:  # noqa: PLW1641  # attrs makes the hash
    """What everybody at the table can see, at one moment; shared, never changed.

    Sequences are by seat, amounts in chips. The lists are replaced by the hand, never written to,
    so this value costs references only; read them through the properties, as tuples.
    """

    dealt: Dealt
    seq: int
    """how many actions there have been"""
    chips_behind: list[int] = attrs.field(hash=False)
    chips_in_front: list[int] = attrs.field(hash=False)
    seats_live: list[int] = attrs.field(hash=False)
    seats_to_act: list[int] = attrs.field(hash=False)
    bet: int
    """the bet to match on this street"""
    min_raise_to: int
    """the total of a full raise before stacks are looked at; 0 when the seat to act may not raise"""

    @property
    def setup(self) -> HandSetup:
        """Game, stakes, stacks at the start, positions."""
        return self.dealt.setup

    @property
    def board(self) -> tuple[Card, ...]:
        """The common cards."""
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
        """Chips in front, this street."""
        return tuple(self.chips_in_front)

    @property
    def live(self) -> tuple[int, ...]:
        """Seats still in the hand, from the left of the button."""
        return tuple(self.seats_live)

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats still to act on this street, the next first; empty when the hand is over."""
        return tuple(self.seats_to_act)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return not self.seats_to_act

    @property
    def phase(self) -> str:
        """The street's name; `showdown` when the hand is over."""
        streets = self.dealt.setup.game.streets
        street = self.dealt.street
        return streets[street].name if street < len(streets) else "showdown"

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included; 0 once it is paid out."""
        return sum(self.dealt.setup.stacks) - sum(self.chips_behind)

    @property
    def active(self) -> int | None:
        """The seat to act; None when the hand is over."""
        return self.seats_to_act[0] if self.seats_to_act else None

    @property
    def rake(self) -> int:
        """Chips the house has taken out of the pots, once the hand is over."""
        return 0

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """Every board that was run; the first is `board`, and mostly there is no other."""
        return (self.dealt.board,)

    def to_call(self, seat: int) -> int:
        """What `seat` must add to stay in, at most its stack; 0 for a seat out of the hand."""
        owed = self.bet - self.chips_in_front[seat]
        if owed == 0 or seat not in self.seats_live or not self.seats_to_act:
            return 0
        stack = self.chips_behind[seat]
        return owed if owed < stack else stack

    def legal(self, seat: int) -> Legal:
        """What `seat` may do now; a false `Legal` when it is not its turn."""
        if not self.seats_to_act or self.seats_to_act[0] != seat:
            return Legal(seat, turn=False)
        mine = self.chips_in_front[seat]
        stack = self.chips_behind[seat]
        owed = self.bet - mine
        low = high = 0
        if self.min_raise_to and stack > owed:
            high = self._raise_limit(mine + stack, owed)
            low = min(self.min_raise_to, high)
        return Legal(seat, min(owed, stack), low, high, self.bet == 0, mine + stack, stack <= owed)

    def action_for(self, seat: int, amount: int) -> Action:
        """Read `amount` chips put in now by `seat` as a dealer does: a check, call, bet or raise.

        Raises `IllegalAction`: `not_active` out of turn, `not_enough` below what there is to
        call, `insufficient_funds` above the stack.
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
        """The highest total the betting structure allows."""
        game = self.dealt.setup.game
        betting = game.betting
        if game.capped:
            me = self.seats_to_act[0]
            others = [seat for seat in self.seats_live if seat != me]
            all_in = min(all_in, max(self.chips_in_front[seat] + self.chips_behind[seat] for seat in others))
        if betting is Betting.NO_LIMIT:
            return all_in
        if betting is Betting.FIXED_LIMIT:
            return min(self.min_raise_to, all_in)
        pot = self.pot
        if self.dealt.street == 0:
            # Short and dead blinds count in full (TDA 2024, rule 54-B).
            pot += self.dealt.setup.missing_blinds
        return min(max(self.bet + pot + owed, self.min_raise_to), all_in)

    @property
    def actions(self) -> tuple[Taken, ...]:
        """Every action so far, in order; forced bets are not actions."""
        streets = self.dealt.setup.game.streets
        ends = [*self.dealt.marks[1:], self.seq]
        street = 0
        taken = []
        for place, entry in enumerate(self.dealt.log[: self.seq]):
            while place >= ends[street]:
                street += 1
            taken.append(Taken(streets[street].name, entry & 15, action_of(entry)))
        return tuple(taken)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicState):
            return NotImplemented
        return self._compared() == other._compared()

    def _compared(self) -> tuple[object, ...]:
        dealt = self.dealt
        chips = (self.chips_behind, self.chips_in_front, self.seats_live, self.seats_to_act)
        return (dealt, self.seq, chips, self.bet, self.min_raise_to, dealt.log[: self.seq])

    def __reduce__(self) -> tuple[object, ...]:
        dealt = self.dealt
        marks = dealt.marks[: dealt.street + 1]
        dealt = attrs.evolve(dealt, log=dealt.log[: self.seq], marks=marks)
        rest = (self.chips_behind, self.chips_in_front, self.seats_live, self.seats_to_act)
        return (PublicState, (dealt, self.seq, *rest, self.bet, self.min_raise_to))


def action_of(entry: int) -> Action:
    """Give the action that a log entry records."""
    kind = entry & 112
    if kind == FOLDED:
        return FOLD
    if kind == CHECKED:
        return CHECK
    if kind == CALLED:
        return CALL
    return Bet(entry >> 7) if kind == BET else RaiseTo(entry >> 7)


class Stream(Protocol):
    """A bot's own source of luck, made when first used."""

    def rng(self) -> Random:
        """Give the generator of the hand being played."""


class View:
    """What one seat may know: its own cards, the public state, its legal actions.

    Amounts are chips, seats count from 0. Other seats' hole cards and the deck are not hidden
    in here: they are absent. Two views are equal when seat, cards and public state are.
    """

    __slots__ = ("_legal", "_stream", "hole", "public", "seat")

    def __init__(
        self, public: PublicState, seat: int, hole: tuple[Card, ...], stream: Stream | None = None
    ) -> None:
        self.public: Final = public
        self.seat: Final = seat
        self.hole: Final = hole
        self._stream = stream
        self._legal: Legal | None = None

    @property
    def rng(self) -> Random:
        """The bot's own generator for this hand, the same in every run of the same seed."""
        if self._stream is None:
            raise BadSpec("this view has no random stream: it was not made for a bot")
        return self._stream.rng()

    @property
    def hand_number(self) -> int | None:
        """The number of the hand in its match or at its table, from 0; None in a view not made for a bot."""
        number: int | None = getattr(self._stream, "hand", None)
        return number

    @property
    def legal(self) -> Legal:
        """What this seat may do now; false when it is not its turn."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self.public.legal(self.seat)
        return legal

    @property
    def active(self) -> bool:
        """Whether it is this seat's turn."""
        return self.public.active == self.seat

    @property
    def to_call(self) -> int:
        """Chips to add to stay in; never more than the stack."""
        return self.public.to_call(self.seat)

    @property
    def min_raise_to(self) -> int:
        """The least legal total of a bet or raise; 0 when there is none."""
        return self.legal.min_raise_to

    @property
    def max_raise_to(self) -> int:
        """The greatest legal total of a bet or raise; 0 when there is none."""
        return self.legal.max_raise_to

    @property
    def board(self) -> tuple[Card, ...]:
        """The common cards."""
        return self.public.board

    @property
    def street(self) -> str:
        """`preflop`, `flop`, `turn`, `river`; `showdown` when the hand is over."""
        return self.public.phase

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included."""
        return self.public.pot

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return self.public.stacks

    @property
    def stack(self) -> int:
        """Own chips behind."""
        return self.public.chips_behind[self.seat]

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips in front on this street, by seat."""
        return self.public.bets

    @property
    def live(self) -> tuple[int, ...]:
        """Seats still in the hand."""
        return self.public.live

    @property
    def button(self) -> int:
        """The seat with the button."""
        return self.public.setup.button

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.public.setup.game

    @property
    def stakes(self) -> Stakes:
        """Blinds and antes."""
        return self.public.setup.stakes

    @property
    def actions(self) -> tuple[Taken, ...]:
        """Every action so far."""
        return self.public.actions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return (self.seat, self.hole, self.public) == (other.seat, other.hole, other.public)

    def __hash__(self) -> int:
        return hash((self.seat, self.hole, self.public))

    def __repr__(self) -> str:
        hole = " ".join(map(str, self.hole))
        board = " ".join(map(str, self.board)) or "-"
        return f"<View: seat {self.seat} {hole} on {board}, {self.street}, pot {self.pot}, {self.legal}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (View, (self.public, self.seat, self.hole))
