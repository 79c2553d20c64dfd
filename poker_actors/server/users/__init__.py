"""Users and their passwords: one register for all ways into the room."""

from poker_actors.guard import Passwords
from poker_actors.server.users.names import (
    ENTRANT,
    HOUSE_BOTS,
    HOUSE_NUMBERS,
    house_bots,
    is_of_house,
    look_alikes,
    spec_of_house,
)
from poker_actors.server.users.notes import Notes
from poker_actors.server.users.register import NAME_LENGTH, User, Users

__all__ = [
    "ENTRANT",
    "HOUSE_BOTS",
    "HOUSE_NUMBERS",
    "NAME_LENGTH",
    "Notes",
    "Passwords",
    "User",
    "Users",
    "house_bots",
    "is_of_house",
    "look_alikes",
    "spec_of_house",
]
