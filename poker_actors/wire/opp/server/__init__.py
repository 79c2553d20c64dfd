"""The OPP server: a Room's fixed-limit tables for clients old and new."""

from poker_actors.wire.opp.server.table import OppTable, TableOptions
from poker_actors.wire.opp.server.tcp import Accounts, Admission, MemoryAccounts, OppServer, running
from poker_actors.wire.opp.server.visitor import ConnectionLimits

__all__ = [
    "Accounts",
    "Admission",
    "ConnectionLimits",
    "MemoryAccounts",
    "OppServer",
    "OppTable",
    "TableOptions",
    "running",
]
