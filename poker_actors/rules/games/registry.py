"""Look games up, by name, alias or PHH code, in a user's file or an installed package, and play several in turn: HORSE, 8-game, any list."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.errors import BadSpec, unknown
from poker_actors.loading import guarded, load_file
from poker_actors.rules.game import Game
from poker_actors.rules.games.table import FIVE_CARD_GAMES, TABLE
from poker_actors.rules.stakes import Stakes

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES: Final[dict[str, Game]] = {game.name: game for game in (*TABLE, *FIVE_CARD_GAMES)}
"""Name -> game."""

_EIGHT: Final = (
    *("2-7-triple-draw", "limit-holdem", "limit-omaha8", "razz"),
    *("stud", "stud8", "holdem", "omaha"),
)
ROTATIONS: Final = {
    "horse": ("limit-holdem", "limit-omaha8", "razz", "stud", "stud8"),
    "8-game": _EIGHT,
    "dealers-choice": _EIGHT,
}
"""Name -> rotation."""

GROUP: Final = "poker_actors.games"
"""The group of entry points in which a package registers `name = "module:ROW"`."""

_OTHER_NAMES: Final = {name: game for game in TABLE for name in (*game.aliases, game.code.lower()) if name}


def game_named(name: str) -> Game:
    """Look a game up by name, alias or PHH code, or read it from `FILE.py:NAME` or an entry point.

    Raises `BadSpec` with the nearest name, and for a row that cannot be played or whose name is taken.
    """
    game = GAMES.get(name) or _OTHER_NAMES.get(name.lower())
    if game is not None:
        return game
    path, _, row = name.rpartition(":")
    if path.endswith(".py"):
        return _checked(name, _from_file(path, row))
    from importlib import metadata  # loads all that reads e-mail, which few programs need

    for point in metadata.entry_points(group=GROUP, name=name):
        return _checked(name, _from_package(point))
    if name.lower() in ROTATIONS or "+" in name:
        raise BadSpec(f"{name[:40]!r} is a rotation, but only one game is played here")
    raise BadSpec(unknown("game", name, GAMES))


def games_of_packages() -> tuple[dict[str, Game], list[str]]:
    """Return the games of installed packages by name, and the errors of those that cannot be played."""
    from importlib import metadata

    games: dict[str, Game] = {}
    refused = []
    for name in sorted(metadata.entry_points(group=GROUP).names - GAMES.keys() - _OTHER_NAMES.keys()):
        try:
            games[name] = game_named(name)
        except BadSpec as error:
            refused.append(str(error))
    return games, refused


def _from_file(path: str, row: str) -> object:
    found = vars(load_file(path))
    if row not in found:
        games = [name for name, value in found.items() if isinstance(value, Game)]
        raise BadSpec(f"{path} has no {row!r:.40}; the games in it are {', '.join(games) or 'none'}")
    return found[row]


def _from_package(point: EntryPoint) -> object:
    with guarded(f"game {point.name} of {point.value}"):
        return point.load()


def _checked(name: str, row: object) -> Game:
    if not isinstance(row, Game):
        raise BadSpec(f"{name} is a {type(row).__name__}, not a game")
    if row.name in GAMES or row.name in _OTHER_NAMES:
        raise BadSpec(f"{name}: there is already a game called {row.name!r}")
    return row


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
            raise BadSpec(f"the rotation {self.name[:40]!r} has {len(self.games)} games: the minimum is 2")

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
