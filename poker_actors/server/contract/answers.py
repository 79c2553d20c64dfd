"""The other answers: results of commands, hands, accounts, tournaments, the arena, and pushed messages."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from poker_actors.server.contract import Amount, Card, Count, Hex, Id, Plan, Positive, Table
from poker_actors.server.contract.bodies import TURN_RULES, Action
from poker_actors.server.contract.tables import Picture, Stakes, Winner
from poker_actors.server.shapes import held


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
    """The result of a command about the seat; which fields it has depends on the command."""

    away: NotRequired[bool]
    added: NotRequired[Count]
    shown: NotRequired[bool]
    leaves: NotRequired[bool]
    waits: NotRequired[bool]


class Seated(TypedDict):
    """The names of the bots that sat down."""

    seated: list[str]


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
    """The public part of a finished hand, and whether the user was dealt in."""

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
    """A hand's history; it has more keys than these."""

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
    """A player of the room, with the net result in big blinds per 100 hands and its margin (95 %)."""

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
    """The answer to an action: the turn that was taken."""

    type: Literal["acted"]


class Refused(Refusal):
    """The answer to a refused message, and why."""

    type: Literal["refused"]


class Pong(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


class Ping(TypedDict):
    """Asks whether the server is still there."""

    type: Literal["ping"]


@held(*TURN_RULES)
class Doing(Action):
    """A turn taken over a socket."""

    type: Literal["act"]


# -- the arena --------------------------------------------------------------------------------


class Rating(TypedDict):
    """An entrant's result, in the unit of the format: for sit-and-gos, percent of a buy-in."""

    bb_per_100: NotRequired[float]
    percent_of_buy_in: NotRequired[float]


class ArenaRow(Rating):
    """An entrant of the arena, and the range of its places."""

    name: str
    places: list[Positive | None]
    house: bool


class Uploading(TypedDict):
    """The limits of uploads."""

    bytes: Count
    megabytes: Count
    entrants: Count


class Arena(TypedDict):
    """The arena's game, the progress of its run, and its entrants."""

    title: str
    game: str
    running: bool
    done: Count
    of: Count
    problem: str
    entrants: list[ArenaRow]
    upload: Uploading


class BoardRow(Rating):
    """A line of the board."""

    name: str
    version: str
    best_place: Count | None
    worst_place: Count | None
    margin: float | None
    elo: float
    faults: dict[str, Any]
    first_fault: str
    remark: str
    seconds: float


class BoardMatch(Rating):
    """A match on the board."""

    number: Count
    key: str
    players: list[str]
    hands: Count
    digest: str
    net_chips: list[int]
    margin: NotRequired[float | None]
    results: NotRequired[list[float]]


class NotTaken(TypedDict):
    """An entrant that was refused, and why."""

    name: str
    version: str
    reason: str
    code: str


class Void(TypedDict):
    """A match that does not count, and why."""

    players: list[str]
    reason: str


class Controls(TypedDict):
    """How many of the control matches came out even."""

    even: Count
    of: Count


class Flag(TypedDict):
    """Two players, one of whom lost more to the other than luck can explain."""

    loser: str
    winner: str
    lost: float
    unexplained: float
    p: float


class Board(TypedDict):
    """The arena's board."""

    title: str
    luck_removed: bool
    standings: list[BoardRow]
    refused: list[NotTaken]
    void: list[Void]
    matches: list[BoardMatch]
    controls: Controls
    flags: list[Flag]


class NoBoard(TypedDict):
    """The answer before there is a board."""


class Checked(TypedDict):
    """The state of an upload."""

    stage: Literal["checking", "taken", "refused", "failed"]
    version: str
    code: str
    text: str
    seconds: float | None
    output: str


class HandedIn(Checked):
    """The state of an upload, with its entrant."""

    name: str


class Ranked(Rating):
    """An entrant's places on the board."""

    version: Hex
    best_place: Positive | None
    worst_place: Positive | None
    remark: str


class Match(TypedDict):
    """A match of an entrant."""

    match: Hex
    players: list[str]
    hands: Count


class Entrant(TypedDict):
    """An entrant of the user's."""

    name: str
    upload: Checked | None
    standing: Ranked | None
    refused: str | None
    matches: list[Match]


class Entrants(TypedDict):
    """The user's entrants."""

    entrants: list[Entrant]


class SatDown(TypedDict):
    """A new table, and the bots at it."""

    game: Id
    seated: list[str]
