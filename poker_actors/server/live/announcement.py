"""The terms of an announced tournament."""

from __future__ import annotations

from typing import Annotated, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules import HOLDEM
from poker_actors.rules.games import Rotation
from poker_actors.server.hspe import TournamentGame, game_served
from poker_actors.server.shapes import Limit, When, check_fields, fields_of, held, object_of
from poker_actors.sim.tournaments import Structure, blinds, prizes

MOST_ENTRANTS: Final = 60
"""The most entrants: six full tables, beside the others of this process."""
STACK: Final = 1_500
"""75 big blinds of the first level, as usual for sit-and-gos."""
_BUY_IN: Final = 100
"""Play money, minted for each entrant: a prize reads as a percentage of it."""
_LEVELS: Final = 16
"""Levels with listed blinds; beyond them the blinds double, so that every tournament ends."""
_REBUYS: Final = 10


@held(
    When(
        *("rebuys", tuple(range(1, _REBUYS + 1)), "late_levels"),
        "rebuys {}: they need late_levels, and there are none",
        among=tuple(range(1, _LEVELS + 1)),
    )
)
@attrs.frozen
class Announcement:
    """The terms of a tournament, which begins when `players` have entered.

    Levels last `minutes`, turns `turn_seconds`. During the first `late_levels` people can still enter, and
    a player out of chips can rebuy, `rebuys` times. `seats` is at most what the game has, by default that or 6;
    `name` has printable characters only.
    """

    name: Annotated[str, Limit(most=32)] = ""
    players: Annotated[int, Limit(2, MOST_ENTRANTS)] = 6
    seats: Annotated[int, Limit(2, 10)] = 6
    """seats of a table"""
    minutes: Annotated[int, Limit(1, 60)] = 5
    turn_seconds: Annotated[int, Limit(5, 120)] = 30
    late_levels: Annotated[int, Limit(0, _LEVELS)] = 0
    rebuys: Annotated[int, Limit(0, _REBUYS)] = 0
    """rebuys of each player"""
    game: TournamentGame = HOLDEM.name
    """the game; several games change with each level"""

    def __attrs_post_init__(self) -> None:
        check_fields(self)
        if not self.name.isprintable():
            raise BadSpec("the name of a tournament is at most 32 printable characters")
        if self.seats > self.most_seats:
            raise BadSpec(f"seats {self.seats} is not a whole number of 2 to {self.most_seats}")

    @property
    def most_seats(self) -> int:
        """The most seats of a table of the game; raises `BadSpec` for a game without tournaments."""
        rules = game_served(self.game)
        if isinstance(rules, Rotation) and rules.choice:
            raise BadSpec(f"a tournament of {self.game}: games change by level, and nobody chooses")
        return min(10, rules.max_seats)

    @property
    def structure(self) -> Structure:
        """The structure for the simulator's tournaments."""
        return Structure(
            "sng",
            blinds(10, _LEVELS),
            self.minutes * 60,
            stack=STACK,
            seats=self.seats,
            buy_in=_BUY_IN,
            late_until=self.late_levels,
            rebuys=self.rebuys,
            rebuy_until=self.late_levels if self.rebuys else 0,
            game=self.game,
        )

    @property
    def prizes(self) -> list[int]:
        """The prizes from the first place on, if `players` enter and nobody enters late or again."""
        structure = self.structure
        pool = structure.buy_in * self.players
        return list(prizes(pool, structure.shares_of(self.players), structure.prize_unit))


def read_announced(body: bytes) -> Announcement:
    """Read ``{"name": "Sunday", "players": 6, "seats": 6, "minutes": 5}``, all of it optional; raises `BadSpec`."""
    plain = object_of(body.strip() or b"{}")
    names = fields_of(Announcement).keys()
    if plain is None or not plain.keys() <= names:
        raise BadSpec(f"a tournament is an object with {', '.join(sorted(names))}")
    if "game" in plain and "seats" not in plain:
        plain["seats"] = min(Announcement().seats, game_served(plain["game"]).max_seats)
    return Announcement(**plain)
