"""The game: values and one state machine; no actor, clock, socket, thread, log or luck."""

from poker_actors.rules.action import (
    Action,
    Bet,
    Call,
    Check,
    Fold,
    RaiseTo,
    parse_action,
)
from poker_actors.rules.event import Event
from poker_actors.rules.game import GAMES, HOLDEM, Game, game_named
from poker_actors.rules.hand import Hand
from poker_actors.rules.legal import Legal
from poker_actors.rules.positions import Positions, first_positions, next_positions
from poker_actors.rules.pots import Pot
from poker_actors.rules.public import PublicState, Taken
from poker_actors.rules.stakes import Stakes, stacks_by_seat, whole_chips
from poker_actors.rules.view import Stream, View

__all__ = [
    "GAMES",
    "HOLDEM",
    "Action",
    "Bet",
    "Call",
    "Check",
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
    "Stream",
    "Taken",
    "View",
    "first_positions",
    "game_named",
    "next_positions",
    "parse_action",
    "stacks_by_seat",
    "whole_chips",
]
