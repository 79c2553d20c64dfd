"""The Online Poker Protocol of the University of Alberta's server: codec, sessions, client, server."""

from poker_actors.wire.opp.accounts import Accounts, Admission, MemoryAccounts
from poker_actors.wire.opp.captures import Analyser, Finding, Proxy, read_capture
from poker_actors.wire.opp.client import Guest, HoldemState, OppClient, TerminalSeat
from poker_actors.wire.opp.protocol import (
    MESSAGES,
    ActionCode,
    Connection,
    Message,
    Op,
    Side,
    Signal,
    byte_table,
    encode,
    message,
)
from poker_actors.wire.opp.server import (
    ConnectionLimits,
    OppServer,
    TableOptions,
    running,
)

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
