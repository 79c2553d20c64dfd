"""The log of the console game: one line per event, with its time, in a file of limited size."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

__all__ = ["DEFAULT_LOG", "EventLog"]

DEFAULT_LOG: Final = "PokerCPP.log"
"""The name in the original program."""
LARGEST: Final = 1_000_000
"""Size in bytes at which the file is rotated: about 15,000 events."""
KEPT: Final = 3
"""Number of rotated files kept; `PokerCPP.log.1` is the newest."""

Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


class EventLog:
    """Appends events to a file, which is open only while a line is being written.

    Only the first failure to write is reported; play continues, and every later event is still tried.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        clock: Clock = _now,
        largest: int = LARGEST,
        kept: int = KEPT,
    ) -> None:
        self.path: Final = Path(path)
        self._clock = clock
        self._largest = largest
        self._kept = kept
        self._failed = False

    def write(self, event: str) -> str:
        """Append one event, as `2026-01-31T12:00:00+00:00 CPU wins round 3: 24, net 12`.

        Return a message to show the person: empty, or, at the first failure, its reason.
        """
        line = f"{self._clock().isoformat(timespec='seconds')} {' '.join(event.split())}\n".encode()
        try:
            self._make_room(len(line))
            with self.path.open("ab") as file:
                file.write(line)
        except OSError as error:
            if not self._failed:
                self._failed = True
                why = str(error.strerror).lower()
                return f"The log {self.path} cannot be written ({why}); the game goes on without it."
        return ""

    def _make_room(self, size: int) -> None:
        """Rotate the file if `size` more bytes would make it too large; the oldest rotated file is overwritten."""
        if not self.path.is_file() or self.path.stat().st_size + size <= self._largest:
            return
        for number in range(self._kept, 1, -1):  # oldest first: upwards, each file would overwrite the next
            younger = self._aside(number - 1)
            if younger.exists():
                younger.replace(self._aside(number))
        self.path.replace(self._aside(1))

    def _aside(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")
