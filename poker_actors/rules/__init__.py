"""The rules of poker as values and one state machine: no actors, clocks, sockets, threads, logging or randomness."""

from poker_actors.rules.action import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    RaiseTo,
    parse_action,
)
from poker_actors.rules.action import Lay as Lay
from poker_actors.rules.event import Event
from poker_actors.rules.game import Game
from poker_actors.rules.games import GAMES, HOLDEM, game_named
from poker_actors.rules.hand import Hand
from poker_actors.rules.legal import Legal
from poker_actors.rules.positions import Positions, first_positions, next_positions
from poker_actors.rules.pots import Pot
from poker_actors.rules.public import PublicState, Taken
from poker_actors.rules.stakes import Stakes, whole_chips
from poker_actors.rules.stakes import stacks_by_seat as stacks_by_seat
from poker_actors.rules.view import Stream as Stream
from poker_actors.rules.view import View

__all__ = [
    "GAMES",
    "HOLDEM",
    "Action",
    "Bet",
    "BringIn",
    "Call",
    "Check",
    "Discard",
    "Event",
    "Fold",
    "Game",
    "Hand",
    "Legal",
    "Positions",
    "Pot",
    "PublicState",
    "RaiseTo",
    "Stakes",
    "Taken",
    "View",
    "first_positions",
    "game_named",
    "next_positions",
    "parse_action",
    "whole_chips",
]
