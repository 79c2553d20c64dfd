"""The fault bench: crashes and bad messages at every boundary, promises checked, on both runtimes."""

from poker_actors.testing.chaos.bench import (
    RUN_HANDS,
    SITUATIONS,
    ChaosReport,
    run_chaos,
    run_numbers,
    watched_evening,
    watched_run,
)
from poker_actors.testing.chaos.faults import FaultRates
from poker_actors.testing.chaos.run import BENCH_PROMISES, Run
from poker_actors.testing.chaos.settings import RunSettings

__all__ = [
    "BENCH_PROMISES",
    "RUN_HANDS",
    "SITUATIONS",
    "ChaosReport",
    "FaultRates",
    "Run",
    "RunSettings",
    "run_chaos",
    "run_numbers",
    "watched_evening",
    "watched_run",
]
