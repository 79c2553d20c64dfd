"""Manage accounts, with or without the server running: list, reset, revoke, delete; and repair the data."""

from __future__ import annotations

import logging
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import BadJournal, BadSpec, TableRefusal
from poker_actors.guard import Passwords
from poker_actors.jsontext import parse_json
from poker_actors.server.hspe import Lobby, is_house
from poker_actors.server.live import Sessions
from poker_actors.server.notes import Notes
from poker_actors.server.users import User, Users
from poker_actors.store import Journal, MemoryStorage, RoomImage

_USER: Final = "user/"
_HAND: Final = "hands/"
_GAME: Final = "game/"
_TOURNAMENT: Final = "tournaments/"
_GAME_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Programs around a room of their own name tables as they like."""


def games_noted(notes: Notes) -> Callable[[User], list[str]]:
    """Return a function that finds a user's games in the notes of a stopped server."""

    def games_of(user: User) -> list[str]:
        found = []
        for game_id, text in notes.under(_GAME).items():
            plain = parse_json(text)
            if user.id in plain["members"] or user.id in plain["queue"]:
                found.append(game_id)
        for event_id, text in notes.under(_TOURNAMENT).items():
            plain = parse_json(text)
            if plain["state"] != "over" and user.id in plain["people"]:
                found.append(event_id)
        return found

    return games_of


class Accounts:
    """All accounts; `games_of` returns a user's games. Raises `TableRefusal`: `no_user`, `seat_taken`."""

    def __init__(self, users: Users, sessions: Sessions, games_of: Callable[[User], list[str]]) -> None:
        self._users = users
        self._sessions = sessions
        self._games_of = games_of

    def listed(self) -> list[dict[str, Any]]:
        """Return all accounts: name, id, log-ins."""
        return [self.shown(name) for name in self._users.names()]

    def shown(self, name: str) -> dict[str, Any]:
        """Return one account."""
        user = self._users.find(name)
        sessions = self._sessions.of(user)
        return {"name": user.name, "player_id": user.id, "games": self._games_of(user), "sessions": sessions}

    def collisions(self) -> list[list[str]]:
        """Return groups of names that look alike."""
        return [list(names) for names in self._users.collisions()]

    def reset(self, name: str) -> dict[str, Any]:
        """Draw a new password for a user and end all log-ins. Takes as long as a digest."""
        password, digest = self.drawn()
        return self.take_up(name, password, digest)

    def drawn(self) -> tuple[str, str]:
        """Return a random password and its digest. Slow: call it off the loop."""
        password = secrets.token_urlsafe(12)
        return password, self._users.next_digest(password)

    def take_up(self, name: str, password: str, digest: str) -> dict[str, Any]:
        """Set a user's password to a drawn one, and end all log-ins."""
        self._users.set_digest(self._users.find(name), digest)
        return {"name": name, "password": password} | self.revoke(name)

    def revoke(self, name: str) -> dict[str, Any]:
        """End all log-ins of a user."""
        return {"name": name, "ended": self._sessions.revoke(self._users.find(name))}

    def delete(self, name: str) -> dict[str, Any]:
        """Delete a user who is in no game."""
        user = self._users.find(name)
        games = self._games_of(user)
        if games:
            raise TableRefusal(
                f"{name} is in {len(games)} game{'s' * (len(games) > 1)}, and has to leave first",
                code="seat_taken",
            )
        ended = self._sessions.revoke(user)
        self._users.delete(user)
        return {"name": name, "deleted": True, "ended": ended}


@attrs.frozen
class Repaired:
    """The report on a repaired journal: its contents and its damage."""

    place: str
    wrong: tuple[str, ...]
    """the damage, one line each"""
    users: int
    tables: int
    chips: int
    """chips in the room, minted and lent"""
    copy: str = ""
    """the place of a copy of the damaged journal; empty if nothing was written"""
    unfinished: str = ""
    """what a start cuts off by itself, as after a killed process; empty for nothing"""

    def plain(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return attrs.asdict(self)


def repair(data: str, *, write: bool = False) -> Repaired:
    """Check a journal that no process has open; with `write`, replace it if it is damaged.

    Raises `BadSpec` for a missing file, `BadJournal` for one that is not a journal or beyond repair, and
    `StorageFailed`.
    """
    if "://" not in data and not Path(data).exists():
        raise BadSpec(f"there is no {data}")  # as a journal that is opened is made
    found = Journal.salvage(data)
    try:
        place = MemoryStorage()
        place.begin_anew(found.snapshot(found.image))
        with _silent():
            image, asides = _set_aside(Journal(place), damaged=bool(found.wrong))
        wrong = (*found.wrong, *(lost_accounts(image, found.broken) if found.wrong else ()), *asides)
        copy = found.begin_anew(image) if write and wrong else ""
    finally:
        found.storage.close()
    users = sum(key.startswith(_USER) for key in image.notes)
    name, chips = found.storage.name, image.ledger.minted
    return Repaired(name, wrong, users, len(image.tables), chips, copy, found.unfinished)


def lost_accounts(image: RoomImage, broken: str) -> list[str]:
    """Name each lost account: its player is in the room or its record was cut off, and no record is whole.

    Names may be left in the records of hands or in the cut-off part.
    """
    told = "".join(text for key, text in image.notes.items() if key.startswith(_USER))
    names: dict[str, str] = {}
    for text in [text for key, text in image.notes.items() if key.startswith(_HAND)]:
        with suppress(ValueError, LookupError, TypeError):
            hand = parse_json(text)
            names |= dict(zip(hand["ids"], hand["told"]["players"], strict=True))
    lost = [one for one in image.players if _GAME_ID.fullmatch(one) and not is_house(one) and one not in told]
    begun = re.search(r'"user/((?:[^"\\]|\\.)+)":"\{?(?:\\"id\\": \\"([0-9a-f-]{36}))?', broken)
    begun_by = ""
    with suppress(ValueError):  # it may be damaged itself
        begun_by = "" if begun is None else parse_json(f'"{begun[1]}"')
    if begun is not None and begun[2] and begun_by:
        names[begun[2]] = begun_by
        lost += [begun[2]] if begun[2] not in lost else []
    nameless = [one for one in lost if one not in names]
    if begun_by and begun_by not in names.values() and len(nameless) == 1:
        names[nameless[0]] = begun_by
    lines = []
    for one in lost:
        chips = sum(count for place, count in image.ledger.balances().items() if place.endswith(f"/{one}"))
        whose = f"of {names[one]}" if one in names else "whose name is in no record"
        lines.append(
            f"the account {whose} is lost, with its password; {chips:,} chips stay with its id {one}"
        )
    if begun_by and begun_by not in names.values():
        lines.append(f"one of the lost accounts is {begun_by}'s")
    return lines


def _set_aside(journal: Journal, *, damaged: bool) -> tuple[RoomImage, list[str]]:
    """Return the room without what no start could restore, and what that is: a start of its own, in memory, tells."""
    before = journal.look(lambda image: image.copy())
    notes = Notes(journal)
    if damaged:  # else a game without its table is one whose process died before it was opened
        tables = journal.look(lambda image: {name for name in image.tables if _GAME_ID.fullmatch(name)})
        games = notes.under(_GAME).keys()
        for game_id in tables - games:  # a game is noted before its table is opened
            why = f"the record of game {game_id} is lost"
            journal.append(*journal.look(partial(RoomImage.set_aside, name=game_id, why=why)))
        for game_id in games - tables:
            notes.set_aside(f"{_GAME}{game_id}", BadJournal("its table is lost"))
    Lobby.set_bad_games_aside(Users(notes, Passwords()))
    with Room(StepRuntime(), store=journal):
        after = journal.look(lambda image: image.copy())
    start = RoomImage.SET_ASIDE
    lines = []
    for key in [key for key in after.notes if key.startswith(start) and key not in before.notes]:
        name, why = key.removeprefix(start), parse_json(after.notes[key])["why"]
        chips = sum(before.ledger.at(name).values())
        what = f"table {name} is set aside, its {chips:,} chips go back to their owners"
        lines.append(f"{what if name in before.tables else f'{name} is set aside'}: {why}")
    return after, lines


@contextmanager
def _silent() -> Iterator[None]:
    """Log nothing of the room that this thread starts in memory meanwhile: it would tell as done what is only asked."""
    here = threading.get_ident()
    loggers = [logging.getLogger(f"poker_actors.{one}") for one in ("player", "room", "server", "table")]

    def is_elsewhere(_: logging.LogRecord) -> bool:
        return threading.get_ident() != here

    for logger in loggers:
        logger.addFilter(is_elsewhere)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_elsewhere)
