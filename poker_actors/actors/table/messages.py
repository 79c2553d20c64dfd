"""What callers and a table itself say to a table; what it says of its seats is in `player.messages`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.actors.hand.messages import DealtHand
from poker_actors.cards import Deck
from poker_actors.frozen import message
from poker_actors.rules import Game, Positions, Stakes

if TYPE_CHECKING:
    from poker_actors.actors.runtime import Address

__all__ = [
    "BuyIn",
    "CashOut",
    "Deal",
    "GetLive",
    "GetTimeBank",
    "Leave",
    "RunItOnce",
    "SeatNext",
    "Shut",
    "Sit",
    "SitIn",
    "Unwatch",
    "Wait",
    "Watch",
]


@message
class Sit(Command[int]):
    """Take `seat`, or any free one for None; answered with the seat.

    With `with_stack` the stack is what the books have for the player at this table already.
    """

    refusals = ("seat_taken", "seat_unavailable", "hand_in_progress")
    player: str
    address: Address
    seat: int | None
    with_stack: bool = False


@message
class Wait(Command[int]):
    """Wait for a seat, to buy in for `buy_in` chips then; answered with the place in line, from 1."""

    refusals = ("seat_taken", "insufficient_funds")
    player: str
    address: Address
    buy_in: int


@message
class SeatNext:
    """From a table to itself: a seat is free, give it to the next in line."""


@message
class Leave(Command[None]):
    """Give the seat up; cash out the stack first."""

    refusals = ("not_at_table", "player_has_balance", "hand_in_progress")
    player: str


@message
class BuyIn(Command[int]):
    """Bring chips from the bank to the table; answered with the stack."""

    refusals = ("not_at_table", "insufficient_funds", "hand_in_progress")
    player: str
    amount: int


@message
class CashOut(Command[int]):
    """Bring the whole stack back to the bank; answered with the chips moved."""

    refusals = ("not_at_table", "hand_in_progress")
    player: str


@message
class RunItOnce(Command[None]):
    """Decline running boards more than once while this player is in the hand (`once`), or agree again."""

    refusals = ("not_at_table",)
    player: str
    once: bool


@message
class GetTimeBank(Command[float]):
    """Seconds a player may take beyond the deadlines; 0 where there are no time banks."""

    player: str


@message
class Deal(Command[DealtHand]):
    """Start a hand, from `deck` or a freshly shuffled one; answered as soon as it is dealt.

    `stakes`, `positions` and `game` are those of this one hand; the table's own where they are None.
    `bomb_pot` asks for one.
    """

    refusals = ("not_enough_players", "hand_in_progress")
    deck: Deck | None
    stakes: Stakes | None = None
    positions: Positions | None = None
    bomb_pot: bool = False
    game: Game | None = None


@message
class GetLive(Command[DealtHand | None]):
    """The hand being played, if any."""


@message
class Shut(Command[DealtHand | None]):
    """Stop dealing; answered with the hand still being played, which is stopped if `void`.

    With `keep` as well, it is stopped but not voided: the journal keeps it, to be continued later.
    """

    void: bool
    keep: bool = False


@message
class SitIn(Command[None]):
    """Be dealt in again."""

    refusals = ("not_at_table",)
    player: str


@message
class Watch(Command[None]):
    """Tell `address` what happens at the table, as a spectator may see it."""

    address: Address


@message
class Unwatch(Command[None]):
    """Stop telling `address`."""

    address: Address
