"""The OPP server: a Room's fixed-limit tables for clients old and new."""

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
