"""Count hands cheaply while they are played, and add the counts up."""

from poker_actors.sim.statistics.lines import read_line
from poker_actors.sim.statistics.moments import (
    FOLDS,
    RAW,
    VARIABLES,
    Correcting,
    LuckIn,
    add_columns,
    empty_row,
    plain_luck,
    plain_sums,
    products,
    read_sums,
)
from poker_actors.sim.statistics.seating import collectors, ends_of
from poker_actors.sim.statistics.sums import COUNTERS, STREETS, WIDTH, Sums, by_name, packed, unpacked
from poker_actors.sim.statistics.tally import Tally, count_starting_hands

__all__ = [
    "COUNTERS",
    "FOLDS",
    "RAW",
    "STREETS",
    "VARIABLES",
    "WIDTH",
    "Correcting",
    "LuckIn",
    "Sums",
    "Tally",
    "add_columns",
    "by_name",
    "collectors",
    "count_starting_hands",
    "empty_row",
    "ends_of",
    "packed",
    "plain_luck",
    "plain_sums",
    "products",
    "read_line",
    "read_sums",
    "unpacked",
]
