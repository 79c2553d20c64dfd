"""The prize money: every unit that comes in is in exactly one account until it goes out."""

from __future__ import annotations

from typing import Final

from poker_actors.sim.tournaments.field import Contestant, Entrant
from poker_actors.sim.tournaments.structure import Structure
from poker_actors.store import Booking, Ledger, house_account

__all__ = ["PrizeMoney", "deposit"]

_MINT: Final = house_account("mint")
_PRIZES: Final = "prizes"
_FEES: Final = "fees"


def deposit(structure: Structure, entrant: Entrant) -> int:
    """Return the money an entrant deposits: buy-in, fee, and the most that rebuys and add-on can cost."""
    rebuys = min(entrant.rebuys, structure.rebuys) * structure.rebuy_price
    add_on = structure.add_on_cost if entrant.add_on and structure.add_on_stack else 0
    return structure.entry + rebuys + add_on


class PrizeMoney:
    """Double-entry books of players' deposits, the prize pool and fees; the mint is the world outside.

    Every booking balances, and no account but the mint can go below zero.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._ledger = Ledger()
        self.prize_in = 0
        """money paid into the prize pool in all"""
        self.prize_out = 0
        """money paid from it in all"""
        self.paid_out: dict[str, int] = {}
        """the prize and rest of the deposit paid to each player, in the order paid"""

    @property
    def pool(self) -> int:
        """The money in the prize pool now."""
        return self._ledger.balance(_PRIZES)

    @property
    def fees(self) -> int:
        """The money taken by the house."""
        return self._ledger.balance(_FEES)

    @property
    def held(self) -> int:
        """All money in the books: paid in and not yet paid out."""
        return self._ledger.minted

    def entered(self, entrant: Entrant) -> None:
        """Take a deposit, and book the buy-in and the fee from it."""
        structure = self._structure
        brought = deposit(structure, entrant)
        rest = brought - structure.entry
        self._book(
            {
                _MINT: -brought,
                _FEES: structure.fee,
                _PRIZES: structure.buy_in,
                _deposit_of(entrant.name): rest,
            }
        )
        self.prize_in += structure.buy_in

    def bought(self, name: str, price: int) -> None:
        """Book a rebuy or an add-on from the player's deposit."""
        self._book({_deposit_of(name): -price, _PRIZES: price})
        self.prize_in += price

    def settle(self, player: Contestant) -> None:
        """Pay a player the prize and the rest of the deposit."""
        account = _deposit_of(player.name)
        rest = self._ledger.balance(account)
        self._book({_PRIZES: -player.prize, account: -rest, _MINT: player.prize + rest})
        self.prize_out += player.prize
        self.paid_out[player.name] = player.prize + rest

    @property
    def conserved(self) -> bool:
        """Whether no prize money has appeared or vanished."""
        return self.pool == self.prize_in - self.prize_out and self.held >= self.pool + self.fees

    def _book(self, deltas: dict[str, int]) -> None:
        self._ledger.book(Booking(deltas))


def _deposit_of(name: str) -> str:
    return f"deposit/{name}"
