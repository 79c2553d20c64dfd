"""Conclusions from results: estimates of all bots, and simultaneous statements about them.

The package `ranking` ranks the bots of a round robin.
"""

from poker_actors.sim.judging.estimates import (
    DEFAULT_DIFFERENCE,
    POWER_Z,
    Estimates,
    Plan,
    PlannedPair,
    mixture_width,
    plan,
    raw_estimates,
)
from poker_actors.sim.judging.fitting import Corrected, corrected_estimates
from poker_actors.sim.judging.sequential import Betting, Evidence, Mixture, Sequential, judge_at_any_time
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
    "Betting",
    "Corrected",
    "Estimates",
    "Evidence",
    "Judgement",
    "Mixture",
    "Plan",
    "PlannedPair",
    "Separation",
    "Sequential",
    "corrected_estimates",
    "critical_value",
    "holm",
    "judge",
    "judge_at_any_time",
    "mixture_width",
    "p_value",
    "plan",
    "raw_estimates",
]
