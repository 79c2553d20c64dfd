"""The client: a seat at somebody else's dealer, and a bot of ours that plays on it."""

from poker_actors.wire.acpc.client.client import AcpcClient, ClientSession
from poker_actors.wire.acpc.client.guest import Guest

__all__ = ["AcpcClient", "ClientSession", "Guest"]
