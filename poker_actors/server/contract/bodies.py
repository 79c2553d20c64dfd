"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired, TypedDict

from poker_actors.server.contract import (
    ActName,
    Bot,
    Card,
    Chips,
    Emote,
    HandId,
    Plan,
    Rows,
    Secret,
    Turn,
    Wide,
)
from poker_actors.server.shapes import Given, Limit, When, held

# -- what is taken ---------------------------------------------------------------------------

FOLD: Final = 0
BET: Final = 1
SIZED: Final = ("bet", "raise_to")
"""Actions with an amount."""
_ONE_TURN: Final = Given((("hand_id", "seq"), ()), "hand_id and seq come together: they name one turn")
TURN_RULES: Final = (
    When("act", SIZED, "amount", "amount is missing: {} needs a whole number of chips"),
    When("act", ("lay",), "rows", "rows are missing: lay needs three lists of cards, top, middle and bottom"),
    _ONE_TURN,
)


@held(When("action", (BET,), "betAmount", "betAmount is missing"), _ONE_TURN)
class Act(TypedDict):
    """HSPE's act: 0 folds, 1 puts `betAmount` in. With `hand_id` and `seq` it is for that turn only."""

    action: Wide
    betAmount: NotRequired[Wide]
    hand_id: NotRequired[HandId | None]
    seq: NotRequired[Turn | None]


@held(*TURN_RULES)
class Action(TypedDict):
    """A turn taken by the action's name; `amount` is the total of a bet or raise."""

    act: ActName
    amount: NotRequired[Chips | None]
    cards: NotRequired[Annotated[list[Card], Limit(0, 7)] | None]
    rows: NotRequired[Rows | None]
    hand_id: NotRequired[HandId | None]
    seq: NotRequired[Turn | None]


class Place(TypedDict):
    """Where a user wants to sit, and whether to keep the seat."""

    seat: NotRequired[Annotated[int, Limit(0, 9)] | None]
    keeps_seat: NotRequired[bool | None]


class Sitting(TypedDict):
    """A command about the user's seat.

    `sit_out`: keep it and be dealt no more hands; `sit_in`: come back, and post the blinds that are owed;
    `wait_for_big_blind`: come back with the next big blind. `top_up`: between hands, buy up to the buy-in.
    `show`: turn up the cards of the hand that is over. `leave_after_hand`: give the seat up after this hand;
    `stay`: no longer.
    """

    do: Literal["leave_after_hand", "show", "sit_in", "sit_out", "stay", "top_up", "wait_for_big_blind"]


class Planning(TypedDict):
    """The next turn of a hand, planned in advance; null withdraws the plan."""

    plan: Plan | None
    hand_id: NotRequired[HandId | None]


class Choice(TypedDict):
    """The game of the next hands, by its name."""

    game: str


@held(Given((("text",), ("emote",)), "a line must have either a text or an emote"))
class Saying(TypedDict):
    """A line to say at a table: a text or an emote."""

    text: NotRequired[Annotated[str, Limit(most=200, pattern=r"^$|\S")] | None]
    emote: NotRequired[Emote | None]


class Which(TypedDict):
    """A hand of a table."""

    game: str
    hand_id: str


class Proof(TypedDict):
    """The password, once more."""

    password: Secret


class OnBoard(TypedDict):
    """Whether the user is listed on the board of the room's players."""

    listed: bool


class HookWanted(TypedDict):
    """An address to call when it is the user's turn at a slow table."""

    webhook: Annotated[Secret, Limit(1, 500)]


class NewPassword(TypedDict):
    """A new password, with the old one."""

    old: Secret
    new: Annotated[Secret, Limit(1, 128)]


class Login(TypedDict):
    """A name and its password."""

    name: str
    password: Secret


class Alike(TypedDict):
    """A number of bots of one kind."""

    bot: NotRequired[Bot]
    count: NotRequired[Annotated[int, Limit(1, 9)]]


class Mixed(TypedDict):
    """Bots by name, one per seat."""

    bots: Annotated[list[Bot], Limit(1, 9)]
