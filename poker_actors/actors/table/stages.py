"""The stages of a table's hand: one sum type, and one function that takes it from stage to stage.

`Idle` > `Promised` > `Playing` > `Ended` > `Booked` > `Idle`. A stage is noted in the table's memory before its effects
are carried out: first writes, then messages. A crashed table goes on from the noted stage (`TookUp`), a restored one
from the stage its journal shows. An event that does not concern a stage, such as late news of a booked hand, changes
nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import attrs

from poker_actors.actors.hand import DealtHand, HandEndedNews, HandResult, HandStopped
from poker_actors.actors.player.messages import Audience, Change, HandState
from poker_actors.actors.runtime import ActorDown, Address, Word
from poker_actors.actors.table.dealing import NextHand
from poker_actors.actors.table.seats import Seat, Seating, TableState
from poker_actors.errors import TableRefusal
from poker_actors.frozen import message, value
from poker_actors.rules import Hand
from poker_actors.store.fairness import SealedDeal

# -- stages ----------------------------------------------------------------------------------


@message
class Idle:
    """No hand."""


@message
class _OfHand:
    live: DealtHand
    sealed: SealedDeal | None = attrs.field(repr=False)
    """the committed deck; None if it has none"""


@message
class Promised(_OfHand):
    """A hand that no actor plays yet: it is about to be written, or was found in the journal."""

    dealt: NextHand | Hand | None = attrs.field(repr=False)
    """the hand to play, continued if it is from the journal; None if it cannot be played"""


@message
class Playing(_OfHand):
    """The stacks are in escrow, the result is promised, and an actor plays the hand.

    It stays so until a message says that it has ended or died; a closed address proves nothing.
    """

    dealt: NextHand | Hand = attrs.field(repr=False)
    """the hand its actor has begun"""
    late: frozenset[int] = frozenset()
    """seats acted for before its actor was stopped and replaced"""


@message
class Ended(_OfHand):
    """The end of the hand was reported, and the table books it. Without `news` it is void."""

    news: HandEndedNews | None
    reason: str = "stopped"
    """why the actor of a void hand ended early"""


@message
class Booked(_OfHand):
    """The hand is in the books; its end is still to be announced, each item once."""

    result: HandResult
    after: Seating
    """who sits where, with which stack"""
    said: int = 0
    """the number of items announced so far"""


Stage = Idle | Promised | Playing | Ended | Booked


# -- events ----------------------------------------------------------------------------------


@message
class Written:
    """The hand is in the books."""


@message
class Unwritten:
    """The hand is not in the books: they refused it, or have no trace of it."""


@message
class HandDown:
    """The hand's actor has ended; `successor` is an address at which the hand may be continued."""

    news: ActorDown
    successor: Address
    closing: Closing


@message
class Settled:
    """The end of the hand is in the books."""

    result: HandResult
    after: Seating


@message
class Said:
    """One more item of the hand's end is being announced; `last` marks the final one."""

    last: bool


@message
class TookUp:
    """The table starts again, after a crash or from its journal."""


Event = Promised | Written | Unwritten | HandEndedNews | HandDown | Settled | Said | TookUp


class Effect(enum.Enum):
    """What follows from a change of stage."""

    SAY_DEALT = "say that the hand is dealt"
    START = "start an actor that deals the hand or goes on with it"
    WATCH = "watch the hand's actor again, and have restarted players told their turn again"
    KEEP = "leave the hand to the journal"
    SETTLE = "have the result booked"
    VOID = "have the stacks returned"
    ANNOUNCE = "tell everybody, answer the promise, and open the deck"


Effects = tuple[Effect, ...]
_NONE: Effects = ()


def advance(stage: Stage, event: Event) -> tuple[Stage, Effects]:
    """Return the stage that follows from an event, and what is to be done then, in order."""
    match stage:
        case Idle():
            return (event, _NONE) if isinstance(event, Promised) else (stage, _NONE)
        case Promised():
            return _promised(stage, event)
        case Playing():
            return _playing(stage, event)
        case Ended():
            if isinstance(event, Settled):
                return Booked(stage.live, stage.sealed, event.result, event.after), (Effect.ANNOUNCE,)
            if isinstance(event, Unwritten):
                return Idle(), _NONE
            if isinstance(event, TookUp):
                return stage, (Effect.VOID if stage.news is None else Effect.SETTLE,)
        case Booked():
            if isinstance(event, Said):
                said = Booked(stage.live, stage.sealed, stage.result, stage.after, stage.said + 1)
                return Idle() if event.last else said, _NONE
            if isinstance(event, TookUp):
                return stage, (Effect.ANNOUNCE,)
    return stage, _NONE


def _promised(stage: Promised, event: Event) -> tuple[Stage, Effects]:
    if isinstance(event, Written):
        assert stage.dealt is not None, f"{stage.live.hand_id} was written and cannot be dealt"
        return Playing(stage.live, stage.sealed, stage.dealt), (Effect.SAY_DEALT, Effect.START)
    if isinstance(event, Unwritten):
        return Idle(), _NONE
    if isinstance(event, TookUp):
        if isinstance(stage.dealt, Hand):
            return Playing(stage.live, stage.sealed, stage.dealt), (Effect.START,)
        # whoever asked for the deal got no answer: nobody knows of this hand
        return Ended(stage.live, stage.sealed, None), (Effect.VOID,)
    return stage, _NONE


def _playing(stage: Playing, event: Event) -> tuple[Stage, Effects]:
    live = stage.live
    if isinstance(event, HandEndedNews):
        if event.hand_id != live.hand_id:
            return stage, _NONE  # late news of an earlier hand
        return Ended(live, stage.sealed, event), (Effect.SETTLE,)
    if isinstance(event, TookUp):
        return stage, (Effect.WATCH,)
    if not isinstance(event, HandDown) or event.news.address is not live.address:
        return stage, _NONE  # the end of a predecessor, reported again to a new watch
    said = event.news.last_words
    if isinstance(said, HandEndedNews):
        return Ended(live, stage.sealed, said), (Effect.SETTLE,)
    if event.closing is Closing.KEEP:
        return stage, (Effect.KEEP,)
    if isinstance(said, HandStopped) and event.closing is not Closing.VOID:
        on = attrs.evolve(live, address=event.successor)  # the promise stays
        return Playing(on, stage.sealed, said.hand, said.late), (Effect.START,)
    return Ended(live, stage.sealed, None, event.news.reason or "stopped"), (Effect.VOID,)


# -- what a table remembers ------------------------------------------------------------------


class Closing(enum.Enum):
    """Whether a table goes on dealing, and what happens to a stopped hand."""

    OPEN = "hands are dealt, and one that is stopped is continued"
    FINISH = "no more hands are dealt"
    VOID = "a hand that is stopped is void"
    KEEP = "a hand that is stopped is left to the journal"


@attrs.define
class TableMemory:
    """What a table remembers across crashes of its actor.

    With a journal, its seats and time banks come from the journal's image when it starts; every change is written
    there first.
    """

    seating: Seating
    stage: Stage = attrs.field(factory=Idle)
    closing: Closing = Closing.OPEN
    watchers: tuple[Address, ...] = ()
    audience: Audience | None = None
    """of the current or last hand"""
    last: LastHand | None = None
    """until the next hand is dealt; None if it was void"""
    players_ready: Word | None = None
    """the promise to dealers who wait until a hand can be dealt"""
    stops: int = 0
    """how often dealers have been told to stop"""
    banks: dict[str, float] = attrs.field(factory=dict)
    """seconds left in time banks, by player; a bank missing here is full"""
    own: dict[str, Any] = attrs.field(factory=dict)
    """what your own table class keeps across crashes; it is not in the journal"""

    @property
    def live(self) -> DealtHand | None:
        """The hand that is promised, played or to be booked."""
        stage = self.stage
        return None if isinstance(stage, (Idle, Booked)) else stage.live

    @property
    def state(self) -> TableState:
        """Seats, waiting list and hand, as callers see them."""
        live, seating = self.live, self.seating
        hand = (None, "") if live is None else (live.hand_id, live.commitment)
        lists = (seating.waiting, seating.once, seating.leaving, seating.owed)
        return TableState(seating.seats, seating.positions, seating.number, *lists, *hand)

    @property
    def in_hand(self) -> dict[int, Seat]:
        """Seats dealt into the hand being played; none between hands."""
        return {} if self.live is None else self.seating.dealt_in


# -- the hand that is over -------------------------------------------------------------------


@value
class LastHand:
    """A hand that is over, until the next is dealt: whoever was in it may still turn up their cards.

    Everybody mucks unless the rules ask for a show (TDA 16, 17) or the owner chooses one. A show is written before
    anybody is told, and every player of the hand is sent a further `HandState` of that hand.
    """

    hand_id: str
    number: int
    hand: Hand
    names: tuple[str | None, ...]
    """by seat; None for a seat that was not dealt in"""
    players: Mapping[int, Address]
    """seat -> the player who was dealt in; a later player of that name has not seen this hand"""
    address: Address
    """of its actor, which has stopped"""

    @classmethod
    def of(cls, live: DealtHand, result: HandResult, seats: tuple[Seat | None, ...]) -> LastHand | None:
        """Return the hand that ended with `result`; None for a void hand, which has nothing to show."""
        if result.hand is None:
            return None
        names: list[str | None] = [None] * len(seats)
        players = {}
        for number in result.positions.dealt:
            seat = seats[number]
            if seat is not None:
                names[number], players[number] = seat.player, seat.address
        return cls(live.hand_id, result.number, result.hand, tuple(names), players, live.address)

    def seat_of(self, player: str, hand_id: str | None) -> int:
        """Return the seat of a player in this hand; raises `TableRefusal` (`not_at_table`)."""
        if hand_id not in (None, self.hand_id):
            text = f"{hand_id!s:.80} is not the hand that is over, {self.hand_id} is"
            raise TableRefusal(text, code="not_at_table")
        seat = self.names.index(player) if player in self.names else None
        # who has left the room since is gone: whoever has the name now would turn up the cards of somebody else
        if seat is None or self.players[seat].stopping:
            raise TableRefusal(f"{player} was not dealt into {self.hand_id}", code="not_at_table")
        return seat

    def with_shown(self, seat: int) -> LastHand:
        """Return a copy with the cards of a seat turned up; results already given out stay as they are."""
        hand = self.hand.copy()
        hand.show(seat)
        return attrs.evolve(self, hand=hand)

    def state(self, table: str, seat: int) -> HandState:
        """Return the state for a seat that was dealt in, or for a spectator (-1)."""
        change = Change(self.hand_id, self.number, table, self.address, self.hand.public(), self.names)
        return HandState(change, seat, self.hand.holes[seat] if seat >= 0 else (), None)
