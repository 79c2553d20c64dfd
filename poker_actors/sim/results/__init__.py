"""Results: figures with intervals, tables, files."""

from poker_actors.sim.record import digest_text
from poker_actors.sim.results.bootstrap import Bootstrap, bootstrap, bootstrap_words
from poker_actors.sim.results.comparison import BotComparison, Comparison
from poker_actors.sim.results.figures import (
    COUNTED,
    Habits,
    PlayerResult,
    PositionResult,
    RunFigures,
    Share,
    StreetHabits,
    position_names,
    positions_by_bot,
    separations,
)
from poker_actors.sim.results.result import SimulationResult, estimates_of, result_of
from poker_actors.sim.results.table import HEADINGS, aligned, blocks, estimate_text, table_rows
from poker_actors.sim.results.words import (
    method_sentence,
    method_words,
    plan_words,
    rank_words,
    undecided_words,
)

__all__ = [
    "COUNTED",
    "HEADINGS",
    "Bootstrap",
    "BotComparison",
    "Comparison",
    "Habits",
    "PlayerResult",
    "PositionResult",
    "RunFigures",
    "Share",
    "SimulationResult",
    "StreetHabits",
    "aligned",
    "blocks",
    "bootstrap",
    "bootstrap_words",
    "digest_text",
    "estimate_text",
    "estimates_of",
    "method_sentence",
    "method_words",
    "plan_words",
    "position_names",
    "positions_by_bot",
    "rank_words",
    "result_of",
    "separations",
    "table_rows",
    "undecided_words",
]
