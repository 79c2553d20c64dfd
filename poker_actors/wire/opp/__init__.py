"""The Online Poker Protocol of the University of Alberta's server: codec, sessions, client, server."""

from poker_actors.wire.opp.accounts import Accounts, Admission, MemoryAccounts
from poker_actors.wire.opp.captures import Analyser, Finding, Proxy, read_capture
from poker_actors.wire.opp.client import Guest, HoldemState, OppClient, TerminalSeat
from poker_actors.wire.opp.protocol import (
    MESSAGES,
    Connection,
    Message,
    Move,
    Op,
    Side,
    Signal,
    byte_table,
    encode,
    message,
)
from poker_actors.wire.opp.server import (
    Limits,
    OppServer,
    TableOptions,
    running,
)

__all__ = [
    "MESSAGES",
    "Accounts",
    "Admission",
    "Analyser",
    "Connection",
    "Finding",
    "Guest",
    "HoldemState",
    "Limits",
    "MemoryAccounts",
    "Message",
    "Move",
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
