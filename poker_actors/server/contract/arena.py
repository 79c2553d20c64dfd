"""The answers of the arena: its entrants, its board, and the state of uploads."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from poker_actors.server.contract import Count, Hex, Id, Positive


class Rating(TypedDict):
    """An entrant's result, in its own unit: for sit-and-gos percent of a buy-in."""

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
    """Two players, one of whom lost more to the other than luck explains."""

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
    """The same, with its entrant."""

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
