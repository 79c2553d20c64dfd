"""Opening a playback: at the beginning, or at the last checkpoint before a position. Only here what is played matters."""

from __future__ import annotations

from functools import singledispatch

from poker_actors.debug.session.checkpoint import Checkpoint, Past
from poker_actors.debug.session.playback import Playback, Source
from poker_actors.debug.session.program import Kept, Program, Recording, Threaded
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import Staged

__all__ = ["open_at", "open_playback", "past_of"]


@singledispatch
def _source(script: Script | Program, past: Past | None, start: Checkpoint | None) -> Source:
    """Return what plays it, from a checkpoint on or from the beginning."""
    raise TypeError(f"a {type(script).__name__} is nothing to play")


_source.register(Script, Staged)
_source.register(Program, lambda program, past, start: Threaded(program))
_source.register(Recording, lambda recording, past, start: Kept(recording))


def open_at(script: Script | Program, past: Past | None = None, start: Checkpoint | None = None) -> Playback:
    """Open a playback at a checkpoint, at the beginning without one."""
    return Playback(_source(script, past, start))


@singledispatch
def past_of(script: Script | Program, before: Past | None = None, position: int = 0) -> Past | None:
    """Return what the playbacks of a script share, for a fork with that of `before`; None for what plays by itself."""
    return None


@past_of.register
def _(script: Script, before: Past | None = None, position: int = 0) -> Past | None:
    return Past(script, before, position)


def open_playback(script: Script | Program, past: Past | None = None, position: int = 0) -> Playback:
    """Open a program at its beginning, a script at the last checkpoint up to `position`."""
    while True:
        start = None if past is None else past.nearest(position)
        playback = open_at(script, past, start)
        if past is None or start is None or playback.source.exact:
            return playback
        # the restored room differs from the one saved: try an earlier checkpoint rather than replay wrongly
        playback.close()
        past.drop(start)
