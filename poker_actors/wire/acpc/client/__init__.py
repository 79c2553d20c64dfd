"""The client: a seat at another dealer, and the bot that plays there."""

from poker_actors.wire.acpc.client.client import AcpcClient, ClientSession, Guest

__all__ = ["AcpcClient", "ClientSession", "Guest"]
