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
"""The account that chips come from; its balance is minus the number of chips in the room."""
_CREDIT: Final = "credit/"
_REMEMBERED: Final = 1_000
"""Booking keys kept to recognize repeated bookings.

A key names a hand, and is repeated, if at all, before its table deals the next one.
"""


def bank_account(player: str) -> str:
    """Return the account of a player's chips away from tables."""
    return f"bank/{player}"


def credit_account(player: str) -> str:
    """Return the account of a player's debt; its balance is minus the debt."""
    return f"{_CREDIT}{player}"


def stack_account(table: str, player: str) -> str:
    """Return the account of a player's stack at a table."""
    return f"stack/{table}/{player}"


def escrow_account(hand_id: str, player: str) -> str:
    """Return the account of the chips that a player has in a hand."""
    return f"escrow/{hand_id}/{player}"


def house_account(what: Literal["forfeit", "mint", "rake"]) -> str:
    """Return an account of the house: forfeited chips, the mint, or rake."""
    return what


@value
class Booking:
    """One balanced entry: chips added to each account, negative if taken from it; they sum to zero.

    A booking with a `key` is made once, however often it is requested.
    """

    deltas: Mapping[str, int]
    key: str = ""


class Ledger:
    """Double-entry balances in chips. Only the mint and debts may be below zero.

    `book` makes a booking whole, or raises and changes nothing.
    """

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self._keys: OrderedDict[str, None] = OrderedDict()

    @classmethod
    def of(cls, balances: Mapping[str, int], keys: Iterable[str] = ()) -> Ledger:
        """Return a ledger with `balances` that remembers these booking keys.

        Raises `BadSpec` if they do not balance or one is below zero that may not be.
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
        """Return an independent copy."""
        ledger = Ledger()
        ledger._balances = dict(self._balances)
        ledger._keys = self._keys.copy()
        return ledger

    def part(self, bookings: Iterable[Booking]) -> Ledger:
        """Return a ledger of only what these bookings touch, to try them on."""
        part = Ledger()
        for booking in bookings:
            touched = {account: self._balances.get(account, 0) for account in booking.deltas}
            part._apply(touched)
            if booking.key in self._keys:
                part._keys[booking.key] = None
        return part

    def take_over(self, other: Ledger) -> None:
        """Copy another ledger's state into this one."""
        self._balances = dict(other._balances)
        self._keys = other._keys.copy()

    def forget(self, prefix: str) -> None:
        """Forget booking keys that begin with `prefix`, whose bookings will not be repeated."""
        for key in [key for key in self._keys if key.startswith(prefix)]:
            del self._keys[key]

    @property
    def keys(self) -> list[str]:
        """The booking keys remembered, oldest first."""
        return list(self._keys)

    def book(self, booking: Booking) -> bool:
        """Make a booking; return false if its key was booked before.

        Raises `BadSpec` if the deltas do not balance, and `TableRefusal` (`insufficient_funds`) if an
        account would go below zero.
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
        """Return the balances a booking would leave, None if its key was booked before; raises like `book`."""
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
        """Return the chips in an account; 0 if it was never used."""
        return self._balances.get(account, 0)

    def balances(self, prefix: str = "") -> dict[str, int]:
        """Return the accounts that are not empty and whose names begin with `prefix`."""
        return {name: chips for name, chips in self._balances.items() if name.startswith(prefix)}

    @property
    def minted(self) -> int:
        """All chips in the room, lent ones included."""
        return -sum(chips for name, chips in self._balances.items() if _may_owe(name))


def _may_owe(account: str) -> bool:
    return account == MINT or account.startswith(_CREDIT)
