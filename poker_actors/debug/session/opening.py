"""Opening a playback: at the beginning, or at the last checkpoint before a position."""

from __future__ import annotations

from poker_actors.debug.session.live import LivePlayback
from poker_actors.debug.session.past import Past
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Program
from poker_actors.debug.session.script import Script

__all__ = ["open_playback"]


def open_playback(
    script: Script | Program, past: Past | None = None, position: int = 0
) -> Playback | LivePlayback:
    """Open a playback: of a program at its beginning, of a script at the last checkpoint up to `position`."""
    if not isinstance(script, Script):
        return LivePlayback(script)
    if past is None:
        return Playback(script)
    while True:
        start = past.nearest(position)
        playback = Playback(script, past, start)
        if start is None or playback.exact:
            return playback
        # the restored room differs from the one saved: try an earlier checkpoint rather than replay wrongly
        playback.close()
        past.drop(start)
