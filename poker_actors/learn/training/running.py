"""A training run of so many minutes or rounds, with a learning curve, saved as it goes."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

import attrs

from poker_actors.learn.training.checkpoint import Checkpoint
from poker_actors.learn.training.trainer import Progress, Trainer

__all__ = ["Budget", "train"]

_DROPPED: Final = 0.2
"""The first share of a run, left out of the average: its strategies are hardly better than random."""
_POINTS: Final = 10
"""Points of a curve."""
_KEPT_EVERY: Final = 60.0
"""Seconds between saves: the most that a crash can cost."""


@attrs.frozen
class Budget:
    """The length of a run: rounds if given, else minutes."""

    minutes: float
    rounds: int | None = None

    def spent(self, seconds: float, rounds: int) -> float:
        """Return the share that is spent; it may exceed 1."""
        return rounds / self.rounds if self.rounds is not None else seconds / 60 / self.minutes


def train(
    trainer: Trainer,
    checkpoint: Checkpoint,
    budget: Budget,
    *,
    cores: int = 1,
    advance: Callable[[float], None] = lambda share: None,
    point: Callable[[Progress], None] = lambda progress: None,
) -> list[Progress]:
    """Train until the budget is spent and save; return the curve, a point for each tenth of the run.

    `advance` is called after each round with the spent share of the budget, `point` with each point of the curve.
    """
    begun = kept = monotonic()
    first = trainer.round
    curve: list[Progress] = []
    share = 0.0
    while share < 1:
        trainer.play_round(cores)
        now = monotonic()
        share = min(budget.spent(now - begun, trainer.round - first), 1.0)
        if not trainer.averaged_from and share >= _DROPPED:
            trainer.begin_average()
        if now - kept >= _KEPT_EVERY:
            kept = now
            checkpoint.write(trainer.state())
        if share * _POINTS >= len(curve) + 1:
            curve.append(trainer.progress())
            point(curve[-1])
        advance(share)
    checkpoint.write(trainer.state())
    return curve
