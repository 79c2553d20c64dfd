"""Repair a server's data: say what is wrong with a journal, and begin it anew from what it comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.server.hspe import Lobby
from poker_actors.server.users import Notes, Passwords, Users
from poker_actors.store import Journal, MemoryStorage, RoomImage

__all__ = ["Repaired", "repair"]


@attrs.frozen
class Repaired:
    """What a journal comes to, and what was wrong with it."""

    place: str
    wrong: tuple[str, ...]
    """one line each"""
    users: int
    tables: int
    chips: int
    """in the room, of the mint and lent"""
    copy: str = ""
    """where a copy of the damaged journal is kept; empty where nothing was written"""

    def plain(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return attrs.asdict(self)


def repair(data: str, *, write: bool = False) -> Repaired:
    """Look through a journal that no process has open; with `write`, and if anything is wrong, replace it.

    Raises `BadSpec` for no file, `BadJournal` for what is not a journal or is beyond repair, and `StorageFailed`.
    """
    if "://" not in data and not Path(data).exists():
        raise BadSpec(f"there is no {data}")  # as a journal that is opened is made
    found = Journal.salvage(data)
    try:
        place = MemoryStorage()
        place.begin_anew(found.snapshot(found.image))
        image, asides = _set_aside(Journal(place))
        wrong = (*found.wrong, *asides)
        copy = found.begin_anew(image) if write and wrong else ""
    finally:
        found.storage.close()
    users = sum(key.startswith("user/") for key in image.notes)
    return Repaired(found.storage.name, wrong, users, len(image.tables), image.ledger.minted, copy)


def _set_aside(journal: Journal) -> tuple[RoomImage, list[str]]:
    """Return the room without what no start could restore, and what that is: a start of its own, in memory, tells."""
    before = journal.look(lambda image: set(image.notes))
    Lobby.set_bad_games_aside(Users(Notes(journal), Passwords()))
    with Room(StepRuntime(), store=journal):
        after = journal.look(lambda image: image.copy())
    start = RoomImage.SET_ASIDE
    new = [key for key in after.notes if key.startswith(start) and key not in before]
    return after, [
        f"{key.removeprefix(start)} is set aside: {parse_json(after.notes[key])['why']}" for key in new
    ]
