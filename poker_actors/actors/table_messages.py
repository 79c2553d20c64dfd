"""What callers say to a table about waiting for a seat, and about stacks that come and go unusually."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.frozen import message

if TYPE_CHECKING:
    from poker_actors.actors.runtime import Address

__all__ = ["Abandon", "GetTimeBank", "RunOnce", "SeatNext", "Send", "TopUpStack", "Wait"]


@message
class Wait(Command[int]):
    """Wait for a seat, to buy in for `buy_in` chips then; answered with the place in line, from 1."""

    player: str
    address: Address
    buy_in: int


@message
class SeatNext:
    """From a table to itself: a seat is free, give it to who waits."""


@message
class TopUpStack(Command[int]):
    """Mint `amount` chips into a stack, below 0 take them out of the room; answered with the stack."""

    player: str
    amount: int
    key: str


@message
class Send(Command[int]):
    """Free a seat and send its stack to the table `to`; answered with the chips sent."""

    player: str
    to: str


@message
class Abandon(Command[int]):
    """Give a whole stack up to the house; answered with the chips."""

    player: str


@message
class RunOnce(Command[None]):
    """Have no board run more than once while this player is in the hand (`once`), or agree again."""

    player: str
    once: bool


@message
class GetTimeBank(Command[float]):
    """Seconds a player may take beyond the deadlines; 0 where there are no time banks."""

    player: str
