"""The Hacker School Poker Engine over the Room: games, who plays and waits, and what clients are shown."""

from poker_actors.server.hspe.clock import Clock, LoopClock
from poker_actors.server.hspe.game import Game, Rules
from poker_actors.server.hspe.lobby import Lobby
from poker_actors.server.hspe.orders import Order, read_order
from poker_actors.server.hspe.profile import GO, PROFILES, README, Profile
from poker_actors.server.hspe.wire import game_json, players_json

__all__ = [
    "GO",
    "PROFILES",
    "README",
    "Clock",
    "Game",
    "Lobby",
    "LoopClock",
    "Order",
    "Profile",
    "Rules",
    "game_json",
    "players_json",
    "read_order",
]
