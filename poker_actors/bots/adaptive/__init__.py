"""The bot `adaptive`: an opponent's record, the opponent's range in a hand, and the best response to both."""

from poker_actors.bots.adaptive.bot import Adaptive
from poker_actors.bots.adaptive.opponent import Opponent
from poker_actors.bots.adaptive.ranges import Judged, judged, starting_strength, weights_after
from poker_actors.bots.adaptive.response import Node, Response

__all__ = [
    "Adaptive",
    "Judged",
    "Node",
    "Opponent",
    "Response",
    "judged",
    "starting_strength",
    "weights_after",
]
