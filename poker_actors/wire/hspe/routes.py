"""A server's routes, each written once: `Client` calls them, `AsyncClient` awaits them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeVar, overload
from urllib.parse import quote, urlsplit

import attrs

from poker_actors.errors import BadSpec
from poker_actors.wire.hspe.calls import Call

__all__ = ["Routes"]

_READING_SECONDS: Final = 120.0
"""For an upload to arrive and to be read, as `docs/serving.md` has it."""

P = ParamSpec("P")
T = TypeVar("T")


class _Asks(Protocol):
    def _ask(self, call: Call[T]) -> T: ...


class _Awaits(Protocol):
    async def _ask(self, call: Call[T]) -> T: ...


class _route(Generic[P, T]):  # noqa: N801 - a decorator, as property is
    """Turn a method that returns a `Call` into one that returns what the client's `_ask` makes of it."""

    def __init__(self, call: Callable[Concatenate[Any, P], Call[T]]) -> None:
        self.call = call
        self.__doc__ = call.__doc__

    @overload
    def __get__(self, client: None, kind: type) -> Callable[Concatenate[Any, P], Call[T]]: ...
    @overload
    def __get__(self, client: _Asks, kind: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: _Awaits, kind: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, kind: type) -> Callable[..., Any]:
        if client is None:
            return self.call
        return lambda *args, **named: client._ask(self.call(client, *args, **named))


class Routes:
    """Everything that `user` can ask of the server at `url`.

    The routes from `lobby` on need a server of ours, and those from `arena` on one that serves an arena. Raises `BadSpec` for an invalid URL or name.
    """

    def __init__(self, url: str, user: str, password: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadSpec(f"{url[:80]!r} is not the URL of a server, such as http://127.0.0.1:8080")
        try:
            port = parts.port
        except ValueError:
            raise BadSpec(f"{url[:80]!r}: ports go from 0 to 65535") from None
        if ":" in user:
            raise BadSpec("a username has no colon: basic authentication ends it there")
        self._secure: Final = parts.scheme == "https"
        self._host: Final = parts.hostname
        self._port: Final = port if port is not None else 443 if self._secure else 80
        self._prefix: Final = parts.path.rstrip("/")
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers: Final = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
        self.user: Final = user
        """The user's name."""
        self.player_id = ""
        """The user's id; empty until an answer has told it."""

    # -- HSPE --------------------------------------------------------------------------------

    @_route
    def register(self) -> Call[str]:
        """Register the user; return its id."""

        def read(answer: Any) -> str:
            self.player_id = answer["PlayerID"] if isinstance(answer, dict) else str(answer)
            return self.player_id

        return self._call("POST", "/users/", read)

    @_route
    def games(self) -> Call[list[dict[str, Any]]]:
        """Return all games."""
        return self._call("GET", "/games/", list)

    @_route
    def game(self, game_id: str) -> Call[dict[str, Any]]:
        """Return a game, with this user's hole cards."""
        return self._call("GET", f"{_game(game_id)}/", self._recognised)

    @_route
    def make(self, /, **setting: Any) -> Call[dict[str, Any]]:
        """Create a game and join it. A server of ours takes a `setting`: `small_blind`, `big_blind`, `seats`, ..."""
        return self._call("POST", "/games/", self._recognised, setting or None)

    @_route
    def join(self, game_id: str) -> Call[str | None]:
        """Join a game; return the player's id, or None from a Go server, which does not tell it."""

        def read(answer: Any) -> str | None:
            if isinstance(answer, str):
                self.player_id = answer
                return answer
            return None

        return self._call("POST", f"{_game(game_id)}/players/", read)

    @_route
    def fold(self, game_id: str) -> Call[None]:
        """Take the turn and fold."""
        return self._put(game_id, {"action": 0, "betAmount": 0})

    @_route
    def bet(self, game_id: str, amount: int) -> Call[None]:
        """Take the turn and put in `amount` chips; 0 checks, and an invalid bet folds."""
        return self._put(game_id, {"action": 1, "betAmount": amount})

    @_route
    def leave(self, game_id: str) -> Call[None]:
        """Leave a game, forfeiting all remaining chips."""
        return self._call("DELETE", f"{_game(game_id)}/players/{self.player_id}/", _nothing)

    # -- servers of ours ---------------------------------------------------------------------

    @_route
    def lobby(self) -> Call[dict[str, Any]]:
        """Return all games as a lobby shows them, and the house bots."""
        return self._call("GET", "/lobby", dict)

    @_route
    def table(self, game_id: str) -> Call[dict[str, Any]]:
        """Return the picture of a game: seats, cards, pots, and what is legal for this user."""
        return self._call("GET", f"{_game(game_id)}/table", dict)

    @_route
    def act(
        self,
        game_id: str,
        act: str,
        amount: int | None = None,
        *,
        cards: Sequence[str] | None = None,
        rows: Sequence[Sequence[str]] | None = None,
        key: tuple[str, int] | None = None,
    ) -> Call[tuple[str, int]]:
        """Take the turn; return its `hand_id` and `seq`.

        `act` is `fold`, `check`, `call`, `bet`, `raise_to`, `all_in`, `bring_in`, `discard` or `lay`; `cards` are
        those to discard, `rows` those to lay in the top, middle and bottom row. With a `hand_id` and `seq` as `key`, the
        act is for that turn alone and can be repeated if its answer was lost.
        """
        asked: dict[str, Any] = {"act": act}
        if amount is not None:
            asked["amount"] = amount
        if cards is not None:
            asked["cards"] = [*cards]
        if rows is not None:
            asked["rows"] = [[*row] for row in rows]
        if key is not None:
            asked["hand_id"], asked["seq"] = key
        path = f"{_game(game_id)}/actions"
        return self._call("POST", path, lambda answer: (str(answer["hand_id"]), int(answer["seq"])), asked)

    @_route
    def choose(self, game_id: str, game: str) -> Call[None]:
        """Choose the game of the next hands, such as `razz`, as the dealer of a dealer's choice table."""
        return self._call("POST", f"{_game(game_id)}/choice", _nothing, {"game": game})

    @_route
    def seat_house(self, game_id: str, *bots: str) -> Call[list[str]]:
        """Fill free seats with house bots, such as `"tight", "loose"`; return their names."""
        path = f"{_game(game_id)}/house"
        return self._call("POST", path, lambda answer: list(answer["seated"]), {"bots": [*bots]})

    @_route
    def send_house_away(self, game_id: str) -> Call[None]:
        """Send the house bots away after the hand."""
        return self._call("DELETE", f"{_game(game_id)}/house", _nothing)

    @_route
    def heard(self, game_id: str) -> Call[dict[str, Any]]:
        """Return `start` and `end`, how the last hand began for the user and how one ended, as lines for programs have it."""
        return self._call("GET", f"{_game(game_id)}/heard", dict)

    @_route
    def hands(self, game_id: str) -> Call[list[dict[str, Any]]]:
        """Return what is public of the last hands, newest first."""
        return self._call("GET", f"{_game(game_id)}/hands", list)

    @_route
    def hand(self, game_id: str, hand_id: str) -> Call[dict[str, Any]]:
        """Return the history of a hand the user was dealt into, as a line of `poker_actors.history`'s JSON."""
        return self._call("GET", f"{_game(game_id)}/hands/{_in_path(hand_id)}", dict)

    @_route
    def plan(self, game_id: str, plan: str | None, *, hand_id: str | None = None) -> Call[None]:
        """Plan the next turn in advance: `check_fold` or `call_any`, None to cancel; with `hand_id` for that hand alone."""
        asked = {"plan": plan} | ({} if hand_id is None else {"hand_id": hand_id})
        return self._call("POST", f"{_game(game_id)}/plan", _nothing, asked)

    @_route
    def planned(self, game_id: str) -> Call[str | None]:
        """Return the plan for the next turn."""
        return self._call("GET", f"{_game(game_id)}/plan", lambda answer: answer["plan"])

    @_route
    def tournaments(self) -> Call[list[dict[str, Any]]]:
        """Return all tournaments, those not yet started first."""
        return self._call("GET", "/tournaments", lambda answer: list(answer["tournaments"]))

    @_route
    def tournament(self, tournament_id: str) -> Call[dict[str, Any]]:
        """Return a tournament's standings and the `table` this user plays at, which is used like a game."""
        return self._call("GET", _tournament(tournament_id), dict)

    @_route
    def make_tournament(self, /, **announced: Any) -> Call[str]:
        """Announce a tournament and enter it; return its id.

        Settings are `name`, `players`, `seats`, `minutes`, `turn_seconds`, `late_levels` and `rebuys`.
        """
        return self._call("POST", "/tournaments", lambda answer: str(answer["id"]), announced)

    @_route
    def enter_tournament(self, tournament_id: str) -> Call[None]:
        """Enter a tournament, which starts when it is full; some take late entries, see `can_enter`."""
        return self._call("POST", f"{_tournament(tournament_id)}/players", _nothing)

    @_route
    def leave_tournament(self, tournament_id: str) -> Call[None]:
        """Withdraw from a tournament before it starts."""
        return self._call("DELETE", f"{_tournament(tournament_id)}/players", _nothing)

    @_route
    def fill_tournament(self, tournament_id: str) -> Call[None]:
        """Fill the remaining places with house bots, which starts the tournament."""
        return self._call("POST", f"{_tournament(tournament_id)}/house", _nothing)

    # -- servers with an arena ---------------------------------------------------------------

    @_route
    def arena(self) -> Call[dict[str, Any]]:
        """Return who plays in the arena and where they stand, how far its run is, and what may be uploaded."""
        return self._call("GET", "/arena/state", dict)

    @_route
    def board(self) -> Call[dict[str, Any]]:
        """Return the arena's board as of its last run, as `arena --json` writes it; empty before there is one."""
        return self._call("GET", "/arena/board", dict)

    @_route
    def entrants(self) -> Call[list[dict[str, Any]]]:
        """Return this user's entrants: the last `upload` of each, its `standing`, and its `matches`."""
        return self._call("GET", "/arena/entrants", lambda answer: list(answer["entrants"]))

    @_route
    def entrant(self, name: str, *, wait: float = 0.0) -> Call[dict[str, Any]]:
        """Return one of this user's entrants, once its check is over or after `wait` seconds (at most 30)."""
        return attrs.evolve(self._call("GET", f"{_entrant(name)}?wait={wait:g}", dict), seconds=wait)

    @_route
    def hand_in(self, name: str, upload: bytes) -> Call[dict[str, Any]]:
        """Hand in an entrant, or a new version: the bytes of a zip, a tar, a tar.gz or one file; its check has then begun.

        Raises `ServerRefusal` with a code that begins with `upload_` for what cannot be unpacked.
        """
        headers = {**self._headers, "Content-Type": "application/octet-stream"}
        call = self._call("POST", _entrant(name), dict)
        return attrs.evolve(call, body=upload, headers=headers, seconds=_READING_SECONDS)

    @_route
    def withdraw(self, name: str) -> Call[None]:
        """Withdraw one of this user's entrants; it leaves its tables, and with the next run the board."""
        return self._call("DELETE", _entrant(name), _nothing)

    @_route
    def build_log(self, name: str) -> Call[str]:
        """Return what the build of one of this user's entrants printed."""
        return attrs.evolve(self._call("GET", f"{_entrant(name)}/build", str), in_text=True)

    @_route
    def match_log(self, name: str, match: str) -> Call[str]:
        """Return the log and the errors of one of this user's entrants in a match, which `entrant` lists."""
        return attrs.evolve(
            self._call("GET", f"{_entrant(name)}/matches/{_in_path(match)}", str), in_text=True
        )

    @_route
    def sit_down_with(self, name: str) -> Call[str]:
        """Make a table of the arena's game at which this user and an entrant, anybody's, sit; return the game's id."""
        return self._call("POST", f"{_entrant(name)}/table", lambda answer: str(answer["game"]))

    # -- requests ----------------------------------------------------------------------------

    def _stream(self, game_id: str) -> Call[None]:
        """Return the request for a stream of pictures, whose answer does not end by itself."""
        return self._call("GET", f"{_game(game_id)}/stream", _nothing)

    def _put(self, game_id: str, act: dict[str, int]) -> Call[None]:
        return self._call("POST", f"{_game(game_id)}/players/{self.player_id}/acts/", _nothing, act)

    def _recognised(self, game: dict[str, Any]) -> dict[str, Any]:
        """Learn this user's id by its name: HSPE tells it on registering and joining only."""
        if not self.player_id:
            own = [player["playerID"] for player in game["table"] if player["handle"] == self.user]
            self.player_id = own[0] if own else ""
        return dict(game)

    def _call(self, method: str, path: str, read: Callable[[Any], T], asked: object = None) -> Call[T]:
        body = None if asked is None else json.dumps(asked).encode()
        return Call(method, self._prefix + path, read, body, self._headers)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.user} at {self._host}:{self._port}>"


def _game(game_id: str) -> str:
    return f"/games/{_in_path(game_id)}"


def _tournament(tournament_id: str) -> str:
    return f"/tournaments/{_in_path(tournament_id)}"


def _entrant(name: str) -> str:
    return f"/arena/entrants/{_in_path(name)}"


def _in_path(name: str) -> str:
    return quote(name, safe="")


def _nothing(answer: object) -> None:
    """Ignore the answer."""
