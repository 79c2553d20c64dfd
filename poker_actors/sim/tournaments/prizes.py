"""The prize money: the order of eliminations, the prize of each place, and accounts of money in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from poker_actors.sim.tournaments.field import Contestant, Entrant
from poker_actors.sim.tournaments.structure import Structure, shared
from poker_actors.store import Booking, Ledger, house_account

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
        """All money paid in and not yet paid out."""
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


class Ranking:
    """The order in which players are eliminated.

    Players eliminated at the same time, in one hand or one hand-for-hand round, are ranked by their stacks
    at the start of that hand; those with equal stacks share place and prize.
    """

    def __init__(self) -> None:
        self._round: list[tuple[int, str]] = []
        self._groups: list[list[str]] = []
        self._settled = 0

    def out(self, player: str, stack: int) -> None:
        """Add a player eliminated in a hand begun with `stack`; the next `rank` ranks it."""
        self._round.append((stack, player))

    def rank(self) -> Iterator[list[str]]:
        """Rank all players eliminated since the last call; yield those who share a place, the worst place first."""
        out, self._round = sorted(self._round), []
        for _, tied in groupby(out, key=itemgetter(0)):
            group = [name for _, name in tied]
            self._groups.append(group)
            yield group

    def won(self, player: str) -> None:
        """Add the winner."""
        self._groups.append([player])

    def settle(
        self, players: Mapping[str, Contestant], prizes: Sequence[int], pay: Callable[[Contestant], None]
    ) -> None:
        """Place and pay all players ranked since the last call; call it only when nobody can enter any more.

        A further entry would shift all places. Odd units of a shared prize go to those who entered first.
        """
        done = sum(len(group) for group in self._groups[: self._settled])
        for group in self._groups[self._settled :]:
            done += len(group)
            best = len(players) - done + 1
            amounts = [prizes[place - 1] for place in range(best, best + len(group)) if place <= len(prizes)]
            tied = sorted((players[name] for name in group), key=lambda player: player.number)
            for player, prize in zip(tied, shared(amounts, len(group)), strict=True):
                player.place, player.tied, player.prize, player.settled = best, len(group) > 1, prize, True
                pay(player)
        self._settled = len(self._groups)
