"""Results: figures with intervals, tables, files."""

from poker_actors.sim.record import digest_text
from poker_actors.sim.results.bootstrap import bootstrap
from poker_actors.sim.results.comparison import Comparison
from poker_actors.sim.results.figures import (
    COUNTED,
    PlayerResult,
    PositionResult,
    Share,
    position_names,
    positions_by_bot,
    separations,
)
from poker_actors.sim.results.result import SimulationResult, result_of
from poker_actors.sim.results.table import HEADINGS, aligned, blocks, estimate_text, table_rows
from poker_actors.sim.results.words import method_sentence

__all__ = [
    "COUNTED",
    "HEADINGS",
    "Comparison",
    "PlayerResult",
    "PositionResult",
    "Share",
    "SimulationResult",
    "aligned",
    "blocks",
    "bootstrap",
    "digest_text",
    "estimate_text",
    "method_sentence",
    "position_names",
    "positions_by_bot",
    "result_of",
    "separations",
    "table_rows",
]
