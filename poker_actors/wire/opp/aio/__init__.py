"""Playing on an OPP server inside a running event loop."""

from poker_actors.wire.opp.aio.client import OppClient

__all__ = ["OppClient"]
