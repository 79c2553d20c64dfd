"""Training the bot `expert`: MCCFR on the tables of `learn.compiled`; imports numba (extra `fast`)."""

from poker_actors.learn.training.running import Budget, Checkpoint, train
from poker_actors.learn.training.trainer import Progress, Trainer

__all__ = ["Budget", "Checkpoint", "Progress", "Trainer", "train"]
