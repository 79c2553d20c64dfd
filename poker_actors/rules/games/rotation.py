"""Rotations of games: HORSE, 8-game, any list, and dealer's choice."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.rules.game import Game
from poker_actors.rules.games.registry import GAMES, ROTATIONS, game_named
from poker_actors.rules.stakes import Stakes

__all__ = ["Rotation"]

CHOICE: Final = "dealers-choice"


@attrs.frozen
class Rotation:
    """Several games, played an orbit each: as many hands as seats, so that every seat has the button once.

    With `choice`, the dealer chooses the game of each orbit. Raises `BadSpec` for fewer than two games.
    """

    name: str
    games: tuple[Game, ...]
    choice: bool = False

    def __attrs_post_init__(self) -> None:
        if len(self.games) < 2:
            raise BadSpec(f"the rotation {self.name[:40]!r} has {len(self.games)} games: the least is 2")

    @classmethod
    def named(cls, name: str) -> Rotation | Game:
        """Read `horse`, `8-game`, `dealers-choice`, games with `+` between, or the name of one game.

        Raises `BadSpec`, as `game_named` does.
        """
        word = name.lower()
        if word in ROTATIONS:
            return cls(word, tuple([GAMES[game] for game in ROTATIONS[word]]), choice=word == CHOICE)
        if "+" not in name:
            return game_named(name)
        games = tuple([game_named(part) for part in name.split("+")])
        return cls("+".join(game.name for game in games), games)

    def at(self, number: int, seats: int, seed: int = 0) -> Game:
        """Return the game of hand `number` at a table with `seats` seats; a dealer's choice is drawn from `seed`."""
        orbit = number // seats
        if self.choice:
            drawn = blake2b(b"%d %d" % (seed, orbit), digest_size=8, person=b"dealer's choice")
            orbit = int.from_bytes(drawn.digest(), "little")
        return self.games[orbit % len(self.games)]

    @property
    def max_seats(self) -> int:
        """The smallest number of seats of any of the games."""
        return min(game.max_seats for game in self.games)

    @property
    def board_cards(self) -> int:
        """The number of board cards in all of the games; 0 if any has no board."""
        return min(game.board_cards for game in self.games)

    @property
    def stakes(self) -> Stakes:
        """The default stakes, as blinds; see `Game.stakes_like`."""
        return Stakes(2, 4)

    @property
    def stack(self) -> int:
        """The default starting stack, in chips: a hundred small bets."""
        return 400

    def __str__(self) -> str:
        return self.name
