"""The referee: judges hands by the rule books, and shares no line with the rules it judges."""

from poker_actors.referee.betting import Turn
from poker_actors.referee.facts import Fact, Owed, Sheet, SheetStreet, Sitting, Verdict
from poker_actors.referee.hands import ORDERS
from poker_actors.referee.paying import Layer, Split
from poker_actors.referee.referee import Referee, judge

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
    "judge",
]
