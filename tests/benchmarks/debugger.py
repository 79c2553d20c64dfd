"""The cost of the debugger: `python tests/benchmarks/debugger.py [HANDS ...]`, `... --ring [ROUNDS]`.

For a step back, and for going to any step that was made, after 1 hand and after 1,000: milliseconds at the median and the 99th percentile, by the wall
clock and in processor time, and the ratio to the cost after one hand, which should not grow with the length of
the session; and the processor time of going forward to the end, of the first and the second `find` of a text that is
nowhere, and of the first and the second `rc` with conditions that never held: of the hand, of a kind of message, of all, of a part of
what they tell, and of all that is public. For the ring of recent messages that a room on threads keeps for each table: processor time per hand
with and without it, in alternating rounds, and the median of the ratios.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from poker_actors.actors import Room
from poker_actors.debug import Stepper

SAMPLES = 300


def measured(stepper: Stepper, rng: random.Random, end: int, move: str) -> tuple[list[float], list[float]]:
    """Step back, one by one from the end or from random places, or go to one; return sorted wall and CPU milliseconds."""
    wall, own = [], []
    for _ in range(SAMPLES):
        if move == "anywhere":
            stepper.goto(rng.randrange(1, end))
        elif stepper.position < 2:
            stepper.goto(end)
        to = rng.randrange(1, end) if move == "goto" else stepper.position - 1
        start, begun = time.perf_counter(), time.process_time()
        stepper.goto(to)
        wall.append((time.perf_counter() - start) * 1e3)
        own.append((time.process_time() - begun) * 1e3)
    return sorted(wall), sorted(own)


NEVER = (
    "pot > 1000000 if actions > 1",
    "message HandState if message.seat == 9",
    "sender == 'nobody'",
    "sender == receiver and message.seat == 9",
    "message.public.pot > 1000000",
    "message.public == 0",
)


def searched(stepper: Stepper, end: int) -> list[str]:
    """Return what going forward over known steps and searching them cost."""
    stepper.goto(0)
    jobs: list[tuple[str, Callable[[], object]]] = [
        ("forward", lambda: stepper.goto(end)),
        ("find", lambda: stepper.find("no such text")),
        ("find again", lambda: stepper.find("nor this")),
    ]
    told = [f"{name} {cost(job):.1f} ms" for name, job in jobs]
    for condition in NEVER:
        stepper.clear()
        stepper.break_on(condition)
        costs = []
        for _ in range(2):
            stepper.goto(end)
            costs.append(cost(stepper.reverse))
        told.append(f"rc of {condition!r} {costs[0]:.1f} ms, again {costs[1]:.1f} ms")
    return told


def cost(job: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that a job takes."""
    begun = time.process_time()
    job()
    return (time.process_time() - begun) * 1e3


def main(sizes: list[int]) -> None:
    """Print a row for each length of a session."""
    print(
        f"{'hands':>6} {'steps':>8}  {'from':<8} {'median':>7} {'99 %':>7}  {'own median':>10} {'own 99 %':>9}  ratio"
    )
    first = 0.0
    for hands in sizes:
        with Stepper(seed=7, hands=hands) as stepper:
            stepper.run()
            end = stepper.position
            for move in ("the end", "anywhere", "goto"):
                stepper.goto(end)
                wall, own = measured(stepper, random.Random(1), end, move)
                middle, late = SAMPLES // 2, SAMPLES * 99 // 100
                first = first or own[middle]
                print(
                    f"{hands:6} {end:8}  {move:<8} {wall[middle]:7.2f} {wall[late]:7.2f}  "
                    f"{own[middle]:10.2f} {own[late]:9.2f}  {own[middle] / first:5.2f}"
                )
            print(f"{'':6} {'':8}  {', '.join(searched(stepper, end))}")


RING_HANDS = 150


def hand_of_a_room(recent: int) -> float:
    """Play hands of six on threads and return the CPU milliseconds per hand."""
    with Room(seed=7, recent=recent) as room:
        table = room.open_table("main", seats=6, restack=200)
        for number in range(6):
            player = room.player(f"p{number}", "caller", chips=10_000)
            table.sit(player)
            table.buy_in(player, 200)
        begun = time.process_time()
        for _ in range(RING_HANDS):
            table.deal().result()
        return (time.process_time() - begun) * 1e3 / RING_HANDS


def ring(rounds: int) -> None:
    """Print the cost of the ring."""
    hand_of_a_room(0)
    pairs = []
    for number in range(rounds):
        order = (0, 200) if number % 2 else (200, 0)
        found = {recent: hand_of_a_room(recent) for recent in order}
        pairs.append((found[0], found[200]))
    ratio = statistics.median(kept / bare for bare, kept in pairs)
    bare, kept = (statistics.median(one) for one in zip(*pairs, strict=True))
    print(
        f"{rounds} rounds of {RING_HANDS} hands: {bare:.3f} ms a hand, with the ring {kept:.3f}: {ratio - 1:+.1%}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ring"]:
        ring(int((sys.argv[2:] or ["12"])[0]))
    else:
        main([int(word) for word in sys.argv[1:]] or [1, 10, 100, 1000])
