"""Messages to a table, from callers and from itself; its news to players are in `player.messages`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.actors.command import Command
from poker_actors.actors.hand.messages import DealtHand
from poker_actors.cards import Deck
from poker_actors.frozen import message
from poker_actors.rules import Game, Positions, Stakes

if TYPE_CHECKING:
    from poker_actors.actors.runtime import Address, Word

__all__ = [
    "AwaitPlayers",
    "Awaited",
    "BuyIn",
    "CashOut",
    "Deal",
    "FreeSeats",
    "GetLive",
    "GetTimeBank",
    "Leave",
    "LeaveAfterHand",
    "RunItOnce",
    "SeatNext",
    "ShowCards",
    "Shut",
    "Sit",
    "SitIn",
    "StopRun",
    "Unwatch",
    "Wait",
    "Watch",
]


@message
class Sit(Command[int]):
    """Take `seat`, or any free one for None; answered with the seat.

    With `with_stack`, the stack is what the books already have for the player at this table.
    """

    refusals = ("seat_taken", "seat_unavailable", "hand_in_progress")
    player: str
    address: Address
    seat: int | None
    with_stack: bool = False


@message
class Wait(Command[int]):
    """Wait for a seat and buy in for `buy_in` chips then; answered with the place in line, from 1."""

    refusals = ("seat_taken", "insufficient_funds")
    player: str
    address: Address
    buy_in: int


@message
class SeatNext:
    """From a table to itself: give a free seat to the next in line."""


@message
class Leave(Command[None]):
    """Give up the seat, once the stack is cashed out, or the place in the waiting list."""

    refusals = ("not_at_table", "player_has_balance", "hand_in_progress")
    player: str


@message
class LeaveAfterHand(Command[bool]):
    """Cash out and give up the seat once the current hand is booked, at once outside a hand; answered with whether it is done.

    Without `leave`, stay.
    """

    refusals = ("not_at_table",)
    player: str
    leave: bool = True


@message
class FreeSeats:
    """From a table to itself: the hand is booked, and players who leave after it go."""


@message
class BuyIn(Command[int]):
    """Move chips from the bank to the stack; answered with the stack."""

    refusals = ("not_at_table", "insufficient_funds", "hand_in_progress")
    player: str
    amount: int


@message
class CashOut(Command[int]):
    """Move the whole stack to the bank; answered with the chips moved."""

    refusals = ("not_at_table", "hand_in_progress")
    player: str


@message
class RunItOnce(Command[None]):
    """Decline running boards more than once while this player is in the hand (`once`), or agree again."""

    refusals = ("not_at_table",)
    player: str
    once: bool


@message
class ShowCards(Command[None]):
    """Turn up the player's cards of the hand that is over, of `hand_id` only if given, until the next hand is dealt."""

    refusals = ("not_at_table", "hand_in_progress")
    player: str
    hand_id: str | None = None


@message
class GetTimeBank(Command[float]):
    """Seconds a player may take beyond the deadlines; 0 without time banks."""

    player: str


@message
class Deal(Command[DealtHand]):
    """Start a hand, from `deck` or a freshly shuffled one; answered once it is dealt.

    `stakes`, `positions` and `game` are for this hand only; None for the table's. `bomb_pot` asks for one.
    """

    refusals = ("not_enough_players", "hand_in_progress")
    deck: Deck | None
    stakes: Stakes | None = None
    positions: Positions | None = None
    bomb_pot: bool = False
    game: Game | None = None


@message
class Awaited:
    """What a dealer who waits for players is answered with: `word` is true once a hand can be dealt, false to stop."""

    word: Word
    stops: int
    """to be asked with the next time"""


@message
class AwaitPlayers(Command[Awaited]):
    """Promise that two players can be dealt in and no hand is played, or that `StopRun` came after `stops` of them."""

    stops: int | None


@message
class StopRun(Command[None]):
    """Have dealers that wait for players stop: at once, or after the current hand."""


@message
class GetLive(Command[DealtHand | None]):
    """The hand being played, if any."""


@message
class Shut(Command[DealtHand | None]):
    """Stop dealing; answered with the hand still being played, which is stopped if `void`.

    With `keep` as well, it is stopped but not voided: it stays in the journal, to be continued later.
    """

    void: bool
    keep: bool = False


@message
class SitIn(Command[None]):
    """Be dealt in again; where missed blinds are owed, by posting them or, to `wait`, with the next big blind."""

    refusals = ("not_at_table",)
    player: str
    wait: bool = False


@message
class Watch(Command[None]):
    """Tell `address` what a spectator of the table may see."""

    address: Address


@message
class Unwatch(Command[None]):
    """Stop telling `address`."""

    address: Address
