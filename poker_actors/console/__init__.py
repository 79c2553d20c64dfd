"""Games at the terminal, in lines or full screen: the two-player five-card game, and hold'em against bots."""

from poker_actors.console.play import play_plain, run_full_screen
from poker_actors.console.session import DEFAULT_LOG, EventLog, Session
from poker_actors.console.setup import Setup, five_card_setup, holdem_setup
from poker_actors.console.sitting import SeatPicture, TablePicture

__all__ = [
    "DEFAULT_LOG",
    "EventLog",
    "SeatPicture",
    "Session",
    "Setup",
    "TablePicture",
    "five_card_setup",
    "holdem_setup",
    "play_plain",
    "run_full_screen",
]
