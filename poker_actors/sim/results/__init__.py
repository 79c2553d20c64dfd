"""What the hands come to: figures with intervals, tables, files."""

from poker_actors.sim.results.making import result_of
from poker_actors.sim.results.player import PlayerResult, PositionResult, Share
from poker_actors.sim.results.positions import position_names
from poker_actors.sim.results.result import SimulationResult
from poker_actors.sim.results.separation import Separation, separations
from poker_actors.sim.results.table import HEADINGS, table_rows

__all__ = [
    "HEADINGS",
    "PlayerResult",
    "PositionResult",
    "Separation",
    "Share",
    "SimulationResult",
    "position_names",
    "result_of",
    "separations",
    "table_rows",
]
