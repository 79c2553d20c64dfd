"""A table: seats, stacks, the button, and one hand after another."""

from poker_actors.actors.table.actor import TableActor
from poker_actors.actors.table.face import Table
from poker_actors.actors.table.facts import TableConfig, config_from
from poker_actors.actors.table.hands import TableHands
from poker_actors.actors.table.recent import plain_fields
from poker_actors.actors.table.seats import OwedBlinds, Seat, Seating, TableState, Waiting
from poker_actors.actors.table.stages import Ended, Idle, TableMemory

__all__ = [
    "Ended",
    "Idle",
    "OwedBlinds",
    "Seat",
    "Seating",
    "Table",
    "TableActor",
    "TableConfig",
    "TableHands",
    "TableMemory",
    "TableState",
    "Waiting",
    "config_from",
    "plain_fields",
]
