"""The deterministic fault bench: crashes and bad messages at every boundary, promises checked."""

from poker_actors.testing.chaos.bench import SITUATIONS, ChaosReport, run_chaos, watched_evening
from poker_actors.testing.chaos.checks import Violation
from poker_actors.testing.chaos.evening import Evening, EveningSettings
from poker_actors.testing.chaos.faults import FaultRates

__all__ = [
    "SITUATIONS",
    "ChaosReport",
    "Evening",
    "EveningSettings",
    "FaultRates",
    "Violation",
    "run_chaos",
    "watched_evening",
]
