"""Protocols: the Online Poker Protocol, the annual competition's, clients of HSPE's REST API, and the Model Context Protocol.

Each is a package: `wire.opp`, `wire.acpc`, `wire.hspe`, `wire.mcp`.
"""

__all__ = ()
