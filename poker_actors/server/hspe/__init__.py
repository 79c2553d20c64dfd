"""The Hacker School Poker Engine over the Room: games, their players and queues, and what clients see."""

from poker_actors.server.hspe.game import Game
from poker_actors.server.hspe.hearing import Chat, read_saying
from poker_actors.server.hspe.house import is_house, read_wish
from poker_actors.server.hspe.lobby import Lobby
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.setting import (
    GO,
    MOST_TURN_SECONDS,
    MOST_WATCH_DELAY,
    NAMES,
    PROFILES,
    README,
    SERVED,
    SLOW_SECONDS,
    Profile,
    Rules,
    Setting,
    TournamentGame,
    game_served,
    read_place,
    read_setting,
)
from poker_actors.server.hspe.turn import (
    Due,
    Key,
    LoopClock,
    NamedAction,
    Order,
    read_move,
    read_order,
    read_plan,
)
from poker_actors.server.hspe.wire import game_json, last_words, players_json, side_pots

__all__ = [
    "GO",
    "MOST_TURN_SECONDS",
    "MOST_WATCH_DELAY",
    "NAMES",
    "PROFILES",
    "README",
    "SERVED",
    "SLOW_SECONDS",
    "Chat",
    "Due",
    "Game",
    "Key",
    "Lobby",
    "LoopClock",
    "Member",
    "NamedAction",
    "Order",
    "Profile",
    "Rules",
    "Setting",
    "TournamentGame",
    "game_json",
    "game_served",
    "is_house",
    "last_words",
    "players_json",
    "read_move",
    "read_order",
    "read_place",
    "read_plan",
    "read_saying",
    "read_setting",
    "read_wish",
    "side_pots",
]
