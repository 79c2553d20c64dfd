"""What is counted while hands are played, cheaply, and what it adds up to."""

from poker_actors.sim.statistics.counters import COUNTERS, STREETS, unpacked
from poker_actors.sim.statistics.lines import read_line
from poker_actors.sim.statistics.tally import Sums, Tally
from poker_actors.sim.statistics.winners import collectors

__all__ = ["COUNTERS", "STREETS", "Sums", "Tally", "collectors", "read_line", "unpacked"]
