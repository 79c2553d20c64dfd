"""Eject bots at the same hand in whatever order the pieces of a match are played.

A bot is ejected at its n-th fault, counted from the first hand. A piece that runs beside others
cannot know the faults before it, so it assumes those known when it was submitted. When its turn
comes to be added up, and the faults known by then would change its play, it is played again with
them. A match without an ejection never plays a piece twice.
"""

from __future__ import annotations

from copy import deepcopy

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.engines.block import Job
from poker_actors.sim.statistics import Sums

__all__ = ["Settlement"]


class Settlement:
    """The faults of each bot, added up piece by piece from the first hand on."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._known = list(map(deepcopy, job.before)) or [Faults() for _ in job.match.bots]

    def job(self) -> Job:
        """Return the job with the faults known now."""
        return attrs.evolve(self._job, before=tuple(map(deepcopy, self._known)))

    def holds(self, asked: Job, sums: Sums) -> bool:
        """Whether a piece played as `asked` would be played the same with the faults known now."""
        return all(map(_same_play, asked.before, self._known, sums.faults))

    def take(self, sums: Sums) -> Sums:
        """Add the faults of the next piece, in the order of hands, and return its sums."""
        for known, new in zip(self._known, sums.faults, strict=True):
            known.add(new)
        return sums


def _same_play(assumed: Faults, known: Faults, counted: Faults) -> bool:
    """Whether a bot that played a piece after faults `assumed` plays the same after those `known`."""
    if assumed.ejected is not None or known.ejected is not None:
        return assumed.ejected is not None and known.ejected is not None
    if counted == Faults() and not counted.used.calls:
        return True
    if assumed == known and assumed.used == known.used:
        return True
    if counted.ejected is not None:
        return False  # other faults before it move the hand of the ejection
    together = Faults.after(known)
    together.add(counted)
    return not (together.beyond_limits or together.over_budget)
