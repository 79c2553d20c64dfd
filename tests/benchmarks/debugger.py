"""What a step back costs after 1 hand and after 1,000: `python tests/benchmarks/debugger.py [HANDS ...]`.

Prints milliseconds at the median and at the 99th percentile, by the wall clock and of this process
alone, and the ratio to the cost of the first hand: it should not grow with the length of the session.
"""

from __future__ import annotations

import random
import sys
import time

from poker_actors.debug import Stepper

SAMPLES = 300


def measured(
    stepper: Stepper, rng: random.Random, end: int, *, near: bool
) -> tuple[list[float], list[float]]:
    """Step back, one step after the other from the end, or from anywhere; gives wall and CPU milliseconds."""
    wall, own = [], []
    for _ in range(SAMPLES):
        if not near:
            stepper.goto(rng.randrange(1, end))
        elif stepper.position < 2:
            stepper.goto(end)
        start, begun = time.perf_counter(), time.process_time()
        stepper.back(1)
        wall.append((time.perf_counter() - start) * 1e3)
        own.append((time.process_time() - begun) * 1e3)
    return sorted(wall), sorted(own)


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
            for near in (True, False):
                stepper.goto(end)
                wall, own = measured(stepper, random.Random(1), end, near=near)
                middle, late = SAMPLES // 2, SAMPLES * 99 // 100
                first = first or own[middle]
                print(
                    f"{hands:6} {end:8}  {'the end' if near else 'anywhere':<8} {wall[middle]:7.2f} {wall[late]:7.2f}  "
                    f"{own[middle]:10.2f} {own[late]:9.2f}  {own[middle] / first:5.2f}"
                )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1, 10, 100, 1000])
