"""The ledger: every chip is in exactly one account, and every booking balances."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value

__all__ = [
    "MINT",
    "Booking",
    "Ledger",
    "bank_account",
    "credit_account",
    "escrow_account",
    "house_account",
    "stack_account",
]

MINT: Final = "mint"
"""Where chips come from and go to; its balance is minus all the chips there are."""
_CREDIT: Final = "credit/"
_REMEMBERED: Final = 1_000
"""How many booking keys are kept, so that a repeated booking is known for one.

A key is a hand, repeated if at all before its table deals the next one.
"""


def bank_account(player: str) -> str:
    """Name the account of a player's chips outside tables."""
    return f"bank/{player}"


def credit_account(player: str) -> str:
    """Name the account of what a player owes; its balance is minus the debt."""
    return f"{_CREDIT}{player}"


def stack_account(table: str, player: str) -> str:
    """Name the account of a player's stack at a table."""
    return f"stack/{table}/{player}"


def escrow_account(hand_id: str, player: str) -> str:
    """Name the account of the chips a player plays a hand with."""
    return f"escrow/{hand_id}/{player}"


def house_account(what: Literal["forfeit", "mint", "rake"]) -> str:
    """Name an account of the house: what players have given up, where chips come from, what it took out of pots."""
    return what


@value
class Booking:
    """One balanced entry: chips added to each account, negative for taken; the sum is zero.

    A booking with a `key` happens once, however often it is asked for.
    """

    deltas: Mapping[str, int]
    key: str = ""


class Ledger:
    """Double-entry balances, in chips. Nothing but the mint and what players owe may go below zero.

    `book` either happens whole or raises and changes nothing.
    """

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self._keys: OrderedDict[str, None] = OrderedDict()

    @classmethod
    def of(cls, balances: Mapping[str, int], keys: Iterable[str] = ()) -> Ledger:
        """Return the ledger that holds `balances` and knows these booking keys.

        Raises `BadSpec` when they do not balance, or one is below zero that may not be.
        """
        if sum(balances.values()):
            raise BadSpec(f"the balances of {len(balances)} accounts do not come to zero")
        for account, chips in balances.items():
            if type(chips) is not int or (chips < 0 and not _may_owe(account)):
                raise BadSpec(f"{account} holds {chips!r:.40}: chips are whole numbers, 0 or more")
        ledger = cls()
        ledger._apply(balances)
        ledger._keys.update(dict.fromkeys(keys))
        return ledger

    def copy(self) -> Ledger:
        """Return the ledger as it is now."""
        ledger = Ledger()
        ledger._balances = dict(self._balances)
        ledger._keys = self._keys.copy()
        return ledger

    def take_over(self, other: Ledger) -> None:
        """Copy another ledger's state into this one."""
        self._balances = dict(other._balances)
        self._keys = other._keys.copy()

    def forget(self, prefix: str) -> None:
        """Forget booking keys that begin with `prefix`: of bookings that nobody will ask for again."""
        for key in [key for key in self._keys if key.startswith(prefix)]:
            del self._keys[key]

    @property
    def keys(self) -> list[str]:
        """The booking keys that are remembered, the oldest first."""
        return list(self._keys)

    def book(self, booking: Booking) -> bool:
        """Book; returns False for a key that is booked already.

        Raises `BadSpec` when the deltas do not balance, `TableRefusal` (`insufficient_funds`)
        when an account would go below zero.
        """
        changed = self.check(booking)
        if changed is None:
            return False
        self._apply(changed)
        if booking.key:
            self._keys[booking.key] = None
            if len(self._keys) > _REMEMBERED:
                self._keys.popitem(last=False)
        return True

    def check(self, booking: Booking) -> dict[str, int] | None:
        """Return the balances a booking would leave, None for a key that is booked; raises as `book`."""
        if booking.key and booking.key in self._keys:
            return None
        if sum(booking.deltas.values()):
            raise BadSpec(f"booking {dict(booking.deltas)} does not balance")
        balances = self._balances
        changed = {}
        for account, delta in booking.deltas.items():
            changed[account] = after = balances.get(account, 0) + delta
            if after < 0 and delta < 0 and not _may_owe(account):
                text = f"{account} holds {after - delta}, {-delta} are asked for"
                raise TableRefusal(text, code="insufficient_funds")
        return changed

    def _apply(self, changed: Mapping[str, int]) -> None:
        balances = self._balances
        for account, balance in changed.items():
            if balance:
                balances[account] = balance
            else:
                balances.pop(account, None)

    def balance(self, account: str) -> int:
        """Return the chips in an account; 0 for one never used."""
        return self._balances.get(account, 0)

    def balances(self, prefix: str = "") -> dict[str, int]:
        """Return all accounts that hold something and whose name begins with `prefix`."""
        return {name: chips for name, chips in self._balances.items() if name.startswith(prefix)}

    @property
    def minted(self) -> int:
        """All the chips there are, lent ones included."""
        return -sum(chips for name, chips in self._balances.items() if _may_owe(name))


def _may_owe(account: str) -> bool:
    return account == MINT or account.startswith(_CREDIT)
