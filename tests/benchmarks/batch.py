"""Steps and hands per second of thousands of tables, in one run with peers: `python tests/benchmarks/batch.py`.

Ours is no-limit hold'em with 100 big blinds and three sizes of raises, including deal, showdown and the next hand, with
random legal actions. Times are processor time of the stepping process, without drawing the actions. Peers are rlcard's,
PettingZoo's and OpenSpiel's own no-limit hold'em, one table each, as they have no batches; their time includes drawing
the actions, which is a small part of it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from poker_actors.bots import BotSpec
from poker_actors.learn import Setting, env, policy_of, seat_vector_env, table_batch
from poker_actors.learn.compiled import TableBatch
from poker_actors.sim import simulate

SIZES: Final = (0.5, 1.0, "all-in")
STEPS: Final = 400_000
"""Our steps in each measurement; the best of `ROUNDS` counts."""
ROUNDS: Final = 9
"""Enough that at least one round is undisturbed by other load on the machine."""
SECONDS: Final = 1.0
"""Time of a peer's measurement."""
HANDS: Final = 200_000
THREADED: Final = 65_536
"""Tables that two threads share. Smaller batches gain less: handing half a step over takes as long as 1,000 tables."""
STARTED: Final = """
import time; start = time.process_time()
import numpy, numba, gymnasium
loaded = time.process_time()
from poker_actors.learn import table_batch
tables = table_batch(64); tables.reset(seed=1); tables.step(numpy.ones(64, numpy.int64))
print(time.process_time() - loaded, time.process_time() - start)
"""


def best(measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(ROUNDS))


def tables(count: int, players: int, observation: str) -> float:
    """Return steps per second of a batch with random actions."""
    batch = table_batch(count, players, raise_sizes=SIZES, observation=observation)
    batch.reset(seed=1)
    luck = np.random.default_rng(1)
    spent = 0.0
    rounds = max(STEPS // count, 20)
    for _ in range(rounds):
        actions = (luck.random(batch.legal_action_mask.shape) * batch.legal_action_mask).argmax(axis=1)
        start = time.process_time()
        batch.step(actions)
        spent += time.process_time() - start
    return rounds * count / spent


def seats(count: int, bots: tuple[str, ...]) -> float:
    """Return steps per second of a learner that calls, through the vector environment without copies."""
    made = seat_vector_env(count, bots, raise_sizes=SIZES, observation="compact", copy=False)
    made.reset(seed=1)
    actions = np.ones(count, np.int64)
    rounds = max(STEPS // count, 20)
    start = time.process_time()
    for _ in range(rounds):
        made.step(actions)
    return rounds * count / (time.process_time() - start)


def matches(bots: tuple[str, ...]) -> float:
    """Return hands per second of a match with statistics and digest."""
    start = time.process_time()
    simulate(bots, hands=HANDS, seed=1, engine="batch")
    return HANDS / (time.process_time() - start)


def hands_alone(bots: tuple[str, ...]) -> float:
    """Return hands per second of the compiled code alone, including decks and digest."""
    from poker_actors.bots import BotSpec, SeedTree
    from poker_actors.learn import policy_of
    from poker_actors.learn.compiled import CompiledMatch
    from poker_actors.rules import HOLDEM

    policies = [policy_of(BotSpec.of(bot)) for bot in bots]
    match: Any = CompiledMatch(HOLDEM, HOLDEM.stakes, (200,) * len(bots), policies, SeedTree(1).key)  # type: ignore[arg-type]
    match.play(range(4_096))
    start = time.process_time()
    for first in range(0, HANDS, 4_000):
        match.play(range(first, first + 4_000))
    return HANDS / (time.process_time() - start)


def hands_bare(seats: int) -> float:
    """Return hands per second of callers, including decks, without statistics, digest or observations."""
    setting = Setting(seats, raise_sizes=SIZES)
    policies: Any = [policy_of(BotSpec.of("caller"))] * seats
    batch = TableBatch(setting, 1_024, observation="none", policies=policies, learner=0)
    batch.reset(seed=1)
    actions = np.ones(1_024, np.int64)
    hands, start = 0, time.process_time()
    while hands < HANDS:
        batch.step(actions)
        hands += int(batch.terminated.sum())
    return hands / (time.process_time() - start)


def by_hand(bots: tuple[str, ...]) -> float:
    """Return hands per second of a match in Python."""
    start = time.process_time()
    simulate(bots, hands=20_000, seed=1)
    return 20_000 / (time.process_time() - start)


def threads_gain() -> float:
    """Return how many times faster two threads are than one, by the wall clock, from the best of many steps."""
    taken = {1: 1e9, 2: 1e9}
    for threads in (1, 2) * 4:
        batch = table_batch(THREADED, 6, raise_sizes=SIZES, observation="compact", threads=threads)
        batch.reset(seed=1)
        for _ in range(20):
            start = time.perf_counter()
            for _ in range(5):
                batch.step(np.ones(THREADED, np.int64))
            taken[threads] = min(taken[threads], time.perf_counter() - start)
        batch.close()
    return taken[1] / taken[2]


def processes_gain() -> float:
    """Return how many times faster two processes are than one, by the wall clock, from the best of some matches."""
    taken = []
    for workers in (1, 2):
        best_one = 1e9
        for _ in range(2):
            start = time.perf_counter()
            simulate(("caller",) * 6, hands=12_000_000, seed=1, engine="batch", workers=workers)
            best_one = min(best_one, time.perf_counter() - start)
        taken.append(best_one)
    return taken[0] / taken[1]


def loops(play: Callable[[], Iterator[None]]) -> float:
    """Return steps per second of a generator that yields after each step."""
    stepping = play()
    next(stepping)
    steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        next(stepping)
        steps += 1
    return steps / spent


def ours_alone() -> Iterator[None]:
    table = env(raise_sizes=SIZES)
    table.reset(seed=1)
    luck = random.Random(1)
    while True:
        _, _, over, _, info = table.last()
        if over:
            table.reset()
            continue
        table.step(luck.choice(np.flatnonzero(info["action_mask"]).tolist()))
        yield


def rlcards() -> Iterator[None]:
    import rlcard

    game: Any = rlcard.make("no-limit-holdem", config={"seed": 1})
    luck = random.Random(1)
    while True:
        state, _ = game.reset()
        while not game.is_over():
            state, _ = game.step(luck.choice(list(state["legal_actions"])))
            yield


def pettingzoos() -> Iterator[None]:
    from pettingzoo.classic import texas_holdem_no_limit_v6

    game: Any = texas_holdem_no_limit_v6.env()
    luck = random.Random(1)
    while True:
        game.reset()
        while True:
            seen, _, over, cut, _ = game.last()
            if over or cut:
                break
            game.step(luck.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            yield


def openspiels() -> Iterator[None]:
    import pyspiel

    game: Any = pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=200 200,bettingAbstraction=fchpa)"
    )
    luck = random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(luck.choice(state.legal_actions()))
                continue
            state.information_state_tensor()
            state.apply_action(luck.choice(state.legal_actions()))
            yield


def ready() -> tuple[float, float]:
    """Return CPU seconds to the first step with cached compiled code, without and with importing the libraries."""
    started = [sys.executable, "-c", STARTED]
    subprocess.run(started, capture_output=True, check=True)
    outs = [subprocess.run(started, capture_output=True, text=True, check=True).stdout for _ in range(ROUNDS)]
    ours, whole = min(tuple(map(float, out.split())) for out in outs)
    return ours, whole


def rows() -> Iterator[tuple[str, str]]:
    """Yield each measurement: its name and its figure."""
    for observation in ("compact", "layout"):
        for players in (2, 6):
            for count in (64, 1_024, 16_384):
                speed = best(lambda c=count, p=players, o=observation: tables(c, p, o))  # type: ignore[misc]
                yield f"{observation}, {players} players, {count:,} tables", f"{speed:,.0f} steps/s"
    for count, bots in (
        (64, ("caller",)),
        (1_024, ("caller",)),
        (1_024, ("caller",) * 5),
        (1_024, ("tight",) * 5),
    ):
        speed = best(lambda c=count, b=bots: seats(c, b))  # type: ignore[misc]
        yield f"vector env, {count:,} seats against {len(bots)} {bots[0]}", f"{speed:,.0f} steps/s"
    yield "six callers, decks and showdowns alone", f"{best(lambda: hands_bare(6)):,.0f} hands/s"
    for six in (("caller",) * 6, ("tight",) * 6):
        yield f"six {six[0]}s, played with digests", f"{best(lambda b=six: hands_alone(b)):,.0f} hands/s"  # type: ignore[misc]
        yield f"six {six[0]}s, simulate --engine batch", f"{best(lambda b=six: matches(b)):,.0f} hands/s"  # type: ignore[misc]
    yield "six callers, in Python", f"{by_hand(('caller',) * 6):,.0f} hands/s"
    yield (
        "expert and tight, simulate --engine batch",
        f"{best(lambda: matches(('expert', 'tight'))):,.0f} hands/s",
    )
    yield "expert and tight, in Python", f"{by_hand(('expert', 'tight')):,.0f} hands/s"
    yield f"two threads against one, {THREADED:,} tables", f"{threads_gain():.2f} times"
    yield "two processes against one, 12 million hands of six callers", f"{processes_gain():.2f} times"
    ours, whole = ready()
    yield "ready from code on disk", f"{ours:.2f} s, {whole:.2f} s with numpy, numba and gymnasium"
    for name, play in PEERS.items():
        try:
            yield f"{name}, one table", f"{best(lambda p=play: loops(p)):,.0f} steps/s"  # type: ignore[misc]
        except ImportError as error:
            yield f"{name}, one table", f"not installed ({error.name})"


PEERS: Final[dict[str, Callable[[], Iterator[None]]]] = {
    "poker_actors' PettingZoo env": ours_alone,
    "rlcard": rlcards,
    "PettingZoo's own": pettingzoos,
    "OpenSpiel": openspiels,
}


def main() -> None:
    print("| what | figure |\n|---|---|")
    for what, figure in rows():
        print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    main()
