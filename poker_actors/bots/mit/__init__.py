"""Bots of the MIT Pokerbots family, as they are: a folder with commands.json, asked over a socket."""

from poker_actors.bots.mit.bot import MitBot
from poker_actors.bots.mit.clauses import REFUSED, YEARS, Round, read_answer
from poker_actors.bots.mit.folder import (
    COMMANDS,
    Commands,
    constants_of,
    found_program,
    read_commands,
    year_of,
)
from poker_actors.bots.mit.log import game_log

__all__ = [
    "COMMANDS",
    "REFUSED",
    "YEARS",
    "Commands",
    "MitBot",
    "Round",
    "constants_of",
    "found_program",
    "game_log",
    "read_answer",
    "read_commands",
    "year_of",
]
