"""The typed face of the bank."""

from __future__ import annotations

from poker_actors.actors.bank.messages import Balance, Debt, Deposit, Forfeit, Lend, PayBack, Withdraw
from poker_actors.actors.command import Face, Named, name_of

__all__ = ["Bank"]


class Bank(Face):
    """The bank: takes players or their names, and amounts in chips; a refusal is a `TableRefusal`."""

    def deposit(self, player: str | Named, amount: int) -> int:
        """Add new chips to a player's account; returns the balance."""
        return self.ask(Deposit(name_of(player), amount))

    def withdraw(self, player: str | Named, amount: int) -> int:
        """Take chips out of the room (`insufficient_funds`); returns the balance."""
        return self.ask(Withdraw(name_of(player), amount))

    def forfeit(self, player: str | Named, amount: int) -> int:
        """Give chips of a player's account to the house (`insufficient_funds`); returns the balance.

        They stay in the room, in the account `forfeit`: see `Room.audit`.
        """
        return self.ask(Forfeit(name_of(player), amount))

    def lend(self, player: str | Named, amount: int) -> int:
        """Lend play-money chips; returns the debt. While lent, they count as minted: see `Room.audit`."""
        return self.ask(Lend(name_of(player), amount))

    def pay_back(self, player: str | Named, amount: int) -> int:
        """Take lent chips back from a player's account (`insufficient_funds`); returns the debt left."""
        return self.ask(PayBack(name_of(player), amount))

    def debt(self, player: str | Named) -> int:
        """Return what a player owes."""
        return self.ask(Debt(name_of(player)))

    def balance(self, player: str | Named) -> int:
        """Return a player's chips outside tables; 0 for an unknown player."""
        return self.ask(Balance(name_of(player)))
