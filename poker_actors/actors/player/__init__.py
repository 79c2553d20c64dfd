"""A player: its name, who decides for it, and what it has heard."""

from poker_actors.actors.player.actor import PlayerActor, PlayerMemory
from poker_actors.actors.player.face import Player, RemoteHand
from poker_actors.actors.player.messages import (
    Act,
    Change,
    DeckOpened,
    HandState,
    News,
    Refusal,
    TableNews,
    Turn,
)

__all__ = [
    "Act",
    "Change",
    "DeckOpened",
    "HandState",
    "News",
    "Player",
    "PlayerActor",
    "PlayerMemory",
    "Refusal",
    "RemoteHand",
    "TableNews",
    "Turn",
]
