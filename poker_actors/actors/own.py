"""Custom actors: your own classes in place of a room's, and pykka actors that play."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import attrs
import pykka

from poker_actors.actors.hand import HandActor, HandClass
from poker_actors.actors.player.actor import PlayerActor, PlayerMemory
from poker_actors.actors.player.messages import News
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.actor import TableActor
from poker_actors.actors.table.hands import Desk
from poker_actors.errors import BadSpec
from poker_actors.store import Journal, Noted, RoomImage

TableClass = Callable[[Address, Desk], TableActor]
PlayerClass = Callable[[Address, PlayerMemory], PlayerActor]


@attrs.frozen
class Actors:
    """The classes of a room's actors: subclasses of the room's own, or functions that return an instance.

    A new instance is made at each restart of a table or player, and for each hand. Whatever must outlive a
    crash belongs in `memory.own`. Raises `BadSpec` for any other class.
    """

    table: TableClass = TableActor
    hand: HandClass = HandActor
    player: PlayerClass = PlayerActor

    def __attrs_post_init__(self) -> None:
        for name, wanted in _HOUSE.items():
            given = getattr(self, name)
            if not callable(given) or (isinstance(given, type) and not issubclass(given, wanted)):
                raise BadSpec(
                    f"{name} {given!r:.80} is neither a subclass of {wanted.__name__} nor a function"
                )

    @property
    def replayable(self) -> bool:
        """Whether the debugger can replay these: it knows only the room's own tables and hands."""
        return self.table is TableActor and self.hand is HandActor

    def __str__(self) -> str:
        """Name the classes that are not the room's own: ``table BombVote, hand ClockedHand``."""
        own = [
            (name, getattr(self, name)) for name, house in _HOUSE.items() if getattr(self, name) is not house
        ]
        return ", ".join(f"{name} {getattr(one, '__name__', type(one).__name__)}" for name, one in own)


_HOUSE: Final = {"table": TableActor, "hand": HandActor, "player": PlayerActor}

_log: Final = logging.getLogger("poker_actors.room")

_NOTE: Final = "actors"
"""Key of the note with the names of a room's custom classes: a room opened again with others can say so."""


def note_actors(journal: Journal, image: RoomImage, actors: Actors) -> str | None:
    """Note a room's classes in its journal; return the names noted before if they differ, else None."""
    before, now = image.notes.get(_NOTE, ""), str(actors)
    if before == now:
        return None
    journal.append(Noted(_NOTE, now or None))
    if before:
        _log.warning("the room had %s, and is opened with %s", before, now or "its own actors")
    return before


def given_for_one(
    actors: Actors,
    journal: Journal | None,
    *,
    table: TableClass | None = None,
    hand: HandClass | None = None,
    player: PlayerClass | None = None,
) -> Actors:
    """Return the room's classes, replaced by any given for one actor; raises `BadSpec` if the room has a journal."""
    own = Actors(table or actors.table, hand or actors.hand, player or actors.player)
    if journal is not None and own != actors:
        raise BadSpec(
            f"{own}: in a room with a store, give classes of your own to the room: Room(actors=...)"
        )
    return own


def check_started(given: object) -> None:
    """Raise `BadSpec` for an actor class: the room needs the reference of a started actor."""
    if isinstance(given, type) and issubclass(given, pykka.Actor):
        name = given.__name__
        raise BadSpec(f"{name} is an actor class: start an actor and pass what {name}.start() returns")


def passed_to(ref: pykka.ActorRef[Any], gone: Callable[[], None]) -> Callable[[News], None]:
    """Return a listener that passes everything on to the actor and calls `gone` once the actor is dead."""

    def tell(news: News) -> None:
        try:
            ref.tell(news)
        except pykka.ActorDeadError:
            # from now on the hand acts for its seat, as for any player who is gone
            gone()

    tell.quick = True  # type: ignore[attr-defined]  # telling an actor never waits; see `is_quick`
    return tell
