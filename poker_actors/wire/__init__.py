"""How foreigners speak: the Online Poker Protocol, the annual competition's, and clients of HSPE's REST API.

Each dialect is a package beside the others: `wire.opp`, `wire.acpc`, `wire.hspe`.
"""

__all__ = ()
