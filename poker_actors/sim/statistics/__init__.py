"""What is counted while hands are played, cheaply, and what it adds up to."""

from poker_actors.sim.statistics.all_in import MILLI, expected_payoffs
from poker_actors.sim.statistics.counters import COUNTERS, STREETS, unpacked
from poker_actors.sim.statistics.lines import read_line
from poker_actors.sim.statistics.sums import Sums
from poker_actors.sim.statistics.tally import Tally
from poker_actors.sim.statistics.winners import collectors

__all__ = [
    "COUNTERS",
    "MILLI",
    "STREETS",
    "Sums",
    "Tally",
    "collectors",
    "expected_payoffs",
    "read_line",
    "unpacked",
]
