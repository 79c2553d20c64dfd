"""The Online Poker Protocol of the University of Alberta's server: codec, sessions, client, server."""

from poker_actors.opp.client import Guest, HoldemState, OppClient
from poker_actors.opp.protocol import (
    MESSAGES,
    Connection,
    Message,
    Move,
    Op,
    Phase,
    Side,
    Signal,
    byte_table,
    encode,
    message,
)
from poker_actors.opp.server import (
    Accounts,
    Admission,
    Limits,
    MemoryAccounts,
    OppServer,
    TableOptions,
    running,
)

__all__ = [
    "MESSAGES",
    "Accounts",
    "Admission",
    "Connection",
    "Guest",
    "HoldemState",
    "Limits",
    "MemoryAccounts",
    "Message",
    "Move",
    "Op",
    "OppClient",
    "OppServer",
    "Phase",
    "Side",
    "Signal",
    "TableOptions",
    "byte_table",
    "encode",
    "message",
    "running",
]
