"""Conclusions from results: one estimate of all bots, and what may be said of them at once."""

from poker_actors.sim.judging.estimates import POWER_Z, Estimates, raw_estimates
from poker_actors.sim.judging.fitting import Corrected, corrected_estimates
from poker_actors.sim.judging.planning import DEFAULT_DIFFERENCE, Plan, PlannedPair, plan
from poker_actors.sim.judging.simultaneous import (
    LEVEL,
    Judgement,
    Separation,
    critical_value,
    holm,
    judge,
    p_value,
)

__all__ = [
    "DEFAULT_DIFFERENCE",
    "LEVEL",
    "POWER_Z",
    "Corrected",
    "Estimates",
    "Judgement",
    "Plan",
    "PlannedPair",
    "Separation",
    "corrected_estimates",
    "critical_value",
    "holm",
    "judge",
    "p_value",
    "plan",
    "raw_estimates",
]
