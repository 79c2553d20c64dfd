"""The bank as callers use it."""

from __future__ import annotations

from poker_actors.actors.bank.messages import Balance, Deposit, Forfeit, Lend, Withdraw
from poker_actors.actors.runtime import Address

__all__ = ["Bank"]


class Bank:
    """The bank as callers use it. Amounts are chips; a refusal is a `TableRefusal`."""

    def __init__(self, address: Address) -> None:
        self.address = address

    def deposit(self, player: str, amount: int) -> int:
        """Bring new chips to a player's account; gives the balance."""
        balance: int = self.address.ask(Deposit(player, amount))
        return balance

    def withdraw(self, player: str, amount: int) -> int:
        """Take chips out of the room (`insufficient_funds`); gives the balance."""
        balance: int = self.address.ask(Withdraw(player, amount))
        return balance

    def forfeit(self, player: str, amount: int) -> int:
        """Give chips of a player's account up to the house (`insufficient_funds`); gives the balance.

        They stay in the room, on the account `forfeit`: see `Room.audit`.
        """
        balance: int = self.address.ask(Forfeit(player, amount))
        return balance

    def lend(self, player: str, amount: int) -> int:
        """Lend play-money chips; gives the debt. They count as chips there are while they are lent."""
        debt: int = self.address.ask(Lend(player, amount))
        return debt

    def pay_back(self, player: str, amount: int) -> int:
        """Take lent chips back from a player's account (`insufficient_funds`); gives the debt left."""
        debt: int = self.address.ask(Lend(player, -amount))
        return debt

    def debt(self, player: str) -> int:
        """Give what a player owes."""
        return self.lend(player, 0)

    def balance(self, player: str) -> int:
        """Give a player's chips outside tables; 0 for somebody unknown."""
        balance: int = self.address.ask(Balance(player))
        return balance
