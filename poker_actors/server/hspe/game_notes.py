"""Notes on games, kept beside their tables: first written, read, and set aside."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from poker_actors.actors import Room
from poker_actors.cards import Card
from poker_actors.errors import BadJournal
from poker_actors.jsontext import parse_json
from poker_actors.rules import Hand
from poker_actors.server.hspe.game import Game
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.setting import Setting
from poker_actors.server.hspe.turn import Due, Key, NamedAction, Order
from poker_actors.server.shapes import object_of
from poker_actors.server.users import User, Users
from poker_actors.store import Fact, Journal, RoomImage

Ended = Callable[[Game, Hand, str, Mapping[int, Member]], Mapping[str, str | None] | None]
"""Hears of a paid hand, its id, and who sat where; returns notes to be written together with others."""
Shown = Callable[[Game, str, str, tuple[Card, ...]], None]
"""Hears of cards turned up after a hand: its id, their owner, and the cards."""


@attrs.frozen
class PlayedLast:
    """The last hand that a table played, from the journal, and who was dealt in, by seat."""

    hand: Hand
    hand_id: str
    ids: Mapping[int, str]

    @classmethod
    def at(
        cls,
        room: Room,
        journal: Journal | None,
        table: str,
        is_known: Callable[[str, str], bool] = lambda *_: False,
    ) -> PlayedLast | None:
        """Return the last hand; None during a hand, before the first, and if it is void or known already."""
        dealt = None if journal is None else journal.look(lambda image: image.tables[table].dealt)
        if dealt is None or is_known(table, dealt.hand_id):
            return None
        found = room.books.last_hand(table)
        if found is None or found[1] is None:
            return None
        return cls(found[1], dealt.hand_id, {seat: one for seat, one in enumerate(dealt.players) if one})


def plain_of(game_id: str, text: str) -> dict[str, Any]:
    """Read a game's note; raises `BadJournal`."""
    plain = object_of(text)
    if plain is None:
        raise BadJournal(f"the record of game {game_id[:40]!r} cannot be read")
    return plain


def known(users: Users, user_id: str) -> User:
    """Return a registered user; raises `BadJournal`."""
    user = users.get(user_id)
    if user is None:
        raise BadJournal(f"user {user_id[:40]!r} plays, but is not registered")
    return user


def set_aside(image: RoomImage, name: str) -> tuple[Fact, ...]:
    """Return the records that remove a table with a bad note from the room; none if there is no such table."""
    if name not in image.tables:
        return ()
    return image.set_aside(name, f"the record of game {name[:40]!r} cannot be read")


def turns_of(game_id: str, text: str) -> dict[str, tuple[Key, NamedAction | Order]]:
    """Read the note of `Lobby.taken`; raises `BadJournal`."""
    try:
        hand_id, plain = parse_json(text)
        return {
            user_id: ((str(hand_id), int(seq)), _done_from(done)) for user_id, (seq, *done) in plain.items()
        }
    except (ValueError, TypeError, AttributeError):
        raise BadJournal(f"the record of the last turns in game {game_id[:40]!r} cannot be read") from None


def due_of(game_id: str, text: str) -> Due:
    """Read the note of `Lobby.due`; raises `BadJournal`."""
    try:
        return Due.from_plain(parse_json(text))
    except (ValueError, TypeError):
        raise BadJournal(f"the record of when a turn ends in game {game_id[:40]!r} cannot be read") from None


def _done_from(plain: list[Any]) -> NamedAction | Order:
    if len(plain) == 1:
        return Order(*plain)
    return NamedAction.from_plain(plain)


def first_note(setting: Setting) -> str:
    """Return the note of a new game."""
    return json.dumps({"members": {}, "queue": [], "setting": setting.plain()})
