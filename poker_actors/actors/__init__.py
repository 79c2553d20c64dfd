"""The room of actors: bank, tables, hands, players; the only package that uses pykka."""

from poker_actors.actors.bank import Bank
from poker_actors.actors.command import Command
from poker_actors.actors.hand import HandActor, HandResult
from poker_actors.actors.messages import commands
from poker_actors.actors.own import Actors
from poker_actors.actors.player.actor import PlayerActor
from poker_actors.actors.player.face import Player, RemoteHand
from poker_actors.actors.player.messages import DeckOpened, HandState, News, Refusal, TableNews
from poker_actors.actors.recovery import Audit, Health, Recovery
from poker_actors.actors.room import Room
from poker_actors.actors.runtime import Delivery, LoopRuntime, StepRuntime, ThreadRuntime, on
from poker_actors.actors.table.actor import TableActor
from poker_actors.actors.table.face import LiveHand, Table
from poker_actors.actors.table.facts import TableConfig, TimeBank
from poker_actors.actors.table.messages import Watch
from poker_actors.actors.table.seats import Seat, TableState, Waiting

__all__ = [
    "Actors",
    "Audit",
    "Bank",
    "Command",
    "DeckOpened",
    "Delivery",
    "HandActor",
    "HandResult",
    "HandState",
    "Health",
    "LiveHand",
    "LoopRuntime",
    "News",
    "Player",
    "PlayerActor",
    "Recovery",
    "Refusal",
    "RemoteHand",
    "Room",
    "Seat",
    "StepRuntime",
    "Table",
    "TableActor",
    "TableConfig",
    "TableNews",
    "TableState",
    "ThreadRuntime",
    "TimeBank",
    "Waiting",
    "Watch",
    "commands",
    "on",
]
