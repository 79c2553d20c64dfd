"""Playing a match: hands in, sums out, and what has been played so far at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final

from poker_actors.bots import BotSpec, Faults
from poker_actors.rules import Game, Hand, Stakes
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.match import DEFAULT_BOTS, Match
from poker_actors.sim.result import SimulationResult, result_of
from poker_actors.sim.statistics import Sums, Tally

__all__ = ["Simulation", "play_hand", "play_stretch", "simulate"]

POINTS: Final = 240
"""Points of the curve of winnings: enough for a picture, few enough to travel."""

REPORT_EVERY: Final = 100
"""Hands between two looks at the progress; an interrupted run loses fewer than that."""

_MERGE_AT: Final = 64

Progress = Callable[[int], None]


def play_stretch(match: Match, driver: str, hands: range) -> Iterator[Sums]:
    """Play `hands` of the match and give sums every `REPORT_EVERY` hands, faults with the last."""
    bots = [spec.make() for spec in match.bots]
    faults = [Faults() for _ in bots]
    tally = Tally(len(bots), max(1, -(-match.hands // POINTS)))
    for number, hand in driver_named(driver)(match, hands, bots, faults):
        tally.count(number, hand, match.setting(number).bots)
        if tally.sums.hands == REPORT_EVERY:
            yield tally.take()
    last = tally.take()
    last.faults = faults
    yield last


def play_hand(match: Match, number: int, driver: str = "direct") -> Hand:
    """Play hand `number` of the match alone; it comes out as it does among the others."""
    bots = [spec.make() for spec in match.bots]
    faults = [Faults() for _ in bots]
    ((_, hand),) = driver_named(driver)(match, range(number, number + 1), bots, faults)
    return hand


class Simulation:
    """A match being played; `result` may be asked for at any time, also after an interruption."""

    def __init__(self, match: Match, driver: str = "direct") -> None:
        driver_named(driver)
        self.match: Final = match
        self.driver: Final = driver
        # Replaced and appended to, never half-changed: an interruption falls between two of these.
        self._parts: list[Sums] = []
        self._seconds = 0.0

    def run(self, progress: Progress | None = None) -> SimulationResult:
        """Play every hand; `progress` hears how many more have been played."""
        start = perf_counter()
        try:
            for sums in play_stretch(self.match, self.driver, range(self.match.hands)):
                self._parts.append(sums)
                if len(self._parts) >= _MERGE_AT:
                    self._parts = [self._merged()]
                if progress is not None:
                    progress(sums.hands)
        finally:
            self._seconds = perf_counter() - start
        return self.result()

    def result(self) -> SimulationResult:
        """Give the result of the hands played so far."""
        return result_of(self.match, self.driver, self._merged(), self._seconds)

    def _merged(self) -> Sums:
        total = Sums(len(self.match.bots))
        for part in self._parts:
            total.add(part)
        return total


def simulate(
    bots: Sequence[str | BotSpec | Callable[..., Any]] = DEFAULT_BOTS,
    *,
    hands: int = 10_000,
    seed: int | None = None,
    stacks: str | int | Sequence[int] = "100bb",
    stakes: str | Stakes = "1/2",
    game: str | Game = "holdem",
    driver: str = "direct",
    progress: Progress | None = None,
) -> SimulationResult:
    """Play `hands` hands between `bots`, one per seat, and give statistics of all of them.

    A bot is a name (`tight:vpip=0.2`), a place (`file.py:function`) or a function of a view.
    Stacks, in chips (`200`, `[200, 150]`) or big blinds (`100bb`), are reset each hand and the
    button moves on by a seat. `seed` is any integer, drawn when None; the same seed gives the
    same `digest` with every `driver`: `direct` is the fastest, `stepper` and `threads` play
    through the actors. `progress` is called with the number of hands played since the last call.

    Raises `BadSpec` and `UnknownBot`, naming the value and the limit.
    """
    match = Match.of(bots, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=game)
    return Simulation(match, driver).run(progress)
