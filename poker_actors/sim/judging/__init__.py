"""Conclusions from results: estimates of all bots, and simultaneous statements about them.

The package `ranking` ranks the bots of a round robin.
"""

from poker_actors.sim.judging.estimates import (
    DEFAULT_DIFFERENCE,
    POWER_Z,
    Estimates,
    mixture_width,
    raw_estimates,
)
from poker_actors.sim.judging.fitting import Corrected, corrected_estimates
from poker_actors.sim.judging.sequential import Betting, Mixture, Sequential
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
    "Judgement",
    "Mixture",
    "Separation",
    "Sequential",
    "corrected_estimates",
    "critical_value",
    "holm",
    "judge",
    "mixture_width",
    "p_value",
    "raw_estimates",
]
