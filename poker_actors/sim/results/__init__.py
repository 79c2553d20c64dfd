"""What the hands come to: figures with intervals, tables, files."""

from poker_actors.sim.results.bootstrap import Bootstrap, bootstrap, bootstrap_words
from poker_actors.sim.results.comparison import BotComparison, Comparison
from poker_actors.sim.results.habits import Habits, Share, StreetHabits
from poker_actors.sim.results.making import result_of
from poker_actors.sim.results.player import PlayerResult, PositionResult
from poker_actors.sim.results.positions import position_names
from poker_actors.sim.results.result import SimulationResult
from poker_actors.sim.results.separation import Separation, separations
from poker_actors.sim.results.table import HEADINGS, table_rows

__all__ = [
    "HEADINGS",
    "Bootstrap",
    "BotComparison",
    "Comparison",
    "Habits",
    "PlayerResult",
    "PositionResult",
    "Separation",
    "Share",
    "SimulationResult",
    "StreetHabits",
    "bootstrap",
    "bootstrap_words",
    "position_names",
    "result_of",
    "separations",
    "table_rows",
]
