"""Clients of HSPE servers, ours or the Go original's: blocking and asyncio, and one of our players as a guest."""

from poker_actors.wire.hspe.client import AsyncClient, Client
from poker_actors.wire.hspe.guest import Guest
from poker_actors.wire.hspe.routes import ServerRefusal

__all__ = ["AsyncClient", "Client", "Guest", "ServerRefusal"]
