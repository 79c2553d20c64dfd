"""One game's settings: stakes, buy-in, seats, name, maker and pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from poker_actors.errors import BadJournal, BadSpec
from poker_actors.rules import GAMES, HOLDEM, Game, Stakes
from poker_actors.rules.games import Rotation
from poker_actors.server.body import object_of

__all__ = ["SEATS", "SERVED", "Rules", "Setting", "game_served", "read_place", "read_setting"]

SEATS: Final = 10
"""Seats of a game by default, and the most there can be."""
_MOST_CHIPS: Final = 1_000_000_000
"""Ten such stacks and their pots stay below 2**53, the limit of exact integers in the page's JavaScript."""
_NAME_LENGTH: Final = 32
"""Fits a line of the lobby on a phone."""
_MOST_PAUSE: Final = 60.0
"""Between two hands: after a longer pause a table looks dead."""
_MOST_THINKING: Final = 10.0
"""Time a house bot may take for a turn, well below the shortest turn."""
_LEAST_TURN: Final = 10.0
"""A person on a phone needs at least this long."""
_MOST_TURN: Final = 120.0
"""What one absent player may cost the others, each time."""
_MOST_BANK: Final = 600.0
"""The same, for all turns together."""
_MOST_GAMES: Final = 16
"""of a list with `+`"""


@attrs.frozen
class Rules:
    """How games are played. `turn_seconds` is the time for a turn, `pause` the time between two hands."""

    turn_seconds: float = 15.0
    pause: float = 0.0
    waiting: int = 100
    """how many may wait for a seat in one game"""


@attrs.frozen
class Setting:
    """What a game is set to; the defaults are the contract's. Amounts in chips, times in seconds."""

    small_blind: int = 10
    big_blind: int = 20
    buy_in: int = 10_000
    """minted for each player who takes a seat"""
    seats: int = SEATS
    name: str = ""
    maker: str = ""
    """user id"""
    pause: float | None = None
    """between two hands; None: the server's"""
    think: float = 0.6
    """time that a house player takes for a turn"""
    turn_seconds: float | None = None
    """the time for a turn; None: the server's"""
    time_bank: float = 0.0
    """each player's extra time, for all turns together; 0: none"""
    time_bank_refill: float = 0.0
    """how much of it comes back with each hand dealt to the player"""
    private: bool = False
    """in no list: only its link leads to it"""
    game: str = HOLDEM.name
    """what is played, by its name"""

    def __attrs_post_init__(self) -> None:
        self._check_whole("small_blind", 0, _MOST_CHIPS)
        self._check_whole("big_blind", max(1, self.small_blind), _MOST_CHIPS)
        self._check_whole("buy_in", self.big_blind, _MOST_CHIPS)
        self._check_whole("seats", 2, min(SEATS, game_served(self.game).max_seats))
        self._check_seconds("think", 0, _MOST_THINKING)
        self._check_seconds("time_bank", 0, _MOST_BANK)
        self._check_seconds("time_bank_refill", 0, _MOST_BANK)
        if self.pause is not None:
            self._check_seconds("pause", 0, _MOST_PAUSE)
        if self.turn_seconds is not None:
            self._check_seconds("turn_seconds", _LEAST_TURN, _MOST_TURN)
        if type(self.private) is not bool:
            raise BadSpec(f"private {self.private!r:.40} is not true or false")
        if type(self.name) is not str or len(self.name) > _NAME_LENGTH or not self.name.isprintable():
            raise BadSpec(f"the name of a game is at most {_NAME_LENGTH} printable characters")

    def _check_whole(self, key: str, least: int, most: int) -> None:
        number = getattr(self, key)
        if type(number) is not int:
            raise BadSpec(f"{key} {number!r:.40} is not a whole number")
        if not least <= number <= most:
            raise BadSpec(f"{key} {number!r:.40} is not {least} to {most}")

    def _check_seconds(self, key: str, least: float, most: float) -> None:
        seconds = getattr(self, key)
        if type(seconds) not in (int, float) or not least <= seconds <= most:
            raise BadSpec(f"{key} {seconds!r:.40} is not {least:g} to {most:g} seconds")

    @property
    def rules(self) -> Game | Rotation:
        """The game that is played, or the games in turn."""
        return GAMES.get(self.game) or game_served(self.game)

    @property
    def title(self) -> str:
        """The game's title, or the name of the rotation."""
        rules = self.rules
        return rules.title if isinstance(rules, Game) else rules.name

    @property
    def by_contract(self) -> bool:
        """Whether HSPE's contract covers it: only no-limit hold'em."""
        return self.game == HOLDEM.name

    @property
    def stakes(self) -> Stakes:
        """The blinds, as the rules have them; in a game without blinds antes and bets of their size."""
        rules, blinds = self.rules, Stakes(self.small_blind, self.big_blind)
        return rules.stakes_like(blinds) if isinstance(rules, Game) else blinds

    def plain(self) -> dict[str, Any]:
        """Return what differs from the defaults, to be written down."""
        blank = Setting()
        plain = attrs.asdict(self)
        return {key: value for key, value in plain.items() if value != getattr(blank, key)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Setting:
        """Return the setting that was written down; raises `BadJournal`."""
        try:
            return cls(**plain)
        except (TypeError, BadSpec) as error:
            raise BadJournal(f"a game's setting does not read: {error}") from None


SERVED: Final[tuple[Game | Rotation, ...]] = (
    *[game for game in GAMES.values() if not game.capped],
    *[Rotation.named(name) for name in ("horse", "8-game", "dealers-choice")],
)
"""Games of a table, alone or as a list with `+`: all but the console's own games."""


def game_served(name: object) -> Game | Rotation:
    """Return a game or rotation that the server offers: built-in, never from a file. Raises `BadSpec`."""
    for served in SERVED:
        if served.name == name:
            return served
    if not isinstance(name, str) or "+" not in name:
        return _one_served(name)
    parts = name.split("+")
    if len(parts) > _MOST_GAMES:
        raise BadSpec(f"{len(parts)} games in turn: the most is {_MOST_GAMES}")
    return Rotation(name, tuple([_one_served(part) for part in parts]))


def _one_served(name: object) -> Game:
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None:
        raise BadSpec(f"game {name!r:.40} is none of {', '.join(one.name for one in SERVED)}")
    if game.capped:
        raise BadSpec(f"a table of the server cannot be of {game}: it is a game of the console")
    return game


_ASKED: Final = frozenset({one.name for one in attrs.fields(Setting)} - {"maker"})
_KEEPS: Final = "keeps_seat"


def read_setting(body: bytes, maker: str) -> Setting:
    """Read what `POST /games/` asks for, all of it optional; an empty body asks for the contract's game."""
    plain = object_of(body.strip() or b"{}")
    if plain is None:
        raise BadSpec("Couldn't read request: a game's setting is a JSON object")
    plain = {key: value for key, value in plain.items() if key != _KEEPS}
    unknown = sorted(plain.keys() - _ASKED)
    if unknown:
        raise BadSpec(f"a game has no {unknown[0][:40]!r}: it has {', '.join(sorted(_ASKED))}")
    if "game" in plain and "seats" not in plain:
        plain["seats"] = min(SEATS, game_served(plain["game"]).max_seats)
    return Setting(**plain, maker=maker)


def read_place(body: bytes) -> tuple[int | None, bool | None]:
    """Read how somebody wants to sit, ``{"seat": 3, "keeps_seat": true}``: where, and whether for good.

    Who keeps the seat sits out after a missed turn. None is for what is not said: any seat, and as people
    do or programs. Clients of HSPE send whatever they like there: what is no object says nothing. Raises `BadSpec`.
    """
    plain = object_of(body) or {}
    seat, keeps = plain.get("seat"), plain.get(_KEEPS)
    if seat is not None and (type(seat) is not int or not 0 <= seat < SEATS):
        raise BadSpec(f"seat {seat!r:.40} is not 0 to {SEATS - 1}")
    if keeps is not None and type(keeps) is not bool:
        raise BadSpec(f"{_KEEPS} {keeps!r:.40} is not true or false")
    return seat, keeps
