"""What users' own tests can use: the fault bench."""

from poker_actors.testing.chaos import SITUATIONS, ChaosReport, FaultRates, run_chaos

__all__ = ["SITUATIONS", "ChaosReport", "FaultRates", "run_chaos"]
