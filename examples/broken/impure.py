"""A bot with a bug to find: `poker-actors simulate --bot examples/broken/impure.py:bot --bot tight --hands 200 --seed 3`."""

import random

from poker_actors.rules import Action, Call, Check, Fold, View


def bot(view: View) -> Action:
    """Toss a coin that nobody can toss again: `view.rng` would follow from the seed."""
    if Check() in view.legal:
        return Check()
    return Call() if random.random() < 0.5 else Fold()
