"""Bots: functions of a view, found by name, with parameters and their own random streams."""

from poker_actors.bots.awaiting import Priced, limited
from poker_actors.bots.cpu import OpenCards, PeekingBot, peeking_bots, show_cards
from poker_actors.bots.deciding import (
    AllIn,
    Bot,
    OutsideBot,
    decide,
    is_ctrl_c,
    is_quick,
    legal_or_fallback,
    running,
)
from poker_actors.bots.faults import BotFault, FaultLimits, Faults, fallback
from poker_actors.bots.hearing import Ear, HandEnd, HandStart, Hearing, hears
from poker_actors.bots.house import hand_class
from poker_actors.bots.registry import Parameter, Registered, Within, bot, bot_named, bot_names
from poker_actors.bots.spec import BotSpec, function_at
from poker_actors.bots.streams import HandStream, SeedTree, drawn_seed

__all__ = [
    "AllIn",
    "Bot",
    "BotFault",
    "BotSpec",
    "Ear",
    "FaultLimits",
    "Faults",
    "HandEnd",
    "HandStart",
    "HandStream",
    "Hearing",
    "OpenCards",
    "OutsideBot",
    "Parameter",
    "PeekingBot",
    "Priced",
    "Registered",
    "SeedTree",
    "Within",
    "bot",
    "bot_named",
    "bot_names",
    "decide",
    "drawn_seed",
    "fallback",
    "function_at",
    "hand_class",
    "hears",
    "is_ctrl_c",
    "is_quick",
    "legal_or_fallback",
    "limited",
    "peeking_bots",
    "running",
    "show_cards",
]
