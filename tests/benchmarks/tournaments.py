"""The cost of tournaments compared with that of their hands.

    python tests/benchmarks/tournaments.py

plays the same multi-table tournaments with every driver, and hands of `simulate` with the same bots, and
computes ICM; it takes the best of some rounds, in one process.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from poker_actors.actors import StepRuntime, ThreadRuntime
from poker_actors.sim import simulate
from poker_actors.sim.tournaments import (
    Director,
    TournamentPlan,
    icm,
    icm_sampled,
    multi_table,
    play_direct,
    play_in_room,
)

BOTS = ("tight", "loose", "pot-odds")
ROUNDS = 5


def best(run: Callable[[], int], rounds: int = ROUNDS) -> float:
    """Return the count per second of the best round; `run` returns its count."""
    speeds = []
    for _ in range(rounds):
        start = perf_counter()
        done = run()
        speeds.append(done / (perf_counter() - start))
    return max(speeds)


def plan_of(seed: int = 2, players: int = 60) -> TournamentPlan:
    return TournamentPlan.of(multi_table(6), players, BOTS, seed=seed)


def simulated(hands: int) -> int:
    return simulate(BOTS * 2, hands=hands, seed=2).hands


def director_alone(plan: TournamentPlan) -> float:
    """Return the director's share of the direct driver's time, by replaying its events without the hands."""
    seen: list[list[str]] = [[]]

    def keep(director: Director) -> None:
        seen[0] = director.events

    start = perf_counter()
    play_direct(plan, keep)
    whole = perf_counter() - start
    events = list(seen[0])
    start = perf_counter()
    Director.replay(plan.structure, plan.seed, events)
    return (perf_counter() - start) / whole


def journaled(plan: TournamentPlan) -> int:
    with tempfile.TemporaryDirectory() as folder:
        return play_in_room(plan, store=Path(folder) / "t.db").hands


def main() -> int:
    plan = plan_of()
    hands = play_direct(plan).hands
    base = best(lambda: simulated(hands * 4))
    speeds = {
        "direct": best(lambda: play_direct(plan).hands),
        "stepper": best(lambda: play_in_room(plan, runtime=StepRuntime()).hands),
        "threads": best(lambda: play_in_room(plan, runtime=ThreadRuntime()).hands, 2),
        "stepper, SQLite journal": best(lambda: journaled(plan), 1),
    }
    stacks = tuple(range(1000, 16_000, 1000))
    counts = {
        "ICM of 6 players, exact, ms": 1000 / best(lambda: len([icm(stacks[:6], stacks[5::-1])])),
        "ICM of 9 players, exact, ms": 1000 / best(lambda: len([icm(stacks[:9], stacks[8::-1])])),
        "ICM of 15 players, exact, ms": 1000 / best(lambda: len([icm(stacks, stacks[::-1])])),
        "ICM of 60 players, 20,000 orders, ms": 1000
        / best(lambda: len([icm_sampled(stacks * 4, stacks[::-1])]), 2),
    }
    print(
        json.dumps(
            {
                "hands": hands,
                "hands_per_second_against_simulate": {
                    name: round(speed / base, 3) for name, speed in speeds.items()
                },
                "tournaments_per_second_direct": round(speeds["direct"] / hands, 2),
                "director_share_of_direct": round(min(director_alone(plan) for _ in range(ROUNDS)), 3),
                **{name: round(value, 2) for name, value in counts.items()},
            },
            indent=2,
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
