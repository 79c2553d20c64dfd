"""What a session knows of its script: the answers of the bots, and the checkpoints it has passed."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from poker_actors.debug.session.answers import Answers
from poker_actors.debug.session.checkpoint import Checkpoint, Played, take_checkpoint
from poker_actors.debug.session.script import Script

__all__ = ["Past"]


class Past:
    """Shared by all playbacks of one script: the first to reach a place records it for the others.

    It holds a checkpoint a hand, so at most as many as a session has hands, some kilobytes each.
    """

    def __init__(self, script: Script, before: Past | None = None, position: int = 0) -> None:
        """Begin, or take over from `before` what holds up to a position: a fork does."""
        self.answers: Final[Answers] = Answers(script, None if before is None else before.answers, position)
        kept = () if before is None else before._checkpoints.values()
        self._checkpoints: dict[int, Checkpoint] = {
            one.position: one for one in kept if one.position <= position
        }
        self._places = sorted(self._checkpoints)

    def keep(self, playback: Played, number: int) -> None:
        """Keep the room as it is before hand `number`, unless it has been kept before."""
        if playback.position in self._checkpoints:
            return
        made = take_checkpoint(playback, number)
        if made is not None:
            self._checkpoints[made.position] = made
            self._places = sorted(self._checkpoints)

    def nearest(self, position: int) -> Checkpoint | None:
        """Return the last checkpoint at or before a position; None where one begins at the beginning."""
        place = bisect_right(self._places, position)
        return self._checkpoints[self._places[place - 1]] if place else None

    def drop(self, checkpoint: Checkpoint) -> None:
        """Forget one that did not bring back what was kept."""
        self._checkpoints.pop(checkpoint.position, None)
        self._places = sorted(self._checkpoints)

    def starts(self, position: int) -> list[Checkpoint | None]:
        """Return where one can begin to play towards a position, the nearest first."""
        places = reversed(self._places[: bisect_right(self._places, position)])
        return [*(self._checkpoints[place] for place in places), None]

    def check(self) -> None:
        """Raise the `Discrepancy` that a bot's answer has brought up, once."""
        trouble, self.answers.discrepancy = self.answers.discrepancy, None
        if trouble is not None:
            raise trouble

    def close(self) -> None:
        """Stop the bots."""
        self.answers.close()
