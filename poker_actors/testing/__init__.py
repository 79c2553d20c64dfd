"""What users' own tests can use: a check for bots, and the fault bench."""

from poker_actors.testing.bots import BotCheck, check_bot
from poker_actors.testing.chaos import SITUATIONS, ChaosReport, FaultRates, run_chaos

__all__ = ["SITUATIONS", "BotCheck", "ChaosReport", "FaultRates", "check_bot", "run_chaos"]
