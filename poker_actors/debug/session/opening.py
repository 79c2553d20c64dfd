"""Opening an engine: at the beginning, or at the last checkpoint before a position. Only here what is played matters."""

from __future__ import annotations

from functools import singledispatch

from poker_actors.debug.session.checkpoint import Checkpoint, Past
from poker_actors.debug.session.engine import Engine
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import LivePlayback, Program, Recording, RecordingPlayback
from poker_actors.debug.session.script import Script

__all__ = ["open_at", "open_playback", "past_of"]


@singledispatch
def open_at(script: Script | Program, past: Past | None, start: Checkpoint | None) -> Engine:
    """Open an engine at a checkpoint, at the beginning without one."""
    raise TypeError(f"a {type(script).__name__} is nothing to play")


@open_at.register
def _(script: Script, past: Past | None, start: Checkpoint | None) -> Engine:
    return Playback(script, past, start)


@open_at.register
def _(script: Program, past: Past | None, start: Checkpoint | None) -> Engine:
    return LivePlayback(script)


@open_at.register
def _(script: Recording, past: Past | None, start: Checkpoint | None) -> Engine:
    return RecordingPlayback(script)


@singledispatch
def past_of(script: Script | Program, before: Past | None = None, position: int = 0) -> Past | None:
    """Return what the playbacks of a script share, for a fork with that of `before`; None for what plays by itself."""
    return None


@past_of.register
def _(script: Script, before: Past | None = None, position: int = 0) -> Past | None:
    return Past(script, before, position)


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
