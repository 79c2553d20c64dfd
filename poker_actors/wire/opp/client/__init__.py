"""Playing on an OPP server: the article's client and state object, and our own players as guests."""

from poker_actors.wire.opp.client.client import OppClient
from poker_actors.wire.opp.client.guest import Guest, heard_public
from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.client.session import ClientSeat
from poker_actors.wire.opp.client.terminal import TerminalSeat

__all__ = ["ClientSeat", "Guest", "HoldemState", "OppClient", "TerminalSeat", "heard_public"]
