"""Games that are played in turn: HORSE, 8-game, any list, and dealer's choice."""

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
    """Several games, an orbit of each: as many hands as there are seats, so that all have had the button.

    With `choice` the dealer names the game of an orbit. Raises `BadSpec` for fewer than two games.
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
        """Return the game of hand `number` at a table of so many seats; a dealer's choice is drawn from `seed`."""
        orbit = number // seats
        if self.choice:
            drawn = blake2b(b"%d %d" % (seed, orbit), digest_size=8, person=b"dealer's choice")
            orbit = int.from_bytes(drawn.digest(), "little")
        return self.games[orbit % len(self.games)]

    @property
    def max_seats(self) -> int:
        """The seats of the game with the fewest."""
        return min(game.max_seats for game in self.games)

    @property
    def board_cards(self) -> int:
        """How many cards a board has in every one of the games; 0 where one has none."""
        return min(game.board_cards for game in self.games)

    @property
    def stakes(self) -> Stakes:
        """The stakes by default, in blinds; see `Game.stakes_like`."""
        return Stakes(2, 4)

    @property
    def stack(self) -> int:
        """The starting stack by default, in chips: a hundred small bets."""
        return 400

    def __str__(self) -> str:
        return self.name
