"""How a playback is opened: at the beginning, or at the last checkpoint before a position."""

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
    """Start to play what is played: from its beginning, or from the last checkpoint of its past before a position."""
    if not isinstance(script, Script):
        return LivePlayback(script)
    if past is None:
        return Playback(script)
    while True:
        start = past.nearest(position)
        playback = Playback(script, past, start)
        if start is None or playback.exact:
            return playback
        playback.close()
        past.drop(start)
