"""The client: a seat at another dealer, and our bot that plays on it."""

from poker_actors.wire.acpc.client.client import AcpcClient, ClientSession
from poker_actors.wire.acpc.client.guest import Guest

__all__ = ["AcpcClient", "ClientSession", "Guest"]
