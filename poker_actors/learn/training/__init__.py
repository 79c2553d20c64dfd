"""Training the bot `expert`: MCCFR on the tables of `learn.compiled`; imports numba (extra `fast`)."""

from poker_actors.learn.training.trainer import Budget, Checkpoint, Trainer, train

__all__ = ["Budget", "Checkpoint", "Trainer", "train"]
