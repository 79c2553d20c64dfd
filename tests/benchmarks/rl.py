"""Steps per second of our environment and rlcard's, in one run: `python tests/benchmarks/rl.py`.

Both play two-player no-limit hold'em with the same five kinds of actions, chosen among the legal ones at random
by the same generator, or always calling. A step returns the next observation and the legal actions; dealing is
part of the time.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from poker_actors.learn import env as our_env

SECONDS: Final = 2.0
ROUNDS: Final = 3

Choose = Callable[[Sequence[int]], int]
Stepper = Callable[[Choose, float], tuple[int, int, float]]
"""(chooser among the numbers of legal actions, seconds) -> steps, hands, seconds."""


def ours(choose: Choose, seconds: float) -> tuple[int, int, float]:
    """Play ours in PettingZoo's loop of `last` and `step`."""
    env = our_env(raise_sizes=(0.5, 1.0, "all-in"))
    env.reset(seed=1)
    legal = {}
    for kinds in itertools.product((0, 1), repeat=5):
        legal[np.array(kinds, np.int8).tobytes()] = [action for action, kind in enumerate(kinds) if kind]
    steps = hands = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        env.reset()
        hands += 1
        while True:
            _, _, over, _, info = env.last()
            if over:
                break
            env.step(choose(legal[info["action_mask"].tobytes()]))
            steps += 1
    return steps, hands, spent


def rlcards(choose: Choose, seconds: float) -> tuple[int, int, float]:
    """Play rlcard in its own loop: `step` returns the next state with its legal actions."""
    import rlcard

    env: Any = rlcard.make("no-limit-holdem", config={"seed": 1})
    steps = hands = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state, _ = env.reset()
        hands += 1
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            steps += 1
    return steps, hands, spent


def choosers() -> dict[str, Choose]:
    """Return the players: one at random, and one that always calls."""
    return {"random": random.Random(7).choice, "calling": lambda legal: 1 if 1 in legal else legal[0]}


def measured(seconds: float = SECONDS, rounds: int = ROUNDS) -> dict[str, tuple[float, float]]:
    """Return, for each player, steps per second of ours and of rlcard's: the best of some rounds."""
    found = {}
    for name, choose in choosers().items():
        best = [0.0, 0.0]
        for _ in range(rounds):
            for place, play in enumerate((ours, rlcards)):
                steps, _, spent = play(choose, seconds)
                best[place] = max(best[place], steps / spent)
        found[name] = (best[0], best[1])
    return found


def main() -> None:
    print("| who plays | ours, steps/s | rlcard, steps/s | times |\n|---|---|---|---|")
    for name, (mine, theirs) in measured().items():
        print(f"| {name} | {mine:,.0f} | {theirs:,.0f} | {mine / theirs:.1f} |")


if __name__ == "__main__":
    main()
