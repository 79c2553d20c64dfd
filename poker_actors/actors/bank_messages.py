"""What actors and callers say to the bank; every command is one balanced booking or a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.frozen import message

if TYPE_CHECKING:
    from poker_actors.store import Fact

__all__ = [
    "Balance",
    "CloseTable",
    "Deposit",
    "Escrow",
    "Lend",
    "Move",
    "Settle",
    "Stacks",
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
class Balance(Command[int]):
    """Chips of a player outside tables; 0 for somebody unknown."""

    player: str


@message
class Move(Command[int]):
    """Move chips between bank and stack: `amount` above 0 to the table; answered with the stack."""

    table: str
    player: str
    amount: int


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
