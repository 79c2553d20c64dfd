"""What actors and callers say to the bank; every command is one balanced booking or a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.frozen import message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from poker_actors.store import Fact

__all__ = [
    "Balance",
    "Book",
    "CloseTable",
    "Deposit",
    "Escrow",
    "Forfeit",
    "Lend",
    "Move",
    "Settle",
    "Stacks",
    "TopUp",
    "Transfer",
    "VoidHands",
    "Withdraw",
]


@message
class Deposit(Command[int]):
    """Bring `amount` new chips to a player's account; answered with the balance.

    `facts` are journaled in one write with the booking, here and below.
    """

    player: str
    amount: int
    facts: tuple[Fact, ...] = ()


@message
class Withdraw(Command[int]):
    """Take `amount` chips off a player's account and out of the room; answered with the balance."""

    player: str
    amount: int


@message
class Lend(Command[int]):
    """Lend `amount` play-money chips to a player; below 0 pays back. Answered with the debt."""

    player: str
    amount: int


@message
class Book(Command[None]):
    """Make one balanced booking, chips added to each account, as a program around the tables needs it.

    With a `key` it happens once, however often it is asked for.
    """

    deltas: Mapping[str, int]
    key: str = ""
    facts: tuple[Fact, ...] = ()


@message
class Balance(Command[int]):
    """Chips of a player outside tables; 0 for somebody unknown."""

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
    """Mint `amount` chips into a stack, below 0 take them out of the room; answered with the stack.

    With a `key` it happens once, however often it is asked for.
    """

    table: str
    player: str
    amount: int
    key: str = ""


@message
class Transfer(Command[int]):
    """Move a player's whole stack from one table to another; answered with the chips moved."""

    player: str
    table: str
    to: str
    facts: tuple[Fact, ...] = ()


@message
class Forfeit(Command[int]):
    """Give `amount` of a player's chips up to the house; answered with what is left there.

    They come from the account at the bank, or from the stack at `table`.
    """

    player: str
    amount: int
    table: str | None = None


@message
class Escrow(Command[None]):
    """Put the stacks a hand is played with (player -> chips) aside for it."""

    table: str
    hand_id: str
    stacks: dict[str, int]
    facts: tuple[Fact, ...] = ()


@message
class Settle(Command[dict[str, int]]):
    """Book the end of a hand, once: player -> chips. Answered with the stacks of these players.

    `restack` brings each of these players' stacks to that size afterwards, against the bank.
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
    """Give back what is aside for this table's hands; answered with all its stacks."""

    table: str
    facts: tuple[Fact, ...] = ()


@message
class Stacks(Command[dict[str, int]]):
    """All stacks of a table by the books, player -> chips; what is put aside is not among them."""

    table: str


@message
class CloseTable(Command[None]):
    """Bring all chips of a table, stacks and those of its hands, back to their owners' accounts."""

    table: str
    facts: tuple[Fact, ...] = ()
