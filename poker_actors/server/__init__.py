"""The server: HSPE's REST API over a Room, and its clients. Serving and AsyncClient need the extra [server]; Client does not."""

from poker_actors.guard import Backoff, Passwords, TooOften
from poker_actors.server.hspe import GO, PROFILES, README, Lobby, Profile, Rules
from poker_actors.server.notes import Notes
from poker_actors.server.users import User, Users
from poker_actors.wire.hspe import AsyncClient, Client, Guest, ServerRefusal

__all__ = [
    "GO",
    "PROFILES",
    "README",
    "AsyncClient",
    "Backoff",
    "Client",
    "Guest",
    "Lobby",
    "Notes",
    "Passwords",
    "Profile",
    "Rules",
    "ServerRefusal",
    "TooOften",
    "User",
    "Users",
]
