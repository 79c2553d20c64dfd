"""Dealer's choice at a table: who may name a game, for how long, and the game named."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import Game
from poker_actors.rules.games import Rotation
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.setting import Setting


def not_to_name() -> TableRefusal:
    """Return the refusal of a player who may not name a game."""
    return TableRefusal("it is not your turn to name a game", code="out_of_turn")


@attrs.frozen
class OpenChoice:
    """A player's right to name the game of the next hands, until `expiry` (seconds since 1970)."""

    user: str
    seat: int
    number: int
    """number of the orbit's first hand"""
    expiry: float
    seconds: float


@attrs.define
class DealersChoice:
    """Let players name the game of each orbit in turn, and keep the named one.

    An orbit has as many hands as the table has seats. The right to name goes round, seat by seat; if nobody does, the
    games go round, too. Nothing is kept: a restart in an orbit asks again.
    """

    rotation: Rotation
    seats: int
    open: OpenChoice | None = None
    _named: tuple[int, Game] | None = None

    @classmethod
    def of(cls, setting: Setting) -> DealersChoice | None:
        """Return the choice of a new table of this setting; None if nobody chooses."""
        games = setting.rules
        return cls(games, setting.seats) if isinstance(games, Rotation) and games.choice else None

    def game_of(self, number: int) -> Game | None:
        """Return the game of hand `number`; None while it has not been named."""
        named = self._named
        return named[1] if named is not None and named[0] == number // self.seats else None

    def name(self, number: int, game: Game) -> None:
        """Play `game` in the orbit of hand `number`."""
        self._named = (number // self.seats, game)
        self.open = None

    def ask(self, number: int, seated: Mapping[int, Member], now: float, seconds: float) -> bool:
        """Ask a `seated` player to name the game of hand `number` in `seconds`; return whether it is named.

        House bots and players sitting out are not asked.
        """
        if self.game_of(number) is not None:
            return True
        seats = sorted(seated)
        seat = seats[number // self.seats % len(seats)]
        member, asked = seated[seat], self.open
        if member.house is not None or member.away is not None:
            self.name(number, self.unasked(number))
            return True
        if asked is None or (asked.user, asked.number) != (member.user.id, number):
            self.open = OpenChoice(member.user.id, seat, number, now + seconds, seconds)
        return False

    def unasked(self, number: int) -> Game:
        """Return the game of hand `number`'s orbit if nobody names one."""
        games = self.rotation.games
        return games[number // self.seats % len(games)]

    def take(self, user_id: str, name: str) -> None:
        """Play the game that a player names; raises `TableRefusal` (`out_of_turn`), `BadSpec`."""
        if self.open is None or self.open.user != user_id:
            raise not_to_name()
        self.name(self.open.number, self.find(name))

    def lapse(self, asked: OpenChoice | None) -> bool:
        """Name the game for the player `asked`, whose time is up; return whether it was still unnamed."""
        late = asked is not None and self.open is asked
        if asked is not None and late:
            self.name(asked.number, self.unasked(asked.number))
        return late

    def find(self, name: str) -> Game:
        """Return the game of this name; raises `BadSpec`."""
        for game in self.rotation.games:
            if game.name == name:
                return game
        names = ", ".join(game.name for game in self.rotation.games)
        raise BadSpec(f"game {name[:40]!r} is none of {names}")
