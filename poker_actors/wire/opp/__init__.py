"""The Online Poker Protocol of the University of Alberta's server: codec, sessions, client, server."""

from poker_actors.wire.opp.captures import Analyser, Finding, Proxy, read_capture
from poker_actors.wire.opp.client import OppClient
from poker_actors.wire.opp.guest import Guest, TerminalSeat
from poker_actors.wire.opp.protocol.connection import Connection, Signal
from poker_actors.wire.opp.protocol.hand import HoldemState
from poker_actors.wire.opp.protocol.messages import (
    MESSAGES,
    ActionCode,
    Message,
    Op,
    Side,
    byte_table,
    encode,
    message,
)
from poker_actors.wire.opp.server.table import TableOptions
from poker_actors.wire.opp.server.tcp import Accounts, Admission, MemoryAccounts, OppServer, running
from poker_actors.wire.opp.server.visitor import ConnectionLimits

__all__ = [
    "MESSAGES",
    "Accounts",
    "ActionCode",
    "Admission",
    "Analyser",
    "Connection",
    "ConnectionLimits",
    "Finding",
    "Guest",
    "HoldemState",
    "MemoryAccounts",
    "Message",
    "Op",
    "OppClient",
    "OppServer",
    "Proxy",
    "Side",
    "Signal",
    "TableOptions",
    "TerminalSeat",
    "byte_table",
    "encode",
    "message",
    "read_capture",
    "running",
]
