"""The cost of statistics and the gain of a second process, as ratios of the best of several rounds.

Run with ``python tests/benchmarks/simulation.py``; add ``--ray`` for a Ray cluster of two (extra `ray`).
"""

import sys
from collections.abc import Callable
from time import perf_counter, process_time

from poker_actors.bots import Faults
from poker_actors.sim import DEFAULT_BOTS, Match, simulate
from poker_actors.sim.drivers.direct import play_direct
from poker_actors.sim.engines import Job
from poker_actors.sim.engines.block import REPORT_EVERY

CALLERS = ("caller",) * 6
ROUNDS = 9
HANDS = 3_000


def bare(bots: tuple[str, ...]) -> None:
    """Play the hands without counting anything."""
    match = Match.of(bots, hands=HANDS, seed=1)
    for _ in play_direct(match, range(HANDS), [spec.make() for spec in match.bots], [Faults() for _ in bots]):
        pass


def counted(bots: tuple[str, ...]) -> None:
    """Play the same hands with statistics and digest, collected as often as in a run."""
    match = Match.of(bots, hands=HANDS, seed=1)
    tally = Job(match).new_tally()
    faults = [Faults() for _ in bots]
    for number, hand, who in play_direct(match, range(HANDS), [spec.make() for spec in match.bots], faults):
        tally.count(number, hand, who)
        if (number + 1) % REPORT_EVERY == 0:
            tally.take()


def best(
    *jobs: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Return the seconds of each job's best round; rounds alternate, so that other load affects all jobs alike."""
    times = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for place, job in enumerate(jobs):
            start = clock()
            job()
            times[place] = min(times[place], clock() - start)
    return times


def statistics_cost(bots: tuple[str, ...]) -> float:
    """Return the time that counting adds to playing, as a share of process time, which excludes other load."""
    without, with_them = best(lambda: bare(bots), lambda: counted(bots), clock=process_time)
    return with_them / without - 1


def speed_up(hands: int, engine: str = "processes", rounds: int = 2) -> float:
    """Return how many times faster two workers are than one, start included."""
    one, two = best(
        lambda: simulate(hands=hands, seed=1),
        lambda: simulate(hands=hands, seed=1, workers=2, engine=engine),
        rounds=rounds,
    )
    return one / two


def main() -> None:
    """Print the table."""
    print(f"statistics and digest add, six callers:   {statistics_cost(CALLERS):.0%}")
    print(f"statistics and digest add, default bots:  {statistics_cost(DEFAULT_BOTS):.0%}")
    print(f"two processes to one, 100,000 hands:      {speed_up(100_000):.2f}")
    if "--ray" in sys.argv:
        print(f"two Ray workers to one process, 400,000:  {speed_up(400_000, 'ray', rounds=1):.2f}")


if __name__ == "__main__":
    main()
