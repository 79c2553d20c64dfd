"""The rules of poker as values and one state machine: no actors, clocks, sockets, threads, logging or randomness."""

from poker_actors.rules.action import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Lay,
    RaiseTo,
    parse_action,
)
from poker_actors.rules.event import Event
from poker_actors.rules.game import Game
from poker_actors.rules.games import GAMES, HOLDEM, game_named
from poker_actors.rules.hand import Hand
from poker_actors.rules.legal import Legal
from poker_actors.rules.positions import Positions, first_positions, next_positions
from poker_actors.rules.public import PublicState, Taken
from poker_actors.rules.settlement import Pot, layer_pots
from poker_actors.rules.stakes import Stakes, stacks_by_seat, whole_chips
from poker_actors.rules.view import Stream, View
from poker_actors.rules.words import state_text

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
    "Lay",
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
    "layer_pots",
    "next_positions",
    "parse_action",
    "stacks_by_seat",
    "state_text",
    "whole_chips",
]
