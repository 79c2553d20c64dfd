"""All games of a server: made, found, joined; and brought back after a restart."""

from __future__ import annotations

import json
import uuid
from functools import partial
from typing import Final

from poker_actors.actors import DeckOpened, HandState, News, Player, Room, TableNews
from poker_actors.errors import BadJournal, TableRefusal
from poker_actors.rules import Stakes
from poker_actors.server.hspe.clock import Clock
from poker_actors.server.hspe.game import Game, Rules
from poker_actors.server.hspe.roster import NOTE, SEATS
from poker_actors.server.users import Notes, User, Users

__all__ = ["Lobby"]

_STAKES: Final = Stakes(10, 20)


class Lobby:
    """Every game there is. All of it runs in the room's thread.

    Refusals are `TableRefusal`: `no_game`, `no_player`, `not_yours`, `too_many`, and those of `Game`.
    """

    def __init__(
        self, room: Room, users: Users, notes: Notes, rules: Rules, clock: Clock, *, most_games: int = 10_000
    ) -> None:
        self.room: Final = room
        self.users: Final = users
        self._notes = notes
        self._rules = rules
        self._clock = clock
        self._most = most_games
        self._listening: set[str] = set()
        self.games: Final[dict[str, Game]] = {}
        self._come_back()

    def _come_back(self) -> None:
        """Bring every game back, its players listening before anything else is delivered."""
        for game_id, text in self._notes.under(NOTE).items():
            table = self.room.tables.get(game_id)
            if table is None:
                self._notes.put(f"{NOTE}{game_id}", None)  # made, and not opened when the process died
                continue
            game = self.games[game_id] = Game(self.room, table, self._notes, self._rules, self._clock)
            game.roster.read({one: self._known(one) for one in _named(game_id, text)})
        for game in self.games.values():
            game.come_back()
            self._tell_again(game)

    def _tell_again(self, game: Game) -> None:
        """See to it that a hand that goes on is heard of: it may have spoken before anybody listened."""
        hand_id = game.table.state().hand_id
        for user_id, member in list(game.roster.members.items()):
            state = member.player.state()
            if state is not None and hand_id is not None and state.hand_id == hand_id:
                game.heard(user_id, state)
            member.player.play_by(None)  # looks at its open turns once more

    def _known(self, user_id: str) -> tuple[User, Player]:
        user = self.users.get(user_id)
        if user is None:
            raise BadJournal(f"user {user_id[:40]!r} plays, and nobody is registered so")
        return user, self._player(user)

    def _player(self, user: User) -> Player:
        """Give the player of the Room that acts for a user, and listen to it."""
        player = self.room.players.get(user.id)
        if player is None:
            player = self.room.player(user.id)
        if user.id not in self._listening:
            self._listening.add(user.id)
            player.listen(partial(self._heard, user.id))
        return player

    def _heard(self, user_id: str, news: News) -> None:
        if isinstance(news, HandState | TableNews | DeckOpened):
            game = self.games.get(news.table)
            if game is not None:
                game.heard(user_id, news)

    # -- commands ----------------------------------------------------------------------------

    def make(self, user: User) -> tuple[Game, bool]:
        """Make a game and have its maker join it; gives the game, and that there was a seat."""
        if len(self.games) >= self._most:
            raise TableRefusal(f"there are {self._most} games: no more are made", code="too_many")
        player = self._player(user)
        game_id = str(uuid.uuid4())
        self._notes.put(f"{NOTE}{game_id}", json.dumps({"members": {}, "queue": []}))
        table = self.room.open_table(game_id, seats=SEATS, stakes=_STAKES)
        game = self.games[game_id] = Game(self.room, table, self._notes, self._rules, self._clock)
        return game, game.join(user, player)

    def game(self, game_id: str) -> Game:
        """Find a game."""
        game = self.games.get(game_id)
        if game is None:
            raise TableRefusal("Game not found.", code="no_game")
        return game

    def join(self, user: User, game_id: str) -> tuple[Game, bool]:
        """Join a game; gives it, and whether there was a seat."""
        game = self.game(game_id)
        return game, game.join(user, self._player(user))

    def own(self, user: User, game_id: str, player_id: str) -> Game:
        """Find a game and check that `player_id` is in it and is this user: nobody acts for others."""
        game = self.game(game_id)
        if player_id not in game.roster.playing and player_id not in game.roster.queue:
            raise TableRefusal("The authenticated player has not joined this game.", code="no_player")
        if player_id != user.id:
            raise TableRefusal("That is another player's id.", code="not_yours")
        return game

    def close(self) -> None:
        """Deal no more."""
        for game in self.games.values():
            game.close()

    def __repr__(self) -> str:
        return f"<Lobby: {len(self.games)} games>"


def _named(game_id: str, text: str) -> list[str]:
    """Give the user ids in a game's note."""
    try:
        plain = json.loads(text)
        return [*plain["members"], *plain["queue"]]
    except (ValueError, KeyError, TypeError):
        raise BadJournal(f"the record of game {game_id[:40]!r} does not read") from None
