"""Bots of MIT Pokerbots, unchanged: a folder with commands.json, asked over a socket."""

from poker_actors.bots.mit.bot import (
    COMMANDS,
    Commands,
    MitBot,
    constants_of,
    found_program,
    read_commands,
    year_of,
)
from poker_actors.bots.mit.clauses import CHANCES, ROUNDS, YEARS, Round, read_answer
from poker_actors.bots.mit.log import game_log, round_log
from poker_actors.bots.mit.one_pot import Auction, BountyRound, DiscardRound, RunRound, SwapRound
from poker_actors.bots.mit.playing import NAMES, Ended, deal_round, play_round
from poker_actors.bots.mit.rounds import RoundState
from poker_actors.bots.mit.three_boards import ThreeBoards

__all__ = [
    "CHANCES",
    "COMMANDS",
    "NAMES",
    "ROUNDS",
    "YEARS",
    "Auction",
    "BountyRound",
    "Commands",
    "DiscardRound",
    "Ended",
    "MitBot",
    "Round",
    "RoundState",
    "RunRound",
    "SwapRound",
    "ThreeBoards",
    "constants_of",
    "deal_round",
    "found_program",
    "game_log",
    "play_round",
    "read_answer",
    "read_commands",
    "round_log",
    "year_of",
]
