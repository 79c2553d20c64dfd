"""Play forty sit-and-gos on all cores of this machine, or, with an address, on a Ray cluster, and count the wins.

python examples/tournaments_on_a_cluster.py
python examples/tournaments_on_a_cluster.py auto

The second needs the extra [ray] and a cluster (`ray start --head`). The seed of a tournament decides all of it, so both
print the same.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from poker_actors.sim.tournaments import TournamentPlan, TournamentResult, play_direct, sit_and_go

BOTS = ["tight", "loose", "pot-odds", "caller", "maniac", "random"]


def plan(seed: int) -> TournamentPlan:
    """Plan a sit-and-go of six bots."""
    return TournamentPlan.of(sit_and_go(6), 6, BOTS, seed=seed)


def on_this_machine(plans: list[TournamentPlan]) -> Iterable[TournamentResult]:
    """Play the plans in separate processes."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        yield from workers.map(play_direct, plans)


def on_a_cluster(plans: list[TournamentPlan], address: str) -> Iterable[TournamentResult]:
    """Play the plans on the nodes of a cluster."""
    import ray

    ray.init(address=address)
    play = ray.remote(play_direct)
    yield from ray.get([play.remote(each) for each in plans])


def main(arguments: list[str]) -> None:
    """Play, and count wins and prizes by bot."""
    plans = [plan(seed) for seed in range(40)]
    results = on_a_cluster(plans, arguments[0]) if arguments else on_this_machine(plans)
    wins: Counter[str] = Counter()
    prizes: Counter[str] = Counter()
    for result in results:
        assert result.chips_in == result.chips_out
        for placed in result.standings:
            wins[placed.bot] += placed.place == 1
            prizes[placed.bot] += placed.prize
    for bot, won in prizes.most_common():
        print(f"{bot:9} {wins[bot]:2} wins, {won:6,} in prizes")


if __name__ == "__main__":
    main(sys.argv[1:])
