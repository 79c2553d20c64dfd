"""Step a thousand tables at once, with six callers at each, and measure how much a seat's results vary.

Needs the extras `rl` and `fast`. Run it with `python examples/thousand_tables.py`.
"""

from __future__ import annotations

import logging

import numpy as np

from poker_actors.learn import table_batch

TABLES = 1_000
PLAYERS = 6
CALL = 1


def main() -> None:
    """Play twenty thousand hands and print the figures."""
    logging.getLogger("poker_actors").setLevel(logging.ERROR)  # the first run compiles, and says so
    tables = table_batch(TABLES, PLAYERS, observation="compact")
    tables.reset(seed=1)
    everybody_calls = np.full(TABLES, CALL)
    hands, squares, best = 0, 0.0, 0.0
    while hands < 20_000:
        tables.step(everybody_calls)
        over = tables.terminated
        hands += int(over.sum())
        # a step has rewards for the hands it ended, and 0 elsewhere
        squares += float((tables.rewards**2).sum())
        best = max(best, float(tables.rewards.max()))
    print(f"{hands:,} hands at {TABLES:,} tables")
    print(f"a seat's result spreads by {np.sqrt(squares / hands / PLAYERS):.2f} big blinds a hand")
    print(f"the most anybody won: {best:g}")
    parts = tables.layout.split(tables.observation[0])
    print(f"table 0: pot {parts['pot'][0]}, to call {parts['to_call'][0]}, stacks {parts['stacks'].tolist()}")


if __name__ == "__main__":
    main()
