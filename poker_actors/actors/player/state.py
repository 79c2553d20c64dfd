"""The states all players of a hand are told of one change, and what a player remembers of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, overload

import attrs

from poker_actors.actors.player.messages import Change, DeckOpened, HandState, Refusal, TableNews, Turn
from poker_actors.actors.runtime import Address, Many
from poker_actors.bots import Bot, Ear, Faults, HandStream
from poker_actors.cards import Card
from poker_actors.rules import Hand, PublicState
from poker_actors.store.fairness import FairnessRecord

__all__ = ["Audience", "HandHeader", "HandStates", "News", "PlayerMemory"]


class HandHeader:
    """What every state of a hand has in common."""

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
        """of the players, in the order they are told"""

    def change(self, public: PublicState) -> Change:
        """Return the part of a change that all players share."""
        return Change(self.hand_id, self.number, self.table, self.hand_address, public, self.names)


class Audience:
    """The players of hand after hand: some are called with this at every change, the rest read the newest state at need."""

    __slots__ = ("called", "newest", "players")

    def __init__(self, players: list[Address]) -> None:
        self.players = players
        """in the order they are told"""
        self.newest: HandStates | None = None
        """the states delivered last"""
        self.called = list(range(len(players)))
        """places of the players called at every change"""


class HandStates(Many):
    """What each player of a hand is told of one change, in the order of its seats.

    A state is made only when it is looked at: most are replaced by the next before that.
    """

    __slots__ = ("_audience", "_change", "_made", "header", "holes", "public", "to_act", "turn")

    def __init__(
        self,
        audience: Audience,
        header: HandHeader,
        public: PublicState | Hand,
        holes: list[tuple[Card, ...]],
        to_act: int,
        turn: Turn | None,
    ) -> None:
        self._audience: Audience | None = audience
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
        """Become the audience's newest; call the player to act, and with the audience those called at every change."""
        audience = self._audience
        self._audience = None  # breaks a cycle: otherwise only the garbage collector could free a hand
        assert audience is not None, "delivered twice"
        audience.newest = self
        called, to_act = audience.called, self.to_act
        acts = () if to_act < 0 or to_act in called else ((to_act, self),)
        if not called:
            return acts
        return sorted([*((place, audience) for place in called), *acts], key=itemgetter(0))

    def _all(self) -> list[HandState]:
        made = self._made
        if made is None:
            made = self._made = HandState.each(self.change, self.header.seats, self.holes)
            if self.turn is not None:
                made[self.to_act].turn = self.turn  # type: ignore[misc]  # frozen, but nobody has seen it yet
        return made

    def __len__(self) -> int:
        return len(self.header.seats)

    def __iter__(self) -> Iterator[HandState]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> HandState: ...
    @overload
    def __getitem__(self, place: slice) -> list[HandState]: ...
    def __getitem__(self, place: int | slice) -> HandState | list[HandState]:
        return self._all()[place]


News = HandState | Refusal | TableNews | DeckOpened
"""What a player hears."""


@attrs.define
class PlayerMemory:
    """What a player remembers across crashes of its actor."""

    name: str
    bot: Bot | None = None
    stream: HandStream | None = None
    faults: Faults = attrs.field(factory=Faults)
    heard: dict[str, HandState] = attrs.field(factory=dict)
    """table -> the last state it was called with there; see `latest`"""
    reading: Audience | None = None
    """that of its only table; None while it is called at every change"""
    place: int = -1
    """its own among the players of that audience"""
    ear: Ear = attrs.field(factory=Ear)
    """which hands its bot, if it hears, was told the start of"""
    records: dict[str, FairnessRecord] = attrs.field(factory=dict)
    """table -> the fairness record of the last hand there"""
    listeners: tuple[Callable[..., object], ...] = ()
    lent: bool = False
    """its bot and faults belong to a match, which keeps it seated and stops the bot itself"""
    acted: Turn | None = None
    """the last turn for which an action was sent"""
    late_at: tuple[str, int] | None = None
    """hand and seq of the last turn counted as missed"""
    out_of: str = ""
    """the hand in which it was last sat out as ejected"""
    own: dict[str, Any] = attrs.field(factory=dict)
    """what a player actor of one's own keeps across crashes; it is not in the journal"""
    on_fault: Callable[..., None] | None = None
    """called at each fault of its bot, with the table, the player's name and the arguments of `Faults.told`"""

    @property
    def latest(self) -> dict[str, HandState]:
        """Table -> the latest state heard there."""
        if self.reading is not None:
            newest = self.reading.newest
            if newest is not None:
                self.heard[newest.header.table] = newest[self.place]
        return self.heard

    def read(self, audience: Audience, place: int) -> None:
        """Stop being called at every change: from now on only to act, reading the newest state when needed."""
        self.reading, self.place = audience, place
        audience.called.remove(place)

    def stop_reading(self) -> dict[str, HandState]:
        """Be called at every change again; return `latest`, which may then be changed."""
        latest = self.latest
        if self.reading is not None:
            self.reading.called = sorted([*self.reading.called, self.place])
            self.reading = None
        return latest
