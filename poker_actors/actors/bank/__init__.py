"""The bank: every chip of the room, in a double-entry ledger."""

from poker_actors.actors.bank.actor import BankActor
from poker_actors.actors.bank.face import Bank

__all__ = ["Bank", "BankActor"]
