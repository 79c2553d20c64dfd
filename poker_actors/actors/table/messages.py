"""Messages to a table; news to players is in `player.messages`."""

from __future__ import annotations

from poker_actors.actors.command import Command
from poker_actors.actors.hand import DealtHand
from poker_actors.actors.runtime import Address, Word
from poker_actors.cards import Deck
from poker_actors.frozen import message
from poker_actors.rules import Game, Positions, Stakes

__all__ = [
    "AwaitPlayers",
    "Awaited",
    "BuyIn",
    "CashOut",
    "Deal",
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
    """From a table to itself: release players who leave after the hand just booked, and seat the next in line."""


@message
class Leave(Command[None]):
    """Give up the seat, once the stack is cashed out, or the place in the waiting list."""

    refusals = ("not_at_table", "player_has_balance", "hand_in_progress")
    player: str


@message
class LeaveAfterHand(Command[bool]):
    """Cash out and give up the seat once the current hand is booked, at once outside a hand; answered with whether it is done.

    With `leave` false, stay after all.
    """

    refusals = ("not_at_table",)
    player: str
    leave: bool = True


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
    """Return the seconds a player may take beyond the deadlines; 0 without time banks."""

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
    """The answer to a `run` that waits for players: `word` is true once a hand can be dealt, false to stop."""

    word: Word
    stops: int
    """pass it with the next `AwaitPlayers`"""


@message
class AwaitPlayers(Command[Awaited]):
    """Answer once two players can be dealt in between hands, or once `StopRun` has come more than `stops` times."""

    stops: int | None


@message
class StopRun(Command[None]):
    """Stop calls of `run` that wait for players: at once, or after the current hand."""


@message
class GetLive(Command[DealtHand | None]):
    """Return the hand being played, if any."""


@message
class Shut(Command[DealtHand | None]):
    """Stop dealing; answered with the hand still being played, which is stopped if `void`.

    With `keep` as well, it is stopped but not voided: it stays in the journal, to be continued later.
    """

    void: bool
    keep: bool = False


@message
class SitIn(Command[None]):
    """Be dealt in again; missed blinds are posted or, with `wait`, replaced by the next big blind."""

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
