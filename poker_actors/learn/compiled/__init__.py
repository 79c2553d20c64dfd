"""Tables for learners compiled with numba (extra `fast`); `rules` is the original and the oracle."""

from poker_actors.learn.compiled.batch import TableBatch
from poker_actors.learn.compiled.chance import LuckTables
from poker_actors.learn.compiled.matches import CompiledMatch, PlayedHands
from poker_actors.learn.compiled.table import CompiledTable

__all__ = ["CompiledMatch", "CompiledTable", "LuckTables", "PlayedHands", "TableBatch"]
