"""Ejections in the order of hands, whatever the order in which pieces of a match are played.

A bot is ejected at a fault with a stated number, counted from the first hand. A piece that runs beside
others cannot know how many there were before it. So it is played as if no more came between than
were known when it was handed out; when its turn has come and that makes a difference, it is played
again, knowing. A match without an ejection never plays a piece twice.
"""

from __future__ import annotations

from copy import deepcopy

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.engines.block import Job
from poker_actors.sim.statistics import Sums

__all__ = ["Settlement"]


class Settlement:
    """What is known of each bot's faults, piece by piece from the first hand on."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._known = list(map(deepcopy, job.before)) or [Faults() for _ in job.match.bots]

    def job(self) -> Job:
        """Return the work with what is known now."""
        return attrs.evolve(self._job, before=tuple(map(deepcopy, self._known)))

    def holds(self, asked: Job, sums: Sums) -> bool:
        """Whether a piece played as `asked` would be played the same knowing what is known now."""
        return all(map(_same_play, asked.before, self._known, sums.faults))

    def take(self, sums: Sums) -> Sums:
        """Settle the next piece."""
        for known, new in zip(self._known, sums.faults, strict=True):
            known.add(new)
        return sums


def _same_play(assumed: Faults, known: Faults, counted: Faults) -> bool:
    """Whether one bot's faults, `counted` after those `assumed`, are as after those `known`."""
    if assumed.ejected is not None or known.ejected is not None:
        return assumed.ejected is not None and known.ejected is not None
    if counted == Faults() and not counted.used.calls:
        return True
    if assumed == known and assumed.used == known.used:
        return True
    if counted.ejected is not None:
        return False
    together = Faults.after(known)
    together.add(counted)
    return not (together.beyond_limits or together.over_budget)
