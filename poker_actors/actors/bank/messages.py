"""Messages to the bank, from actors and callers; each is one balanced booking or a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.frozen import message
from poker_actors.store import TableAccount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from poker_actors.store import Fact

__all__ = [
    "Accounts",
    "Balance",
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
    """What a player owes."""

    player: str


@message
class Accounts(Command[tuple[TableAccount, ...]]):
    """What everybody has brought to a table that keeps a ledger, taken from it and left there."""

    refusals = ("no_ledger",)
    table: str


@message
class Count(Command[None]):
    """Begin or end the ledger of a table, in a room without a journal; with one, the table's own records do."""

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
    """Chips of a player outside tables; 0 for an unknown player."""

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
    """All stacks of a table by the books, player -> chips; escrow is not included."""

    table: str


@message
class CloseTable(Command[None]):
    """Return all chips of a table, its stacks and its hands' escrow, to their owners' accounts."""

    table: str
    facts: tuple[Fact, ...] = ()
