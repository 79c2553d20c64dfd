"""The recorded past of a script: the bots' answers, and the checkpoints passed."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from poker_actors.debug.session.answers import Answers
from poker_actors.debug.session.checkpoint import Checkpoint, Played, take_checkpoint
from poker_actors.debug.session.script import Script

__all__ = ["Past"]


class Past:
    """Shared by all playbacks of one script: the first to reach a position records it for the others.

    It holds one checkpoint of a few kilobytes per hand.
    """

    def __init__(self, script: Script, before: Past | None = None, position: int = 0) -> None:
        """Begin empty, or, for a fork, with the part of `before` up to a position."""
        self.answers: Final[Answers] = Answers(script, None if before is None else before.answers, position)
        kept = () if before is None else before._checkpoints.values()
        self._checkpoints: dict[int, Checkpoint] = {
            one.position: one for one in kept if one.position <= position
        }
        self._places = sorted(self._checkpoints)

    def keep(self, playback: Played, number: int) -> None:
        """Save the room before hand `number`, unless this position is saved already."""
        if playback.position in self._checkpoints:
            return
        made = take_checkpoint(playback, number)
        if made is not None:
            self._checkpoints[made.position] = made
            self._places = sorted(self._checkpoints)

    def nearest(self, position: int) -> Checkpoint | None:
        """Return the last checkpoint at or before a position; None if there is none."""
        place = bisect_right(self._places, position)
        return self._checkpoints[self._places[place - 1]] if place else None

    def drop(self, checkpoint: Checkpoint) -> None:
        """Forget a checkpoint that could not be restored exactly."""
        self._checkpoints.pop(checkpoint.position, None)
        self._places = sorted(self._checkpoints)

    def starts(self, position: int) -> list[Checkpoint | None]:
        """Return the starting points for a position, nearest first; None, the beginning, is last."""
        places = reversed(self._places[: bisect_right(self._places, position)])
        return [*(self._checkpoints[place] for place in places), None]

    def check(self) -> None:
        """Raise a pending `Discrepancy` of a bot's answer, once."""
        trouble, self.answers.discrepancy = self.answers.discrepancy, None
        if trouble is not None:
            raise trouble

    def close(self) -> None:
        """Close the bots."""
        self.answers.close()
