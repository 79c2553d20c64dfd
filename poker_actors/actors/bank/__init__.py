"""The bank: every chip of the room, in a double-entry ledger."""

from poker_actors.actors.bank.actor import Bank, BankActor

__all__ = ["Bank", "BankActor"]
