"""Write played hands to files, and count them by starting hand."""

from poker_actors.sim.exports.histories import Histories
from poker_actors.sim.exports.jsonl import JsonLines
from poker_actors.sim.exports.parquet import Parquet
from poker_actors.sim.exports.rows import Sink, hand_row
from poker_actors.sim.exports.starting_hands import StartingHand, StartingHands

__all__ = ["Histories", "JsonLines", "Parquet", "Sink", "StartingHand", "StartingHands", "hand_row"]
