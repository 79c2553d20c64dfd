"""The answers of the arena: who plays there, its board, and what becomes of what users hand in."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from poker_actors.server.contract import Count, Hex, Id, Positive


class Rating(TypedDict):
    """An entrant's result, by what it is in: of sit-and-gos the percent of a buy-in."""

    bb_per_100: NotRequired[float]
    percent_of_buy_in: NotRequired[float]


class ArenaRow(Rating):
    """Who plays in the arena, and between which places."""

    name: str
    places: list[Positive | None]
    house: bool


class Uploading(TypedDict):
    """The limits of uploads."""

    bytes: Count
    megabytes: Count
    entrants: Count


class Arena(TypedDict):
    """The arena's game, how far its run is, and who plays."""

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
    """Before there is a board."""


class Checked(TypedDict):
    """What has become of an upload."""

    stage: Literal["checking", "taken", "refused", "failed"]
    version: str
    code: str
    text: str
    seconds: float | None
    output: str


class HandedIn(Checked):
    """The same, and of which entrant."""

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
    """One's own entrant."""

    name: str
    upload: Checked | None
    standing: Ranked | None
    refused: str | None
    matches: list[Match]


class Entrants(TypedDict):
    """One's own entrants."""

    entrants: list[Entrant]


class SatDown(TypedDict):
    """A new table, and the bots at it."""

    game: Id
    seated: list[str]
