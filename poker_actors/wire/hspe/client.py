"""A client of an HSPE server: one call a route, over one connection, in either dialect."""

from __future__ import annotations

import http.client
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from poker_actors.wire.hspe.calls import MOST_BYTES, Call, Calls, ServerRefusal

__all__ = ["Client"]

T = TypeVar("T")


class Client:
    """Plays for one user of the server at `url`, such as ``http://127.0.0.1:8080``; for one thread.

    Each call is one request. Raises `ServerRefusal` for an answer that is an error, `OSError` (of
    which `ConnectionError` and `TimeoutError` are kinds) when there is none within `timeout` seconds.
    The methods from `lobby` on need a server of ours.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        calls = self._calls = Calls(url, user, password)
        kind = http.client.HTTPSConnection if calls.secure else http.client.HTTPConnection
        self._connection = kind(calls.host, calls.port, timeout=timeout)

    @property
    def user(self) -> str:
        """The user's name."""
        return self._calls.user

    @property
    def player_id(self) -> str:
        """The user's id, once registered or joined."""
        return self._calls.player_id

    @player_id.setter
    def player_id(self, player_id: str) -> None:
        self._calls.player_id = player_id

    def register(self) -> str:
        """Register the user; gives its id."""
        return self._ask(self._calls.register())

    def games(self) -> list[dict[str, Any]]:
        """Give all games."""
        return self._ask(self._calls.games())

    def game(self, game_id: str) -> dict[str, Any]:
        """Give one game, with the own hole cards."""
        return self._ask(self._calls.game(game_id))

    def make(self, **setting: Any) -> dict[str, Any]:
        """Make a game, and join it; a server of ours takes a `setting`: `small_blind`, `big_blind`, `seats`, ..."""
        return self._ask(self._calls.make(setting or None))

    def join(self, game_id: str) -> str | None:
        """Join a game; gives the player's id where the server says it, and None from a Go server."""
        return self._ask(self._calls.join(game_id))

    def fold(self, game_id: str) -> None:
        """Take the turn and fold."""
        self._ask(self._calls.put(game_id, None))

    def bet(self, game_id: str, amount: int) -> None:
        """Take the turn and put `amount` chips in now; 0 checks. An invalid bet folds."""
        self._ask(self._calls.put(game_id, amount))

    def leave(self, game_id: str) -> None:
        """Leave a game, and forfeit what is left."""
        self._ask(self._calls.leave(game_id))

    def lobby(self) -> dict[str, Any]:
        """Give all games as a lobby shows them, and the bots a house seat may have."""
        return self._ask(self._calls.lobby())

    def table(self, game_id: str) -> dict[str, Any]:
        """Give the picture of a game: seats, cards, pots, and what is legal for this user."""
        return self._ask(self._calls.table(game_id))

    def act(
        self, game_id: str, act: str, amount: int | None = None, *, key: tuple[str, int] | None = None
    ) -> tuple[str, int]:
        """Take the turn by `fold`, `check`, `call`, `bet`, `raise_to` or `all_in`; gives its `hand_id` and `seq`.

        With these two as `key` it is for that turn alone, and may be sent again when an answer was lost.
        """
        return self._ask(self._calls.act(game_id, act, amount, key))

    def seat_house(self, game_id: str, *bots: str) -> list[str]:
        """Fill free seats with players of the house, such as `"tight", "loose"`; gives their names."""
        return self._ask(self._calls.seat_house(game_id, bots))

    def send_house_away(self, game_id: str) -> None:
        """Have the players of the house leave, after the hand."""
        self._ask(self._calls.send_house_away(game_id))

    def hands(self, game_id: str) -> list[dict[str, Any]]:
        """Give what everybody may know of the hands played last, the newest first."""
        return self._ask(self._calls.hands(game_id))

    def hand(self, game_id: str, hand_id: str) -> dict[str, Any]:
        """Give the history of a hand the user was dealt into, as a line of `poker_actors.history`'s JSON."""
        return self._ask(self._calls.hand(game_id, hand_id))

    def plan(self, game_id: str, plan: str | None, *, hand_id: str | None = None) -> None:
        """Decide the next turn before it comes: `check_fold` or `call_any`, and None to take it back; with `hand_id` for that hand alone."""
        self._ask(self._calls.plan(game_id, plan, hand_id))

    def planned(self, game_id: str) -> str | None:
        """Give what is decided for the next turn."""
        return self._ask(self._calls.planned(game_id))

    def tournaments(self) -> list[dict[str, Any]]:
        """Give all tournaments, those one can enter first."""
        return self._ask(self._calls.tournaments())

    def tournament(self, tournament_id: str) -> dict[str, Any]:
        """Give how a tournament stands, and at which `table` the user plays, as a game is played."""
        return self._ask(self._calls.tournament(tournament_id))

    def make_tournament(self, **announced: Any) -> str:
        """Announce a tournament and be in it: `name`, `players`, `seats`, `minutes`, `turn_seconds`; gives its id."""
        return self._ask(self._calls.make_tournament(announced))

    def enter_tournament(self, tournament_id: str) -> None:
        """Be in a tournament; it begins with the last who comes."""
        self._ask(self._calls.enter_tournament(tournament_id))

    def leave_tournament(self, tournament_id: str) -> None:
        """Be in it no more, before it begins."""
        self._ask(self._calls.leave_tournament(tournament_id))

    def fill_tournament(self, tournament_id: str) -> None:
        """Have bots of the house take the places that are left, which begins it."""
        self._ask(self._calls.fill_tournament(tournament_id))

    def _ask(self, call: Call[T]) -> T:
        try:
            self._connection.request(call.method, call.path, call.body, call.headers)
            response = self._connection.getresponse()
            read = response.read(MOST_BYTES + 1)
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"no answer: {type(error).__name__}") from error
        except OSError:
            self.close()
            raise
        try:
            return call.answered(response.status, read)
        except ServerRefusal as refused:
            if refused.status < 300:  # what is left of it would be taken for the next answer
                self.close()
            raise

    def close(self) -> None:
        """Hang up; the next call connects again."""
        with suppress(OSError):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client: {self.user} at {self._calls.host}:{self._calls.port}>"
