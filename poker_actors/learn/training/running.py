"""A training run of so many minutes or rounds, with a learning curve, saved as it goes."""

from __future__ import annotations

import io
from collections.abc import Callable
from hashlib import blake2b
from struct import Struct
from time import monotonic
from typing import Any, Final

import attrs
import numpy as np

from poker_actors.atomic import HeldFile, replacing
from poker_actors.errors import BadSpec
from poker_actors.learn.training.trainer import Progress, Trainer

__all__ = [
    "Budget",
    "Checkpoint",
    "train",
]


_MAGIC: Final = b"poker-actors training\n"
VERSION: Final = 3
_HEAD: Final = Struct("<B32s")
"""Version, and the checksum of the rest of the file."""


class Checkpoint(HeldFile):
    """The arrays of a training in a file; a context manager that locks the file for this process.

    Raises `BadSpec` when another process holds the file, and for a file that is damaged, of another version or not a
    training at all.
    """

    IN_USE = "is in use: another process trains on it"

    def read(self) -> dict[str, Any]:
        """Return the arrays written last; raises `BadSpec` for an unreadable file."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be read: {error.strerror}") from error
        start = len(_MAGIC) + _HEAD.size
        if data[: len(_MAGIC)] != _MAGIC or len(data) < start:
            raise BadSpec(f"{self.path} holds no training of the bot expert")
        version, checksum = _HEAD.unpack(data[len(_MAGIC) : start])
        if version != VERSION:
            raise BadSpec(f"{self.path} is of version {version}: this program resumes version {VERSION}")
        if blake2b(data[start:], digest_size=32).digest() != checksum:
            raise BadSpec(f"{self.path} is damaged: it does not agree with its checksum")
        with np.load(io.BytesIO(data[start:]), allow_pickle=False) as kept:
            return dict(kept)

    def write(self, arrays: dict[str, Any]) -> None:
        """Write the arrays; after a crash at any moment the file holds either these or the previous ones."""
        body = io.BytesIO()
        np.savez(body, **arrays)
        data = body.getvalue()
        try:
            with replacing(self.path, "wb") as stream:
                stream.write(_MAGIC + _HEAD.pack(VERSION, blake2b(data, digest_size=32).digest()) + data)
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be written: {error.strerror}") from error


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
