"""The prize money: every coin that comes in is in exactly one account until it goes out."""

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
    """Return what an entrant brings: buy-in, fee, and what the rebuys and the add-on may cost."""
    rebuys = min(entrant.rebuys, structure.rebuys) * structure.rebuy_price
    add_on = structure.add_on_cost if entrant.add_on and structure.add_on_stack else 0
    return structure.entry + rebuys + add_on


class PrizeMoney:
    """Double-entry books: deposits of players, the prize pool, fees; the mint is the world outside.

    Every booking balances, and no account but the mint can go below zero.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._ledger = Ledger()
        self.prize_in = 0
        """all that went into the prize pool"""
        self.prize_out = 0
        """all that was paid from it"""
        self.paid_out: dict[str, int] = {}
        """what each player got back, prize and deposit, in the order paid"""

    @property
    def pool(self) -> int:
        """What is in the prize pool now."""
        return self._ledger.balance(_PRIZES)

    @property
    def fees(self) -> int:
        """What the house has taken."""
        return self._ledger.balance(_FEES)

    @property
    def held(self) -> int:
        """Everything that is in the books; what came in and has not gone out."""
        return self._ledger.minted

    def entered(self, entrant: Entrant) -> None:
        """Take a deposit, and of it the buy-in and the fee."""
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
        """Take a rebuy or an add-on from what the player brought."""
        self._book({_deposit_of(name): -price, _PRIZES: price})
        self.prize_in += price

    def settle(self, player: Contestant) -> None:
        """Pay a player the prize and what is left of the deposit."""
        account = _deposit_of(player.name)
        rest = self._ledger.balance(account)
        self._book({_PRIZES: -player.prize, account: -rest, _MINT: player.prize + rest})
        self.prize_out += player.prize
        self.paid_out[player.name] = player.prize + rest

    @property
    def conserved(self) -> bool:
        """Whether what came in is what went out and what is there."""
        return self.pool == self.prize_in - self.prize_out and self.held >= self.pool + self.fees

    def _book(self, deltas: dict[str, int]) -> None:
        self._ledger.book(Booking(deltas))


def _deposit_of(name: str) -> str:
    return f"deposit/{name}"
