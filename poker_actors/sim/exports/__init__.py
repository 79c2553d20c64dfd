"""Write played hands to files, and count them by starting hand."""

from poker_actors.sim.exports.parquet import Parquet
from poker_actors.sim.exports.rows import Histories, JsonLines, Sink, StartingHand, StartingHands, hand_row

__all__ = ["Histories", "JsonLines", "Parquet", "Sink", "StartingHand", "StartingHands", "hand_row"]
