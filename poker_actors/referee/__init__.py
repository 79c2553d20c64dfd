"""The referee: judges hands by the rule books, and shares no line with the rules it judges."""

from poker_actors.referee.betting import Turn, move_flaw
from poker_actors.referee.facts import Fact, Owed, Sheet, SheetStreet, Sitting, Verdict
from poker_actors.referee.hands import ORDERS, best
from poker_actors.referee.paying import Layer, Split
from poker_actors.referee.referee import Referee, judge
from poker_actors.referee.rows import fouls, row_points, royalties

__all__ = [
    "ORDERS",
    "Fact",
    "Layer",
    "Owed",
    "Referee",
    "Sheet",
    "SheetStreet",
    "Sitting",
    "Split",
    "Turn",
    "Verdict",
    "best",
    "fouls",
    "judge",
    "move_flaw",
    "row_points",
    "royalties",
]
