"""Tools for users' own tests: a check for bots, a witness of a room, and the fault bench."""

from poker_actors.testing.bots import BotCheck, GameCheck, check_bot, check_game
from poker_actors.testing.chaos import SITUATIONS, ChaosReport, FaultRates, run_chaos
from poker_actors.testing.witness import PROMISES, BrokenPromise, Verdict, Witness

__all__ = [
    "PROMISES",
    "SITUATIONS",
    "BotCheck",
    "BrokenPromise",
    "ChaosReport",
    "FaultRates",
    "GameCheck",
    "Verdict",
    "Witness",
    "check_bot",
    "check_game",
    "run_chaos",
]
