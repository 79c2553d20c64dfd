"""The ledger: every chip is in exactly one account, and every booking balances."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value

MINT: Final = "mint"
"""The account that chips come from; its balance is minus the number of chips in the room."""
_BANK: Final = "bank/"
_CREDIT: Final = "credit/"
_REMEMBERED: Final = 1_000
"""Booking keys kept to recognize repeated bookings.

A key names a hand, and is repeated, if at all, before its table deals the next one.
"""


def bank_account(player: str) -> str:
    """Return the account of a player's chips away from tables."""
    return f"{_BANK}{player}"


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


@value
class TableAccount:
    """What a player has brought to a table from the bank and taken back there, in chips."""

    player: str
    times: int
    """how often chips were brought"""
    bought: int
    cashed: int
    stack: int
    """chips at the table, including those in a running hand"""

    @property
    def net(self) -> int:
        """What the player has won, or lost if negative."""
        return self.cashed + self.stack - self.bought


@value
class Payment:
    """Chips that one player owes another."""

    payer: str
    payee: str
    chips: int


def settlement(nets: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return payments after which nobody owes anybody, given winnings; raises `BadSpec` if these do not add up to zero.

    The largest debtor pays the largest creditor, again and again; of equals, the first by name. Each payment settles
    one of the two, so there are fewer payments than names. In rare cases fewer would do, but finding the fewest takes
    exponential time.
    """
    if sum(nets.values()):
        raise BadSpec(f"the nets of {len(nets)} players add up to {sum(nets.values())}, not zero")
    left = {name: net for name, net in sorted(nets.items()) if net}
    payments = []
    while left:
        payer, payee = min(left, key=lambda name: left[name]), max(left, key=lambda name: left[name])
        chips = min(-left[payer], left[payee])
        payments.append(Payment(payer, payee, chips))
        for name, more in ((payer, chips), (payee, -chips)):
            left[name] += more
            if not left[name]:
                del left[name]
    return tuple(payments)


class Ledger:
    """Double-entry balances in chips. Only the mint and debts may be below zero.

    `book` makes a booking whole, or raises and changes nothing. For a table named to `count`, it also counts what
    players bring from the bank and take back.
    """

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._counts: dict[str, dict[str, tuple[int, int, int]]] = {}
        """table -> player -> how often chips were brought, how many, and how many were taken back"""

    @classmethod
    def of(cls, balances: Mapping[str, int], keys: Iterable[str] = ()) -> Ledger:
        """Return a ledger with `balances` that remembers these booking keys.

        Raises `BadSpec` if they do not balance or an account is illegally below zero.
        """
        if sum(balances.values()):
            raise BadSpec(f"the balances of {len(balances)} accounts do not add up to zero")
        for account, chips in balances.items():
            if type(chips) is not int or (chips < 0 and not _may_owe(account)):
                raise BadSpec(f"{account} holds {chips!r:.40}: chips must be whole numbers, 0 or more")
        ledger = cls()
        ledger._apply(balances)
        ledger._keys.update(dict.fromkeys(keys))
        return ledger

    def copy(self) -> Ledger:
        """Return an independent copy."""
        ledger = Ledger()
        ledger.take_over(self)
        return ledger

    def part(self, bookings: Iterable[Booking]) -> Ledger:
        """Return a ledger of only the accounts of these bookings, to try them on."""
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
        self._counts = {table: dict(counts) for table, counts in other._counts.items()}

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
        if self._counts:
            self._count(booking.deltas)
        if booking.key:
            self._keys[booking.key] = None
            if len(self._keys) > _REMEMBERED:
                self._keys.popitem(last=False)
        return True

    def check(self, booking: Booking) -> dict[str, int] | None:
        """Return the balances a booking would leave, None if its key was booked before; raises like `book`."""
        if booking.key in self._keys:
            return None
        if sum(booking.deltas.values()):
            raise BadSpec(f"booking {dict(booking.deltas)} does not balance")
        balance = self._balances.get
        changed = {account: balance(account, 0) + delta for account, delta in booking.deltas.items()}
        if min(changed.values(), default=0) < 0:
            for account, after in changed.items():
                if after < 0 and not _may_owe(account):
                    delta = booking.deltas[account]
                    text = f"{account} holds {after - delta}, but {-delta} are asked for"
                    raise TableRefusal(text, code="insufficient_funds")
        return changed

    def _apply(self, changed: Mapping[str, int]) -> None:
        balances = self._balances
        for account, balance in changed.items():
            if balance:
                balances[account] = balance
            else:
                balances.pop(account, None)

    # -- what is brought to tables and taken from them ----------------------------------------

    def count(self, table: str, counts: Mapping[str, Sequence[int]] = MappingProxyType({})) -> None:
        """Start to count what players bring to a table and take from it, on top of `counts` (see the method).

        Raises `BadSpec` for impossible counts.
        """
        self._counts[table] = kept = {}
        for player, numbers in counts.items():
            if len(numbers) != 3 or any(type(number) is not int or number < 0 for number in numbers):
                raise BadSpec(
                    f"{player[:40]!r} cannot have brought and taken {numbers!r:.60} at {table[:40]!r}"
                )
            times, bought, cashed = numbers
            kept[player] = (times, bought, cashed)

    def uncount(self, table: str) -> None:
        """Stop counting at a table, and forget its counts."""
        self._counts.pop(table, None)

    def at(self, table: str) -> dict[str, int]:
        """Return the accounts of all chips at a table with their balances: those in a hand, and the stacks."""
        return self.balances(f"escrow/{table}/") | self.balances(stack_account(table, ""))

    def counts(self, table: str) -> dict[str, tuple[int, int, int]]:
        """Return a table's counts by player: how often chips were brought, how many, and how many were taken."""
        return dict(self._counts.get(table, {}))

    def accounts(self, table: str) -> tuple[TableAccount, ...] | None:
        """Return what each player has brought, taken and left at a table, in order of arrival; None without counts."""
        counts = self._counts.get(table)
        if counts is None:
            return None
        standing = dict.fromkeys(counts, 0)
        for account, chips in self.at(table).items():
            player = account.rpartition("/")[2]
            if player in standing:  # others have chips there that did not come from the bank
                standing[player] += chips
        return tuple(
            TableAccount(player, times, bought, cashed, standing[player])
            for player, (times, bought, cashed) in counts.items()
        )

    def _count(self, deltas: Mapping[str, int]) -> None:
        """Count what a booking moves between a player's accounts at the bank and at a table.

        A booking that pays a hand has no account at the bank, except at a table that resets stacks after every hand.
        """
        moved = {}
        for account in deltas:
            kind, _, rest = account.partition("/")
            if kind in ("stack", "escrow"):
                player = rest.rpartition("/")[2]
                chips = deltas.get(bank_account(player), 0)
                if chips:
                    moved[rest.partition("/")[0], player] = chips
        for (table, player), chips in moved.items():
            counts = self._counts.get(table)
            if counts is not None:
                times, bought, cashed = counts.get(player, (0, 0, 0))
                brings = chips < 0
                counts[player] = (times + brings, bought - min(chips, 0), cashed + max(chips, 0))

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
