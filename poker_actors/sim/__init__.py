"""Simulation: play many repeatable hands between bots and judge the results."""

from poker_actors.sim.deciding import UntilDecided
from poker_actors.sim.drivers.direct import failed_hand
from poker_actors.sim.engines import play_hand
from poker_actors.sim.intervals import Estimate, estimate
from poker_actors.sim.judging import Estimates, Judgement
from poker_actors.sim.match import DEFAULT_BOTS, MOST_HANDS, CarryOver, Cash, Duplicate, Form, Match
from poker_actors.sim.record import hand_dict
from poker_actors.sim.results import HEADINGS, PlayerResult, Share, SimulationResult, separations, table_rows
from poker_actors.sim.round_robin import RoundRobin, RoundRobinResult
from poker_actors.sim.run import Simulation, seed_of_run, simulate
from poker_actors.sim.story import tell_hand, tell_transcript, transcripts_of

__all__ = [
    "DEFAULT_BOTS",
    "HEADINGS",
    "MOST_HANDS",
    "CarryOver",
    "Cash",
    "Duplicate",
    "Estimate",
    "Estimates",
    "Form",
    "Judgement",
    "Match",
    "PlayerResult",
    "RoundRobin",
    "RoundRobinResult",
    "Share",
    "Simulation",
    "SimulationResult",
    "UntilDecided",
    "estimate",
    "failed_hand",
    "hand_dict",
    "play_hand",
    "seed_of_run",
    "separations",
    "simulate",
    "table_rows",
    "tell_hand",
    "tell_transcript",
    "transcripts_of",
]
