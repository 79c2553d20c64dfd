"""The journal of a room: facts, the chained records that store them, and the storages."""

from poker_actors.store.journal.facts import (
    ActionTaken,
    Booked,
    CardsShown,
    Fact,
    HandDealt,
    HandOver,
    Noted,
    PlayerJoined,
    PlayerLeft,
    RoomOpened,
    SeatsChanged,
    TableOpened,
    to_plain,
)
from poker_actors.store.journal.image import RoomImage, TableImage
from poker_actors.store.journal.journal import Journal, Replayed, open_journal
from poker_actors.store.journal.record import MemoryStorage, Row, Snapshot, Storage, Stored
from poker_actors.store.journal.sqlite import SQLiteStorage

__all__ = [
    "ActionTaken",
    "Booked",
    "CardsShown",
    "Fact",
    "HandDealt",
    "HandOver",
    "Journal",
    "MemoryStorage",
    "Noted",
    "PlayerJoined",
    "PlayerLeft",
    "Replayed",
    "RoomImage",
    "RoomOpened",
    "Row",
    "SQLiteStorage",
    "SeatsChanged",
    "Snapshot",
    "Storage",
    "Stored",
    "TableImage",
    "TableOpened",
    "open_journal",
    "to_plain",
]
