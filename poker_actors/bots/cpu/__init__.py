"""The computer of the five-card console game as bots: the one that peeks and the fair one."""

from poker_actors.bots.cpu.bots import CpuFair, CpuSeed, OpenCards, PeekingBot, peeking_bots, show_cards
from poker_actors.bots.cpu.tables import LEVELS, BetRow, Chance, Luck, Standing, Tables

__all__ = [
    "LEVELS",
    "BetRow",
    "Chance",
    "CpuFair",
    "CpuSeed",
    "Luck",
    "OpenCards",
    "PeekingBot",
    "Standing",
    "Tables",
    "peeking_bots",
    "show_cards",
]
