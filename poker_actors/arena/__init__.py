"""Competitions of bots that nobody trusts: entrants in folders, matches that survive a crash, and an honest board."""

from poker_actors.arena.arena import Arena
from poker_actors.arena.board import Board, Competitor, Flag, Pair, board_text
from poker_actors.arena.schedule import Fixture
from poker_actors.arena.settings import ArenaSettings, Limits
from poker_actors.arena.site import write_site
from poker_actors.arena.state import Admission, Score

__all__ = [
    "Admission",
    "Arena",
    "ArenaSettings",
    "Board",
    "Competitor",
    "Fixture",
    "Flag",
    "Limits",
    "Pair",
    "Score",
    "board_text",
    "write_site",
]
