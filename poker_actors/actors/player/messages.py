"""Messages to and from a player, and what a hand tells its players on each change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from poker_actors.actors.command import Command
from poker_actors.actors.runtime import Address, Many
from poker_actors.bots import Bot
from poker_actors.cards import Card
from poker_actors.errors import IllegalAction, Refused, StorageFailed
from poker_actors.frozen import message
from poker_actors.rules import (
    Action,
    BringIn,
    Call,
    Check,
    Discard,
    Hand,
    Lay,
    Legal,
    PublicState,
    Stream,
    Taken,
    View,
)
from poker_actors.store.fairness import FairnessRecord

__all__ = [
    "Act",
    "AllIn",
    "Audience",
    "Change",
    "DeckOpened",
    "HandHeader",
    "HandState",
    "HandStates",
    "Listen",
    "News",
    "Play",
    "PlayBy",
    "PutIn",
    "Refusal",
    "SitOut",
    "TableNews",
    "Turn",
]


class Turn:
    """The right to act once. Only the seat to act is given it, so nobody else can present it."""

    __slots__ = ("hand_id", "seat", "seq")

    def __init__(self, hand_id: str, seq: int, seat: int) -> None:
        self.hand_id = hand_id
        self.seq = seq
        self.seat = seat

    def __repr__(self) -> str:
        return f"<Turn: {self.hand_id} #{self.seq}, seat {self.seat}>"


@message
class Change:
    """The part of a change that all players of a hand share."""

    hand_id: str
    number: int
    """the number of the hand at its table, from 0"""
    table: str
    hand_address: Address
    public: PublicState
    names: tuple[str | None, ...] = ()
    """who was dealt in, by seat; empty if not known"""


@message
class HandState:
    """What a hand tells each of its players on every change.

    All players share `change`; the rest is this seat's own.
    """

    change: Change
    seat: int
    hole: tuple[Card, ...]
    turn: Turn | None
    """the right to act; None when it is not this seat's turn"""

    @classmethod
    def each(cls, change: Change, seats: list[int], holes: list[tuple[Card, ...]]) -> list[HandState]:
        """Return a state without a turn for each seat, faster than calling the class: six states for four calls."""
        states = []
        blank = cls.__new__
        for seat in seats:
            state = blank(cls)
            state.change = change  # type: ignore[misc]  # frozen, but nobody else has it yet
            state.seat = seat  # type: ignore[misc]  # as above
            state.hole = holes[seat]  # type: ignore[misc]  # as above
            state.turn = None  # type: ignore[misc]  # as above
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
        """The number of actions so far in the hand."""
        return self.public.seq

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's hole cards."""
        return self.hole

    @property
    def active(self) -> bool:
        """Whether it is this seat's turn."""
        return self.turn is not None

    @property
    def names(self) -> tuple[str | None, ...]:
        """Who was dealt in, by seat; None for a seat that was not."""
        return self.change.names

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat; 0 for a seat that was not dealt in."""
        return self.public.stacks

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards."""
        return self.public.board

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """Every board run; usually only `board`."""
        return self.public.boards

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return self.public.pot

    @property
    def rake(self) -> int:
        """Chips the house took from the pots, once the hand is over."""
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
        return self.public.legal(self.seat, self.hole)

    def act(self, action: Action) -> None:
        """Take this turn without waiting; a refusal comes back as news.

        Raises `IllegalAction` (`not_active`) if this state gives no turn.
        """
        if self.turn is None:
            raise IllegalAction(f"seat {self.seat} is not to act", code="not_active")
        self.change.hand_address.tell(Act(self.turn, action))

    def view(self, stream: Stream | None = None) -> View:
        """Return this state as bots see it."""
        return View(self.public, self.seat, self.hole, stream)

    def text(self) -> str:
        """Return the state in words, with the players' names; see `View.text`."""
        return self.view().text(self.names)

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
class TableNews:
    """From a table to its players and spectators: something changed outside a hand.

    `what` is one of `sat left bought_in cashed_out forfeited topped_up sent sat_out sat_in waits
    passed_over time_bank hand_started hand_ended hand_voided showed`. `hand_id` belongs to the last five, `payoffs`
    to the ends of hands, `seconds` to `time_bank`. `seat` is None for a player who `waits`, and for one who
    `left` or was `passed_over` while waiting. `commitment`, with `hand_started`, binds the deck before
    any card is dealt: keep it to compare with the hand's fairness record.
    """

    table: str
    what: str
    player: str | None = None
    seat: int | None = None
    hand_id: str | None = None
    payoffs: tuple[int, ...] = ()
    commitment: str = ""
    seconds: float = 0.0
    """with `time_bank`: the seconds that the player in `seat` may still take"""


@message
class DeckOpened:
    """From a table to players and spectators: how to check the cards they saw in a hand that is over."""

    table: str
    hand_id: str
    record: FairnessRecord


@message
class Act(Command[Refused | StorageFailed | None]):
    """Take a turn; answered with None or the refusal, which is returned, not raised: nobody may be waiting for it."""

    turn: Turn
    action: Action


@message
class SitOut(Command[None]):
    """Keep the seat without being dealt in; a hand passes it on to its table."""

    refusals = ("not_at_table",)
    player: str


@message
class Play(Command[None]):
    """Take the player's open turn with this action, for a caller.

    With `hand_id` and `seq` it is for that turn only; sent again, it gets the same answer. Without them it is
    for the open turn at `table`, or for None the only open turn.
    """

    refusals = ("not_active", "not_enough", "illegal_action", "several_turns", "stale_action")
    action: Action
    hand_id: str | None = None
    seq: int = 0
    table: str | None = None


@message
class PlayBy(Command[None]):
    """Let `bot` decide from now on, the open turn included."""

    bot: Bot | None


@message
class Listen:
    """Call `listener` with everything the player hears, or stop."""

    listener: Callable[..., object]
    on: bool = True


@message
class PutIn(Command[None]):
    """Put `amount` chips in now, for a caller, as a check, call, bet or raise; `table` as in `Play`."""

    refusals = ("not_active", "not_enough", "illegal_action", "several_turns")
    amount: int
    table: str | None = None


@message
class AllIn(Command[None]):
    """Go all-in, for a caller, by a bet, call or raise; `table` as in `Play`."""

    refusals = ("not_active", "illegal_action", "several_turns")
    table: str | None = None


def is_taken(taken: Taken, seat: int, action: Action) -> bool:
    """Whether `taken` is `seat` taking `action`; a bet and a raise to the same total are the same.

    So are a check and standing pat, and a call and the bring-in. Discards are compared by the number of cards, and
    cards laid by the number in each row: the log holds no more.
    """
    match taken.action, action:
        case Lay(counts=counts), Lay(counts=same_counts):
            return counts == same_counts and taken.seat == seat
        case Discard(count=count), Discard(count=same_count):
            return count == same_count and taken.seat == seat
        case (Discard(count=0), Check()) | (BringIn(), Call()):
            return taken.seat == seat
    totals = [getattr(one, "total", getattr(one, "amount", None)) for one in (action, taken.action)]
    same = action == taken.action if totals[0] is None else totals[0] == totals[1]
    return same and taken.seat == seat


class HandHeader:
    """What all states of a hand have in common."""

    __slots__ = ("hand_address", "hand_id", "names", "number", "seats", "table")

    def __init__(
        self,
        hand_id: str,
        number: int,
        table: str,
        hand_address: Address,
        names: tuple[str | None, ...],
        seats: list[int],
    ) -> None:
        self.hand_id = hand_id
        self.number = number
        self.table = table
        self.hand_address = hand_address
        self.names = names
        self.seats = seats
        """of the players, in the order in which they are told"""

    def change(self, public: PublicState) -> Change:
        """Return the part of a change that all players share."""
        return Change(self.hand_id, self.number, self.table, self.hand_address, public, self.names)


class Audience:
    """The players of successive hands; some are called at every change, the rest read the newest state when needed."""

    __slots__ = ("called", "newest", "players")

    newest: HandStates
    """the states delivered last"""

    def __init__(self, players: list[Address]) -> None:
        self.players = players
        """in the order in which they are told"""
        self.called = list(range(len(players)))
        """places of the players called at every change"""

    @property
    def reading(self) -> list[Address]:
        """The players who are called only to act."""
        return [one for place, one in enumerate(self.players) if place not in self.called]


class HandStates(Many):
    """The states that tell a hand's players of one change, in the order of their seats.

    A state is made only when it is looked at: most are replaced before that.
    """

    __slots__ = ("_change", "_made", "audience", "header", "holes", "public", "to_act", "turn")

    def __init__(
        self,
        audience: Audience,
        header: HandHeader,
        public: PublicState | Hand,
        holes: list[tuple[Card, ...]],
        to_act: int,
        turn: Turn | None,
    ) -> None:
        self.audience = audience
        self.header = header
        self.public = public
        """the public state; once the hand is over, the hand to make it from"""
        self.holes = holes
        self.to_act = to_act
        """place of the player to act; -1 for nobody"""
        self.turn = turn
        self._change: Change | None = None
        self._made: list[HandState] | None = None

    @property
    def change(self) -> Change:
        """The part that all players share."""
        change = self._change
        if change is None:
            public = self.public
            change = self._change = self.header.change(
                public.public() if isinstance(public, Hand) else public
            )
        return change

    def calls(self) -> Sequence[tuple[int, object]]:
        """Become the audience's newest states; return the calls due: the player to act, and players always called."""
        audience, to_act = self.audience, self.to_act
        audience.newest = self
        called = audience.called
        if not called:
            return () if to_act < 0 else ((to_act, self),)
        return [(place, self) for place in range(len(self)) if place in called or place == to_act]

    def all(self) -> list[HandState]:
        """See `Many.all`."""
        made = self._made
        if made is None:
            made = self._made = HandState.each(self.change, self.header.seats, self.holes)
            if self.turn is not None:
                made[self.to_act].turn = self.turn  # type: ignore[misc]  # frozen, but nobody has seen it yet
        return made

    def __len__(self) -> int:
        return len(self.header.seats)


class SpreadNews(Many):
    """News of a table to everybody there; it changes nothing for a player, so nobody is called who only reads states."""

    __slots__ = ("_audience", "_news", "_told")

    def __init__(self, news: TableNews, told: list[Address], audience: Audience | None) -> None:
        self._news = news
        self._told = told
        self._audience = audience

    def calls(self) -> Sequence[tuple[int, object]]:
        """Return the calls, to everybody except players of the audience who are not called at every change."""
        audience = self._audience
        if audience is not None and not audience.called and self._told == audience.players:
            return ()  # the usual case: nobody else is there, and all read
        reading = () if audience is None else audience.reading
        return [(place, self._news) for place, one in enumerate(self._told) if one not in reading]

    def all(self) -> list[TableNews]:
        """See `Many.all`."""
        return [self._news] * len(self._told)


News = HandState | Refusal | TableNews | DeckOpened
"""What a player hears."""
