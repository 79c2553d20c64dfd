"""The order of messages: the phases of a session as a table."""

from __future__ import annotations

import enum
from typing import Final

from poker_actors.wire.opp.protocol.opcodes import MESSAGES, Op, Side

__all__ = ["SESSION", "Phase"]


class Phase(enum.Enum):
    """How far a session has come: one state for both sides, moved on by either side's messages."""

    OPEN = "open"
    """connected, not logged in"""
    JOINING = "joining"
    """JOIN_GAME is waiting for its answer"""
    JOINED = "joined"
    """logged in; messages of a hand begun earlier are not for this client"""
    PLAYING = "playing"
    """a game has been announced"""
    LEAVING = "leaving"
    """the client has quit and still receives what was on its way"""
    OVER = "over"


def _staying(phase: Phase) -> dict[Op, Phase]:
    """Return the moves while logged in: anything but the log-in's own messages."""
    before = {Op.JOIN_GAME, Op.GOODPASS, Op.BADPASS, Op.ILLNICK, Op.BADNICK}
    moves = {op: phase for op in MESSAGES if op not in before}
    return moves | {Op.START_NEW_GAME: Phase.PLAYING, Op.QUIT_GAME: Phase.LEAVING, Op.GOODBYE: Phase.OVER}


SESSION: Final[dict[Phase, dict[Op, Phase]]] = {
    Phase.OPEN: {Op.JOIN_GAME: Phase.JOINING},
    Phase.JOINING: {
        Op.GOODPASS: Phase.JOINED,
        Op.BADPASS: Phase.OVER,
        Op.ILLNICK: Phase.OVER,
        Op.BADNICK: Phase.OVER,
    },
    Phase.JOINED: _staying(Phase.JOINED),
    Phase.PLAYING: _staying(Phase.PLAYING),
    Phase.LEAVING: {
        op: Phase.OVER if op is Op.GOODBYE else Phase.LEAVING
        for op, layout in MESSAGES.items()
        if layout.side is not Side.CLIENT
    },
    Phase.OVER: {},
}
"""Phase -> message -> the phase after it; a message that is not listed is out of order."""
