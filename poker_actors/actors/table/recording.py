"""Write every hand of a room to a hand history."""

from __future__ import annotations

import logging
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from poker_actors.actors.hand.messages import HandResult
from poker_actors.history import Writer, record

__all__ = ["Recorder"]

_log: Final = logging.getLogger("poker_actors.room")


class Recorder:
    """Writes the hands of all tables of a room to one file; voided hands are not written.

    The file appears under its name when the recorder is closed. A hand that cannot be written is logged,
    the first time, and play goes on: no chips depend on it.
    """

    def __init__(self, path: str | Path) -> None:
        self._open = ExitStack()
        self._writer = self._open.enter_context(Writer(path))
        self._lock = threading.Lock()
        self._failed = False

    def write(self, table: str, result: HandResult) -> None:
        """Write one hand, with all its cards."""
        if result.hand is None:
            return
        names = [player or "" for player in result.players]
        try:
            history = record(
                result.hand, players=names, hand_id=result.hand_id, table=table, time=datetime.now(UTC)
            )
            with self._lock:
                self._writer.write(history)
        except Exception:  # noqa: BLE001 - a full disk, or a game without a format, must not stop a table
            if not self._failed:
                self._failed = True
                _log.exception("%s cannot be written down, nor perhaps the hands after it", result.hand_id)

    def close(self) -> None:
        """Finish the file and give it its name."""
        with self._lock:
            self._open.close()
