"""Where a table's chips come from: the player's own at the bank, or play-money credit."""

from __future__ import annotations

from poker_actors.actors import Bank

__all__ = ["Funding"]

_HAND_BETS = 24
"""Small bets one hand can cost: four bets a street, of one, one, two and two."""


class Funding:
    """Decides what somebody brings to the table; every chip moves by the bank's booking."""

    def __init__(self, bank: Bank, bet: int, buy_in: int, *, credit: bool) -> None:
        self._bank = bank
        self._bet = bet
        self._buy_in = buy_in
        self._credit = credit

    def missing(self, player: str, stack: int, *, house: bool = False) -> int:
        """Give the chips `player` should bring now, after lending what it takes; 0 for none.

        A bot of the house never runs dry: without credit it is lent a buy-in when it has nothing.
        """
        if not self._credit:
            if house and not stack and not self._bank.balance(player):
                self._bank.lend(player, self._buy_in)
            return 0 if stack else min(self._buy_in, self._bank.balance(player))
        need = _HAND_BETS * self._bet
        if stack >= need:
            return 0
        wanted = 2 * need - stack
        balance = self._bank.balance(player)
        if balance < wanted:
            self._bank.lend(player, wanted - balance)
        return wanted

    def offset(self, player: str) -> int:
        """Give what a bankroll is more than the stack; below 0 for somebody who owes.

        Without credit it is 0: a bankroll is the stack, which is all that can be lost at a table.
        """
        return self._bank.balance(player) - self._bank.debt(player) if self._credit else 0

    def settle(self, player: str) -> None:
        """Pay back, as far as the chips go, what somebody who has left the table owes."""
        debt = self._bank.debt(player)
        back = min(debt, self._bank.balance(player))
        if back:
            self._bank.pay_back(player, back)
