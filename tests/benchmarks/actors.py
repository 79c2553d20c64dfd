"""Actors: messages against bare pykka, hands on each runtime and against pokerkit, and an asyncio app of fifty tables.

Run `python tests/benchmarks/actors.py [ROUNDS]`. Everything compared runs in the same process, in alternating rounds;
the best round of each counts. With the compiled build (docs/performance.md), PYTHONPATH chooses between the two.
"""

from __future__ import annotations

import asyncio
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter, process_time
from typing import Any

import pykka

from poker_actors.actors import HandState, LoopRuntime, Room, StepRuntime, ThreadRuntime, bridge
from poker_actors.actors.aio import AsyncPlayer, AsyncRoom, AsyncTable
from poker_actors.actors.runtime import Actor, Handlers, Runtime
from poker_actors.native import is_compiled
from poker_actors.rules import Action, Call, Check, View

ROUNDS = 5
MESSAGES = 20_000
TABLES, HANDS = 50, 6
PAIRS = 3
RUNTIMES: dict[str, Callable[[], Runtime]] = {
    "threads": ThreadRuntime,
    "one thread": LoopRuntime,
    "stepper": StepRuntime,
}
SWITCHED: dict[str, float] = {}
"""switches of threads a hand, by the round that found them"""
ENGINES = runpy.run_path(str(Path(__file__).parent / "engines.py"))
RACED = ("poker_actors: actors on the stepper", "poker_actors: actors on threads", "pokerkit")


class Bare(pykka.ThreadingActor):
    """An echoing actor on bare pykka."""

    def on_receive(self, message: object) -> object:
        return message


class Ours(Actor):
    """An echoing actor on our base class."""

    def handles(self) -> Handlers:
        return {str: lambda message: message}


def messages() -> dict[str, Callable[[], float]]:
    """Return rounds by name; each returns messages per second, told or asked one after the other."""
    bare = Bare.start()
    addresses = {name: make().address(name) for name, make in RUNTIMES.items()}
    for address in addresses.values():
        address.runtime.start(Ours(address))

    def told(tell: Callable[[object], object], ask: Callable[[object], object]) -> float:
        start = perf_counter()
        for _ in range(MESSAGES // 4):  # our mailboxes hold at most ten thousand messages
            tell("x")
        ask("x")
        return MESSAGES / 4 / (perf_counter() - start)

    def asked(ask: Callable[[object], object]) -> float:
        start = perf_counter()
        for _ in range(MESSAGES // 10):
            ask("x")
        return MESSAGES / 10 / (perf_counter() - start)

    rounds: dict[str, Callable[[], float]] = {
        "tell, pykka": lambda: told(bare.tell, bare.ask),
        "ask, pykka": lambda: asked(bare.ask),
    }
    for name, address in addresses.items():
        rounds[f"tell, {name}"] = lambda one=address: told(one.tell, one.ask)  # type: ignore[misc]
        rounds[f"ask, {name}"] = lambda one=address: asked(one.ask)  # type: ignore[misc]
    return rounds


def callers(name: str, bot: Any, hands: int) -> Callable[[], float]:
    """Return a round of six callers in a room on a runtime: hands per CPU second, of all its threads."""

    def play() -> float:
        with Room(RUNTIMES[name](), seed=1) as room:
            table = room.open_table(seats=6, restack=200)
            for number in range(6):
                player = room.player(f"p{number}", bot, chips=200 * (hands + 2))
                table.sit(player)
                table.buy_in(player, 200)
            table.play(2)
            switches = getrusage(RUSAGE_SELF).ru_nvcsw
            start = process_time()
            table.play(hands)
            seconds = process_time() - start
            switches = getrusage(RUSAGE_SELF).ru_nvcsw - switches
        SWITCHED[f"{name}, {'house' if isinstance(bot, str) else 'own'} callers"] = switches / hands
        return hands / seconds

    return play


def own_caller(view: View) -> Action:
    """Call, as a bot of which nobody knows whether it blocks."""
    return Call() if view.to_call else Check()


async def person(player: AsyncPlayer, table: AsyncTable) -> int:
    """Call or check at every turn; return the number of turns."""
    turns = 0
    async with player.news() as news:
        async for one in news:
            if isinstance(one, HandState) and one.active:
                await player.at(table).act(Call() if one.to_call else Check())
                turns += 1
    return turns


async def app() -> float:
    """Return the acts per CPU second of an app with fifty tables of three people each."""
    start = process_time()
    async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
        tables, people = [], []
        for number in range(TABLES):
            table = await room.open_table(f"t{number}", seats=3, turn_seconds=30)
            for seat in range(3):
                player = await room.player(f"p{number}.{seat}", chips=200)
                await table.sit(player)
                await table.buy_in(player, 200)
                people.append(asyncio.create_task(person(player, table)))
            tables.append(table)
        await asyncio.gather(*(table.run(HANDS) for table in tables))
    turns = sum(await asyncio.gather(*people))
    return turns / (process_time() - start)


def with_budget(seconds: float) -> Callable[[], float]:
    """Return a round of the app in which actors may take so many seconds per turn of the event loop."""

    def play() -> float:
        kept = bridge.TURN_SECONDS
        bridge.TURN_SECONDS = seconds  # type: ignore[misc]  # it is Final; infinity is the version without a bound
        try:
            return asyncio.run(app())
        finally:
            bridge.TURN_SECONDS = kept  # type: ignore[misc]

    return play


def race(rounds: dict[str, Callable[[], float]], count: int) -> dict[str, float]:
    """Play the rounds in turn; return the best of each."""
    best: dict[str, float] = {}
    for _ in range(count):
        for name, play in rounds.items():
            best[name] = max(best.get(name, 0.0), play())
    return best


def paired(one: Callable[[], float], other: Callable[[], float], count: int) -> list[float]:
    """Play pairs, each side first in half of them; return the ratios of one to the other, sorted.

    Other load on the machine spoils single pairs; the median of many is stable.
    """
    ratios = []
    for number in range(count):
        if number % 2:
            second, first = other(), one()
        else:
            first, second = one(), other()
        ratios.append(first / second)
    return sorted(ratios)


def show(found: dict[str, float], measure: Callable[[str], str]) -> None:
    """Print a line for each figure, with its ratio to that of its measure."""
    for name, speed in found.items():
        print(f"{name:<46} {speed:12,.0f}/s {speed / found[measure(name)]:8.2f}")


def main(arguments: list[str]) -> None:
    """Measure; the argument is the number of rounds."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    print(f"poker_actors is {'the compiled build' if is_compiled() else 'the Python build'}, {rounds} rounds")
    print("\nmessages, bare pykka = 1")
    show(race(messages(), rounds), lambda name: f"{name.partition(',')[0]}, pykka")
    pykka.ActorRegistry.stop_all()
    print("\nhands per CPU second of six callers dealt by one blocking call after another, threads = 1")
    counts = {"threads": 60, "one thread": 300, "stepper": 600}
    bots: dict[str, Any] = {"house": "caller", "own": own_caller}
    rooms = {
        f"{name}, {kind} callers": callers(name, bot, counts[name])
        for kind, bot in bots.items()
        for name in counts
    }
    show(race(rooms, rounds), lambda name: f"threads,{name.partition(',')[2]}")
    print(
        "switches of threads a hand: " + "; ".join(f"{name} {found:.0f}" for name, found in SWITCHED.items())
    )
    print("\nhands of six players who check or call, pokerkit = 1")
    playing: Any = ENGINES["present"](tuple(one for one in ENGINES["CONTESTANTS"] if one.name in RACED))
    speeds = ENGINES["race"](playing, rounds)
    show({name: max(found) for name, found in speeds.items()}, lambda _: "pokerkit")
    print(f"\nacts per CPU second of an asyncio app of {TABLES} tables, no budget of a turn of the loop = 1")
    ratios = paired(with_budget(bridge.TURN_SECONDS), with_budget(float("inf")), PAIRS * rounds)
    print(f"median of {len(ratios)} pairs {median(ratios):.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
