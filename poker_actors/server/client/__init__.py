"""Clients of HSPE servers, ours or the Go original's: plain calls, and a player of ours as a guest."""

from poker_actors.server.client.client import Client, ServerRefusal
from poker_actors.server.client.guest import Guest

__all__ = ["Client", "Guest", "ServerRefusal"]
