"""Playing on an OPP server: the article's client and state object, and our own players as guests."""

from poker_actors.wire.opp.client.client import OppClient
from poker_actors.wire.opp.client.guest import Guest
from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.client.picture import Picture
from poker_actors.wire.opp.client.replica import Replica
from poker_actors.wire.opp.client.session import ClientSeat
from poker_actors.wire.opp.client.terminal import TerminalSeat

__all__ = ["ClientSeat", "Guest", "HoldemState", "OppClient", "Picture", "Replica", "TerminalSeat"]
