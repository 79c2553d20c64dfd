"""Drivers: ways to play the hands of a match, all with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import Final

from poker_actors.bots import Bot, Faults
from poker_actors.errors import BadSpec, unknown
from poker_actors.sim.drivers.direct import play_direct
from poker_actors.sim.drivers.room import play_stepper, play_threads
from poker_actors.sim.match import Match
from poker_actors.sim.record import Played

__all__ = ["DRIVERS", "Driver", "driver_named"]

Driver = Callable[[Match, range, MutableSequence[Bot], Sequence[Faults]], Iterator[Played]]
"""Plays a range of hands with these bots and counts their faults; yields each finished hand."""

DRIVERS: Final[dict[str, Driver]] = {
    "direct": play_direct,
    "stepper": play_stepper,
    "threads": play_threads,
}
"""The drivers by name."""


def driver_named(name: str) -> Driver:
    """Look up a driver by name; raise `BadSpec`, suggesting the nearest name."""
    driver = DRIVERS.get(name)
    if driver is None:
        raise BadSpec(unknown("driver", name, DRIVERS))
    return driver
