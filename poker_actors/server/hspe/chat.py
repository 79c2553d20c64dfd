"""The chat of one table: the last lines, in memory only."""

from __future__ import annotations

from collections import deque
from typing import Final

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server.contract import Emote, Talk, bodies, tables
from poker_actors.server.shapes import read
from poker_actors.server.users import User

LINES_KEPT: Final = 30
"""Lines kept: each picture has them all."""


class Chat:
    """The last lines of one table, and who hears them.

    No journal keeps them: lines are gone with the table, a restart or their speaker's account, and cost no write to the
    disk.
    """

    def __init__(self, to: Talk) -> None:
        self._to = to
        self._lines: deque[tuple[float, tables.Said]] = deque(maxlen=LINES_KEPT)
        """when each was said, unrounded, and the line as it is told to everybody"""
        self._said = 0

    def say(self, user: User, text: str, emote: Emote | None, now: float) -> tables.Said:
        """Add a line; raises as `check`."""
        self.check()
        self._said += 1
        line: tables.Said = {
            "number": self._said,
            "name": user.name,
            "player_id": user.id,
            "time": round(now, 3),
            "text": text,
            "emote": emote,
        }
        self._lines.append((now, line))
        return line

    def check(self) -> None:
        """Raise `TableRefusal` (`not_active`) at a table without chat."""
        if self._to == "off":
            raise TableRefusal("at this table nobody talks", code="not_active")

    def forget(self, user_id: str) -> bool:
        """Forget a user's lines; return whether there were any."""
        kept = [(time, line) for time, line in self._lines if line["player_id"] != user_id]
        forgot = len(kept) < len(self._lines)
        self._lines = deque(kept, LINES_KEPT)
        return forgot

    @property
    def silent(self) -> bool:
        """Whether there is no line, whoever asks."""
        return not self._lines

    def heard(self, *, seated: bool, until: float) -> list[tables.Said]:
        """Return the lines that somebody may read, oldest first; those without a seat get lines up to a time, if given."""
        if not (seated or self._to == "everyone"):
            return []
        return [line for time, line in self._lines if seated or time <= until]


def read_saying(body: bytes) -> tuple[str, Emote | None]:
    """Read ``{"text": "nice"}`` or ``{"emote": "wow"}``; raises `BadSpec`."""
    plain = read(bodies.Saying, body)
    text, emote = (plain.get("text") or "").strip(), plain.get("emote")
    if bool(text) == bool(emote):
        raise BadSpec("a line has either a text or an emote")
    if not text.isprintable():
        raise BadSpec("a text is one line of printable characters")
    return text, emote
