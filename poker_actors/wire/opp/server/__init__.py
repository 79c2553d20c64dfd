"""Our OPP server: a Room's fixed-limit tables for clients of 2003 and today."""

from poker_actors.wire.opp.server.table import OppTable, TableOptions
from poker_actors.wire.opp.server.tcp import OppServer, running
from poker_actors.wire.opp.server.visitor import ConnectionLimits

__all__ = [
    "ConnectionLimits",
    "OppServer",
    "OppTable",
    "TableOptions",
    "running",
]
