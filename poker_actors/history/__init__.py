"""Hand histories: PHH, Open Hand History, PokerStars, ACPC and JSONL in and out, and their replay."""

from poker_actors.history.files import (
    FORMATS,
    Format,
    Writer,
    entries,
    files_in,
    format_named,
    format_of,
    histories,
    parse,
    read_entry,
    unread,
)
from poker_actors.history.hand_history import (
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
    Note,
    Showed,
    Step,
)
from poker_actors.history.record import record
from poker_actors.history.replay import Replay, replay
from poker_actors.history.show import Scene, drawing, page
from poker_actors.history.source import Entry, Unread
from poker_actors.history.story import story_of
from poker_actors.history.unknown import UNKNOWN

__all__ = [
    "FORMATS",
    "UNKNOWN",
    "ActionKind",
    "ActionStep",
    "BoardDealt",
    "Comment",
    "Dealt",
    "Discarded",
    "Entry",
    "Format",
    "HandHistory",
    "Note",
    "Replay",
    "Scene",
    "Showed",
    "Step",
    "Unread",
    "Writer",
    "drawing",
    "entries",
    "files_in",
    "format_named",
    "format_of",
    "histories",
    "page",
    "parse",
    "read_entry",
    "record",
    "replay",
    "story_of",
    "unread",
]
