"""The other answers: the lobby, results of commands, hands, accounts, the board, tournaments, and pushed messages."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from poker_actors.server.contract import Amount, Card, Count, Id, Plan, Table
from poker_actors.server.contract.bodies import TURN_RULES, Action
from poker_actors.server.contract.tables import Picture, Stakes, Winner
from poker_actors.server.shapes import held


class Listing(TypedDict):
    """A game as the lobby shows it."""

    game: Id
    name: str
    plays: str
    stakes: Stakes
    buy_in: Count
    seats: Count
    players: list[str]
    house: Count
    waiting: Count
    hands: Count


class Offered(TypedDict):
    """A game that a table can play."""

    name: str
    title: str
    seats: Count
    several: bool
    blinds: bool


class Lobby(TypedDict):
    """Games, or a page of them: then `of` is their number, and the next page is `after` this id."""

    games: list[Listing]
    bots: list[str]
    served: list[Offered]
    arena: NotRequired[bool]
    of: NotRequired[Count]
    after: NotRequired[Id | None]


class Acted(TypedDict):
    """The turn that was taken."""

    hand_id: str
    seq: Count


class Planned(TypedDict):
    """The plan for the next turn."""

    plan: Plan | None


class Chosen(TypedDict):
    """The game that was named."""

    game: str


class Sat(TypedDict):
    """The result, by the request."""

    away: NotRequired[bool]
    added: NotRequired[Count]
    shown: NotRequired[bool]
    leaves: NotRequired[bool]
    waits: NotRequired[bool]


class Seated(TypedDict):
    """The names of the bots that sat down."""

    seated: list[str]


class Started(TypedDict):
    """How a hand began for one player."""

    hand_id: str
    type: str
    hand: Count
    game: str
    stakes: list[Count]
    seat: Count
    button: Count
    names: list[str | None]
    starting_stacks: list[Count]
    hole: list[Card]


class Over(Started):
    """How a hand ended."""

    boards: list[list[Card]]
    shown: dict[str, list[Card]]
    stacks: list[Count]
    actions: list[list[Any]]
    payoffs: list[int]


class Heard(TypedDict):
    """The last start and the last end of a hand that the user was told."""

    start: Started | None
    end: Over | None


class PastHand(TypedDict):
    """The public part of a finished hand."""

    hand_id: str
    hands: Count
    time: str
    pot: Count
    board: list[Card]
    boards: list[list[Card]]
    winners: list[Winner]
    players: list[str]


class Hand(PastHand):
    """The same, and whether the user was dealt in."""

    yours: bool


class OwnHand(Hand):
    """A hand of the user's: its table and net chips."""

    game: Table
    table: str
    net: int
    shared: str | None


class OwnHands(TypedDict):
    """The user's hands, newest first, and their net chips."""

    hands: list[OwnHand]
    net: int


class History(TypedDict):
    """A hand's history, among other keys."""

    players: list[str]
    events: list[dict[str, Any]]
    stacks: list[Count]


# -- accounts --------------------------------------------------------------------------------


class Session(TypedDict):
    """A log-in; its id is not secret."""

    id: str
    until: Count
    here: bool


class Account(TypedDict):
    """The user's account."""

    name: str
    player_id: Id
    games: list[Id]
    sessions: list[Session]


class Who(TypedDict):
    """Who is logged in."""

    name: str
    player_id: Id


class Ended(TypedDict):
    """How many log-ins ended."""

    ended: Count


class Day(TypedDict):
    """The results of a day."""

    day: str
    hands: Count
    net: int


class Results(TypedDict):
    """The results of all hands, by day."""

    hands: Count
    net: int
    days: list[Day]


class BoardPlayer(TypedDict):
    """A player of the room and the net result in big blinds per 100 hands, which is known to `margin` (of 95 %)."""

    name: str
    hands: Count
    bb_per_100: float
    margin: Amount


class BoardStart(TypedDict):
    """A player of the room with too few hands for a place."""

    name: str
    hands: Count


class BoardSpan(TypedDict):
    """The players over some days, by the lower end of their intervals; `since` null means all days, `of` counts all."""

    since: str | None
    of: Count
    players: list[BoardPlayer]
    fewer: list[BoardStart]


class RoomBoard(TypedDict):
    """The room's players who want to be listed, over whole days (UTC) up to `as_of`."""

    as_of: str
    least_hands: Count
    week: BoardSpan
    month: BoardSpan
    all: BoardSpan


class Link(TypedDict):
    """A link to a shared hand."""

    token: str
    link: str


# -- tournaments -----------------------------------------------------------------------------


class Announced(TypedDict):
    """A new tournament's id."""

    id: Id


class Summary(TypedDict):
    """A tournament and its terms."""

    id: Id
    name: str
    players: Count
    seats: Count
    minutes: Count
    turn_seconds: Count
    late_levels: Count
    rebuys: Count
    game: str
    state: Literal["open", "playing", "over"]
    entrants: list[str]
    can_enter: bool


class Standing(TypedDict):
    """A player of a tournament; `place` is 0 while the player is in it."""

    name: str
    player_id: Id
    stack: Count
    big_blinds: Amount
    place: Count
    prize: Count
    rebuys: Count
    table: str | None


_In = TypedDict("_In", {"in": bool})


class Tournament(Summary, _In):
    """A tournament: its level, the level's end, the next level, and whether the user is in it."""

    level: Count | None
    plays: str | None
    stakes: Stakes | None
    terms: str | None
    next_terms: str | None
    level_ends: float | None
    now: float
    prizes: list[Count]
    standings: list[Standing]
    table: str | None


class Tournaments(TypedDict):
    """All tournaments."""

    tournaments: list[Summary]


class Refusal(TypedDict):
    """Why a request is refused."""

    code: str
    text: str


# -- what is pushed --------------------------------------------------------------------------


class Bye(TypedDict):
    """The last event of a stream, and why it ends."""

    text: str


class Pushed(Picture):
    """A picture over a socket."""

    type: Literal["table"]


class Done(Acted):
    """The answer to an action: the turn taken."""

    type: Literal["acted"]


class Refused(Refusal):
    """The answer to a refused message, and why."""

    type: Literal["refused"]


class Pong(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


class Ping(TypedDict):
    """Asks for a sign of life."""

    type: Literal["ping"]


@held(*TURN_RULES)
class Doing(Action):
    """A turn taken over a socket."""

    type: Literal["act"]
