"""The room of actors: bank, tables, hands, players; the only package that uses pykka."""

from poker_actors.actors.bank import Bank
from poker_actors.actors.hand import LiveHand
from poker_actors.actors.messages import DeckOpened, HandResult, HandState, Refusal, TableNews, Watch
from poker_actors.actors.player import News, Player
from poker_actors.actors.recovery import Recovery
from poker_actors.actors.remote import RemoteHand
from poker_actors.actors.room import Audit, Health, Room
from poker_actors.actors.runtime import Delivery, StepRuntime, ThreadRuntime
from poker_actors.actors.table_calls import Table
from poker_actors.actors.table_state import Seat, TableConfig, TableState, Waiting
from poker_actors.actors.time_bank import TimeBank

__all__ = [
    "Audit",
    "Bank",
    "DeckOpened",
    "Delivery",
    "HandResult",
    "HandState",
    "Health",
    "LiveHand",
    "News",
    "Player",
    "Recovery",
    "Refusal",
    "RemoteHand",
    "Room",
    "Seat",
    "StepRuntime",
    "Table",
    "TableConfig",
    "TableNews",
    "TableState",
    "ThreadRuntime",
    "TimeBank",
    "Waiting",
    "Watch",
]
