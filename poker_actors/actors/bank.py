"""The bank: every chip of the room, in a double-entry ledger; its messages, its actor, and its typed face.

Keeps: the ledger. Answers: deposit, withdraw, balance, accounts; to tables: move, escrow, settle, void. Asks no
other actor. Every message is a question or one balanced booking, which happens completely or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from typing import Final

from poker_actors.actors.command import Command, Face, GetState, Named, name_of
from poker_actors.actors.runtime import Actor, Address, on
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import message
from poker_actors.rules import whole_chips
from poker_actors.store import (
    Booked,
    Booking,
    Fact,
    Journal,
    Ledger,
    TableAccount,
    bank_account,
    credit_account,
    escrow_account,
    house_account,
    stack_account,
)

__all__ = [
    "Accounts",
    "Balance",
    "Bank",
    "BankActor",
    "Book",
    "CloseTable",
    "Count",
    "Debt",
    "Deposit",
    "Escrow",
    "Forfeit",
    "Lend",
    "Move",
    "PayBack",
    "Send",
    "Settle",
    "Stacks",
    "TopUp",
    "VoidHands",
    "Withdraw",
]


@message
class Deposit(Command[int]):
    """Add `amount` new chips to a player's account; answered with the balance.

    Here and below, `facts` are written to the journal together with the booking.
    """

    player: str
    amount: int
    facts: tuple[Fact, ...] = ()


@message
class Withdraw(Command[int]):
    """Take `amount` chips off a player's account and out of the room; answered with the balance."""

    refusals = ("insufficient_funds",)
    player: str
    amount: int


@message
class Lend(Command[int]):
    """Lend `amount` play-money chips to a player; answered with the debt."""

    player: str
    amount: int


@message
class PayBack(Command[int]):
    """Take `amount` lent chips back from a player's account; answered with the debt left."""

    refusals = ("insufficient_funds",)
    player: str
    amount: int


@message
class Debt(Command[int]):
    """Return a player's debt."""

    player: str


@message
class Accounts(Command[tuple[TableAccount, ...]]):
    """Return what each player has brought to a table with a ledger, taken from it and left there."""

    refusals = ("no_ledger",)
    table: str


@message
class Count(Command[None]):
    """Begin or end a table's ledger, in a room without a journal; with a journal, the table's own records do so."""

    table: str
    on: bool


@message
class Book(Command[None]):
    """Make one balanced booking (account -> chips added) for a program around the tables.

    With a `key` it happens once, however often it is sent.
    """

    deltas: Mapping[str, int]
    key: str = ""
    facts: tuple[Fact, ...] = ()


@message
class Balance(Command[int]):
    """Return a player's chips outside tables; 0 for an unknown player."""

    player: str


@message
class Move(Command[int]):
    """Move chips between bank and stack: `amount` above 0 to the table; answered with the stack."""

    table: str
    player: str
    amount: int
    facts: tuple[Fact, ...] = ()


@message
class TopUp(Command[int]):
    """Mint `amount` chips into a stack, or remove them if it is negative; answered with the stack.

    With a `key` it happens once, however often it is sent. A table passes it on to the bank, with its
    own name as `table`.
    """

    refusals = ("not_at_table", "hand_in_progress", "insufficient_funds")
    player: str
    amount: int
    key: str = ""
    table: str = ""


@message
class Send(Command[int]):
    """Free a seat and send its stack to the table `to`, in one booking; answered with the chips sent.

    A table passes it on to the bank, with its own name as `table`.
    """

    refusals = ("not_at_table", "hand_in_progress")
    player: str
    to: str
    table: str = ""
    facts: tuple[Fact, ...] = ()


@message
class Forfeit(Command[int]):
    """Give chips to the house: `amount` of an account at the bank, or a whole stack at a table.

    The bank answers with the chips left, a table with the chips given up. A table passes it on to the
    bank, with its own name as `table`.
    """

    refusals = ("insufficient_funds", "not_at_table", "hand_in_progress")
    player: str
    amount: int | None = None
    table: str | None = None


@message
class Escrow(Command[None]):
    """Move the stacks a hand is played with (player -> chips) into its escrow."""

    table: str
    hand_id: str
    stacks: dict[str, int]
    facts: tuple[Fact, ...] = ()


@message
class Settle(Command[dict[str, int]]):
    """Book the final stacks of a hand (player -> chips), once; answered with these players' stacks.

    `restack` then brings each of these stacks to that size, against the bank.
    """

    table: str
    hand_id: str
    stacks: dict[str, int]
    restack: int
    facts: tuple[Fact, ...] = ()
    rake: int = 0
    """chips the house has taken out of the pots"""


@message
class VoidHands(Command[dict[str, int]]):
    """Return the escrow of this table's hands to its stacks; answered with all of them."""

    table: str
    facts: tuple[Fact, ...] = ()


@message
class Stacks(Command[dict[str, int]]):
    """All stacks of a table according to the books, player -> chips; escrow is not included."""

    table: str


@message
class CloseTable(Command[None]):
    """Return all chips of a table, its stacks and its hands' escrow, to their owners' accounts."""

    table: str
    facts: tuple[Fact, ...] = ()


_MINT: Final = house_account("mint")


class BankActor(Actor):
    """The only writer of the ledger, through the journal if there is one."""

    def __init__(
        self, address: Address, ledger: Ledger, journal: Journal | None, players: Container[str]
    ) -> None:
        self.ledger = ledger
        self.players = players
        """The players of the room; chips are minted for and lent to nobody else."""
        self.journal = journal
        super().__init__(address)

    @on(Book)
    def book(self, command: Book) -> None:
        self._book(Booking(command.deltas, command.key), command.facts)

    @on(GetState)
    def state(self, _: GetState) -> dict[str, int]:
        """Return the balance of every account."""
        return self.ledger.balances()

    @on(Balance)
    def balance(self, command: Balance) -> int:
        return self.ledger.balance(bank_account(command.player))

    @on(Accounts)
    def accounts(self, command: Accounts) -> tuple[TableAccount, ...]:
        accounts = self.ledger.accounts(command.table)
        if accounts is None:
            raise TableRefusal(f"table {command.table[:80]!r} keeps no ledger", code="no_ledger")
        return accounts

    @on(Count)
    def count(self, command: Count) -> None:
        (self.ledger.count if command.on else self.ledger.uncount)(command.table)

    def _book(self, booking: Booking, facts: tuple[Fact, ...] = ()) -> None:
        """Make a booking. With a journal, which then owns the ledger, it is durable before it enters the ledger."""
        if self.journal is None:
            self.ledger.book(booking)
        elif self.ledger.check(booking) is not None:
            booked = (Booked(booking.deltas, booking.key),) if booking.deltas else ()
            self.journal.append(*booked, *facts)

    @on(Deposit)
    def deposit(self, command: Deposit) -> int:
        self._check_known(command.player)
        whole_chips("deposit", command.amount, least=1)
        return self._add(bank_account(command.player), command.amount, _MINT, facts=command.facts)

    @on(Withdraw)
    def withdraw(self, command: Withdraw) -> int:
        whole_chips("withdrawal", command.amount, least=1)
        return self._add(bank_account(command.player), -command.amount, _MINT)

    @on(Lend)
    def lend(self, command: Lend) -> int:
        return self._lend(command.player, whole_chips("credit", command.amount))

    @on(PayBack)
    def pay_back(self, command: PayBack) -> int:
        return self._lend(command.player, -whole_chips("credit", command.amount))

    @on(Debt)
    def debt(self, command: Debt) -> int:
        return self._lend(command.player, 0)

    def _lend(self, player: str, amount: int) -> int:
        self._check_known(player)
        account = credit_account(player)
        debt = -self.ledger.balance(account)
        if debt + amount < 0:
            text = f"{player} owes {debt}: cannot pay back {-amount}"
            raise TableRefusal(text, code="insufficient_funds")
        if amount:  # 0 only asks for the debt: nothing to book
            self._add(bank_account(player), amount, account)
        return debt + amount

    def _check_known(self, player: str) -> None:
        if player not in self.players:
            raise BadSpec(f"there is no player {player!r:.80} in this room")

    def _add(
        self, account: str, amount: int, source: str, *, key: str = "", facts: tuple[Fact, ...] = ()
    ) -> int:
        """Move `amount` chips, which may be below 0, from `source` to `account`; return the balance there."""
        self._book(Booking({source: -amount, account: amount}, key), facts)
        return self.ledger.balance(account)

    @on(Move)
    def move(self, command: Move) -> int:
        stack, account = stack_account(command.table, command.player), bank_account(command.player)
        return self._add(stack, command.amount, account, facts=command.facts)

    @on(TopUp)
    def top_up(self, command: TopUp) -> int:
        stack = stack_account(command.table, command.player)
        return self._add(stack, command.amount, _MINT, key=command.key)

    @on(Send)
    def send(self, command: Send) -> int:
        stack = stack_account(command.table, command.player)
        chips = self.ledger.balance(stack)
        there = stack_account(command.to, command.player)
        self._book(Booking({stack: -chips, there: chips} if chips else {}), command.facts)
        return chips

    @on(Forfeit)
    def forfeit(self, command: Forfeit) -> int:
        player, table = command.player, command.table
        amount = whole_chips("forfeit", command.amount, least=1)
        account = bank_account(player) if table is None else stack_account(table, player)
        self._book(Booking({account: -amount, house_account("forfeit"): amount}))
        return self.ledger.balance(account)

    @on(Escrow)
    def escrow(self, command: Escrow) -> None:
        # the prefixes are made once: making every name in full would take as long as the booking
        stack, escrow = stack_account(command.table, ""), escrow_account(command.hand_id, "")
        deltas = {}
        for player, chips in command.stacks.items():
            deltas[stack + player] = -chips
            deltas[escrow + player] = chips
        self._book(Booking(deltas), command.facts)

    @on(Settle)
    def settle(self, command: Settle) -> dict[str, int]:
        balance, restack = self.ledger.balance, command.restack
        stacks, escrows = stack_account(command.table, ""), escrow_account(command.hand_id, "")
        deltas: dict[str, int] = {}
        for player, chips in command.stacks.items():
            escrow, stack = escrows + player, stacks + player
            deltas[escrow] = -balance(escrow)
            deltas[stack] = chips
            if restack:
                deltas[stack] = added = restack - balance(stack)
                deltas[bank_account(player)] = chips - added
        if command.rake:
            deltas[house_account("rake")] = command.rake
        self._book(Booking(deltas, key=command.hand_id), command.facts)
        return {player: balance(stacks + player) for player in command.stacks}

    @on(VoidHands)
    def void(self, command: VoidHands) -> dict[str, int]:
        escrow = self.ledger.balances(f"escrow/{command.table}/")
        self._give_back(escrow, partial(stack_account, command.table), command.facts)
        return self.stacks(command.table)

    @on(Stacks)
    def stacks_at(self, command: Stacks) -> dict[str, int]:
        return self.stacks(command.table)

    def stacks(self, table: str) -> dict[str, int]:
        """Return the stacks at a table according to the books, player -> chips."""
        prefix = stack_account(table, "")
        return {name[len(prefix) :]: chips for name, chips in self.ledger.balances(prefix).items()}

    @on(CloseTable)
    def close_table(self, command: CloseTable) -> None:
        self._give_back(self.ledger.at(command.table), bank_account, command.facts)

    def _give_back(self, held: Mapping[str, int], to: Callable[[str], str], facts: tuple[Fact, ...]) -> None:
        """Move chips (account -> chips) to the account that `to` returns for each account's player."""
        deltas: dict[str, int] = {}
        for account, chips in held.items():
            owner = to(account.rsplit("/", 1)[1])
            deltas[account] = -chips
            deltas[owner] = deltas.get(owner, 0) + chips
        self._book(Booking(deltas), facts)


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
        """Return the chips that a player owes."""
        return self.ask(Debt(name_of(player)))

    def balance(self, player: str | Named) -> int:
        """Return a player's chips outside tables; 0 for an unknown player."""
        return self.ask(Balance(name_of(player)))

    def accounts(self, table: str | Named) -> tuple[TableAccount, ...]:
        """Return what each player has brought to a table, taken from it and left there, in order of arrival.

        Raises `TableRefusal` (`no_ledger`) for a table that was not opened with `ledger`.
        """
        return self.ask(Accounts(name_of(table)))
