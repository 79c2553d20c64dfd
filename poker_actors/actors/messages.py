"""What actors say to each other: commands, which may be refused, and news, which is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.bank_messages import (
    Balance,
    CloseTable,
    Deposit,
    Escrow,
    Lend,
    Move,
    Settle,
    Stacks,
    VoidHands,
    Withdraw,
)
from poker_actors.actors.command import Command
from poker_actors.cards import Card, Deck
from poker_actors.errors import IllegalAction, Refused, StorageFailed
from poker_actors.frozen import message
from poker_actors.rules import Action, Hand, Legal, Positions, PublicState, Stakes, Stream, View
from poker_actors.store.fairness import FairnessRecord

if TYPE_CHECKING:
    from poker_actors.actors.runtime import Address, Word
    from poker_actors.bots import Bot

__all__ = [
    "Act",
    "ActorDown",
    "Balance",
    "BuyIn",
    "CashOut",
    "Change",
    "CloseTable",
    "Command",
    "Deadline",
    "Deal",
    "DealtHand",
    "DeckOpened",
    "Deposit",
    "Escrow",
    "GetLive",
    "GetState",
    "HandEndedNews",
    "HandResult",
    "HandState",
    "Leave",
    "Lend",
    "Move",
    "Play",
    "PlayBy",
    "PutIn",
    "Refusal",
    "SeatGone",
    "Settle",
    "Shut",
    "Sit",
    "SitOut",
    "Stacks",
    "TableNews",
    "TakeUp",
    "Turn",
    "Unwatch",
    "VoidHands",
    "Watch",
    "Withdraw",
]

# -- table ---------------------------------------------------------------------------------------


@message
class Sit(Command[int]):
    """Take `seat`, or any free one for None; answered with the seat.

    With `with_stack` the stack is what the books have for the player at this table already.
    """

    player: str
    address: Address
    seat: int | None
    with_stack: bool = False


@message
class Leave(Command[None]):
    """Give the seat up; the stack must have been cashed out."""

    player: str


@message
class BuyIn(Command[int]):
    """Bring chips from the bank to the table; answered with the stack."""

    player: str
    amount: int


@message
class CashOut(Command[int]):
    """Bring the whole stack back to the bank; answered with the chips moved."""

    player: str


@message
class SitOut(Command[None]):
    """Keep the seat and be dealt no cards, or (`out` false) be dealt in again."""

    player: str
    out: bool


@message
class Deal(Command["DealtHand"]):
    """Start a hand, from `deck` or a freshly shuffled one; answered while it is played.

    `stakes` and `positions` are those of this one hand; the table's own where they are None.
    `bomb_pot` asks for one.
    """

    deck: Deck | None
    stakes: Stakes | None = None
    positions: Positions | None = None
    bomb_pot: bool = False


@message
class GetLive(Command["DealtHand | None"]):
    """The hand being played, if any."""


@message
class DealtHand:
    """A hand under way: where its actor is, and the promise of its result."""

    hand_id: str
    address: Address
    result: Word
    commitment: str = ""
    """to its deck, in hexadecimal; empty when the deck was given"""


@message
class Shut(Command["DealtHand | None"]):
    """Deal no more; answered with the hand still being played, which is stopped if `void`.

    With `keep` too, the hand is stopped and not voided: the journal has it, to go on with later.
    """

    void: bool
    keep: bool = False


@message
class GetState(Command[object]):
    """The actor's state, as a value that hides every card."""


@message
class Watch(Command[None]):
    """Tell `address` what happens at the table, as a spectator may see it."""

    address: Address


@message
class Unwatch(Command[None]):
    """Tell `address` no more."""

    address: Address


@message
class HandEndedNews:
    """From a hand to its table: it is over. Holds the whole hand, cards included.

    `late` are the seats that were acted for, out of time or gone.
    """

    hand_id: str
    hand: Hand
    late: frozenset[int] = frozenset()
    banks: tuple[float, ...] = ()
    """seconds left in each seat's time bank, where there are any"""


@message
class ActorDown:
    """From the supervisor to an actor's monitor: it has ended for good, by a crash or not.

    `last_words` is what it left to be said, in case that was lost on the way.
    """

    name: str
    reason: str | None
    """the error's name when it crashed"""
    last_words: object


# -- hand ----------------------------------------------------------------------------------------


class Turn:
    """The right to act once; only the seat to act is given it, so nobody else can show it."""

    __slots__ = ("hand_id", "seat", "seq")

    def __init__(self, hand_id: str, seq: int, seat: int) -> None:
        self.hand_id = hand_id
        self.seq = seq
        self.seat = seat

    def __repr__(self) -> str:
        return f"<Turn: {self.hand_id} #{self.seq}, seat {self.seat}>"


@message
class TakeUp:
    """From a table or a player to itself: the journal could not be written, try again what is left to do."""


@message
class Act(Command[Refused | StorageFailed | None]):
    """Take a turn; answered with None, or with why not; told or asked, so it is not raised."""

    turn: Turn
    action: Action


@message
class SeatGone:
    """From a table to its hand: nobody will act for this seat any more."""

    seat: int


@message
class Deadline:
    """The time for a turn is up."""

    turn: Turn


# -- player --------------------------------------------------------------------------------------


@message
class Change:
    """The part of a change that all players of a hand are told alike, and share."""

    hand_id: str
    number: int
    """of the hand at its table, from 0"""
    table: str
    hand_address: Address
    public: PublicState


@message
class HandState:
    """What a hand tells each of its players on every change: the seed's ``hand_state``.

    `change` is shared by all who are told; the rest is this seat's own.
    """

    change: Change
    seat: int
    hole: tuple[Card, ...]
    turn: Turn | None
    """the right to act; None when it is not this seat's turn"""

    @classmethod
    def each(cls, change: Change, seats: list[int], holes: list[tuple[Card, ...]]) -> list[HandState]:
        """Give `seats` the change, nobody being asked: six of them in the time of four calls of the class."""
        states = []
        blank = cls.__new__
        for seat in seats:
            state = blank(cls)
            state.change = change  # type: ignore[misc]
            state.seat = seat  # type: ignore[misc]
            state.hole = holes[seat]  # type: ignore[misc]
            state.turn = None  # type: ignore[misc]
            states.append(state)
        return states

    @property
    def hand_id(self) -> str:
        """The hand, unique in the room."""
        return self.change.hand_id

    @property
    def table(self) -> str:
        """The table's name."""
        return self.change.table

    @property
    def public(self) -> PublicState:
        """What everybody at the table can see."""
        return self.change.public

    @property
    def seq(self) -> int:
        """How many actions there have been in the hand."""
        return self.public.seq

    @property
    def hand(self) -> tuple[Card, ...]:
        """Own hole cards."""
        return self.hole

    @property
    def active(self) -> bool:
        """Whether it is this seat's turn."""
        return self.turn is not None

    @property
    def board(self) -> tuple[Card, ...]:
        """The common cards."""
        return self.public.board

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """Every board that was run; mostly `board` alone."""
        return self.public.boards

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return self.public.pot

    @property
    def rake(self) -> int:
        """Chips the house has taken out of the pots, once the hand is over."""
        return self.public.rake

    @property
    def to_call(self) -> int:
        """Chips this seat must add to stay in."""
        return self.public.to_call(self.seat)

    @property
    def phase(self) -> str:
        """`preflop`, `flop`, `turn`, `river`; `showdown` when the hand is over."""
        return self.public.phase

    @property
    def legal(self) -> Legal:
        """What this seat may do now."""
        return self.public.legal(self.seat)

    def act(self, action: Action) -> None:
        """Take this turn without waiting, as a driver does; a refusal comes back as news.

        Raises `IllegalAction` (`not_active`) when this state gives no turn.
        """
        if self.turn is None:
            raise IllegalAction(f"seat {self.seat} is not to act", code="not_active")
        self.change.hand_address.tell(Act(self.turn, action))

    def view(self, stream: Stream | None = None) -> View:
        """Give this state as bots see it."""
        return View(self.public, self.seat, self.hole, stream)

    def __repr__(self) -> str:
        turn = ", to act" if self.turn is not None else ""
        return (
            f"<HandState: {self.hand_id} #{self.seq}, seat {self.seat}, {self.phase}, pot {self.pot}{turn}>"
        )


@message
class Refusal:
    """From a hand to a player: an action was refused, and why."""

    hand_id: str
    seq: int
    code: str
    text: str


@message
class Play(Command[None]):
    """From outside to a player actor: take this action where it is to act.

    With the two keys to an action, `hand_id` and `seq`, it is for that turn and no other: sent
    again, it is answered as it was at first.
    """

    action: Action
    hand_id: str | None = None
    seq: int = 0


@message
class PlayBy(Command[None]):
    """From outside to a player actor: let `bot` decide from now on, the open turn included."""

    bot: Bot | None


@message
class PutIn(Command[None]):
    """From outside to a player actor: put `amount` chips in now, as the seed's ``bet``."""

    amount: int


@message
class HandResult:
    """The end of a hand, by seat: net chips and stacks. `hand` is the whole hand, cards included.

    A `voided` hand paid nobody: stacks are as they were, and there is no `hand`.
    """

    hand_id: str
    number: int
    players: tuple[str | None, ...]
    payoffs: tuple[int, ...]
    stacks: tuple[int, ...]
    positions: Positions
    hand: Hand | None
    voided: bool = False

    def __repr__(self) -> str:
        what = "voided" if self.voided else f"payoffs {self.payoffs}"
        return f"<HandResult: {self.hand_id}, {what}>"


@message
class TableNews:
    """From a table to its players and watchers: something changed that is not in a hand.

    `commitment`, with `hand_started`, binds the deck before a card of it is dealt: keep it to
    compare with the hand's fairness record. `what` is one of `sat left bought_in cashed_out forfeited topped_up sent
    sat_out sat_in waits passed_over time_bank hand_started hand_ended hand_voided`; `hand_id` and `payoffs`
    belong to the last three, `seconds` to `time_bank`. Who `waits` has no seat yet, nor has who `left` or is `passed_over`
    while waiting.
    """

    table: str
    what: str
    player: str | None = None
    seat: int | None = None
    hand_id: str | None = None
    payoffs: tuple[int, ...] = ()
    commitment: str = ""
    seconds: float = 0.0
    """with `time_bank`: what the player in `seat` may take still"""


@message
class DeckOpened:
    """From a table to who has played or watched: how to check the cards seen in a hand now over."""

    table: str
    hand_id: str
    record: FairnessRecord
