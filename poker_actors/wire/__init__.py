"""Protocols: Online Poker Protocol, Annual Computer Poker Competition, HSPE's REST API, Model Context Protocol.

Each is a package: `wire.opp`, `wire.acpc`, `wire.hspe`, `wire.mcp`.
"""

__all__ = ()
