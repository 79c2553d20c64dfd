"""Opening an engine: at the beginning, or at the last checkpoint before a position."""

from __future__ import annotations

from poker_actors.debug.session.checkpoint import Checkpoint, Past
from poker_actors.debug.session.engine import Engine
from poker_actors.debug.session.live import LivePlayback
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.script import Script

__all__ = ["open_at", "open_playback"]


def open_at(script: Script | Program, past: Past | None, start: Checkpoint | None) -> Engine:
    """Open an engine at a checkpoint, at the beginning without one."""
    return Playback(script, past, start) if isinstance(script, Script) else LivePlayback(script)


def open_playback(script: Script | Program, past: Past | None = None, position: int = 0) -> Engine:
    """Open a program at its beginning, a script at the last checkpoint up to `position`."""
    while True:
        start = None if past is None else past.nearest(position)
        engine = open_at(script, past, start)
        if past is None or start is None or engine.exact:
            return engine
        # the restored room differs from the one saved: try an earlier checkpoint rather than replay wrongly
        engine.close()
        past.drop(start)
