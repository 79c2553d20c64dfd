"""A server's routes, each written once: a request and the reader of its answer, without a socket."""

from __future__ import annotations

import base64
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote

import attrs

from poker_actors.errors import BadSpec, PokerError
from poker_actors.guard import read_url
from poker_actors.jsontext import parse_json
from poker_actors.wire.framing import named, steps

_READING_SECONDS: Final = 120.0
"""For an upload to arrive and to be read, as `docs/serving.md` has it."""

T = TypeVar("T")

MOST_BYTES: Final = 16 * 2**20
"""Most bytes of an answer."""


class ServerRefusal(PokerError):
    """The server answered with an error: `status` is the HTTP status, the text is the server's.

    `code` is the server's error code if it sent one.
    """

    default_code = "server_refusal"

    def __init__(self, message: str, *, status: int, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return (partial(ServerRefusal, status=self.status, code=self.code), self.args)


@attrs.frozen
class Call(Generic[T]):
    """One request, with `read` to convert the JSON of its answer."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: bytes | None = None
    headers: dict[str, str] = attrs.field(factory=dict)
    in_text: bool = False
    """whether the answer is text, not JSON"""
    seconds: float = 10.0
    """seconds that the server may take to answer"""

    def answered(self, status: int, body: bytes) -> T:
        """Return the converted answer; raises `ServerRefusal` for an error or an unexpected answer."""
        text = body.decode("utf-8", "replace")
        if status >= 300:
            code, said = refusal(text)
            raise ServerRefusal(f"{status}: {said[:200]}", status=status, code=code)
        if len(body) > MOST_BYTES:
            raise ServerRefusal(f"the answer is longer than {MOST_BYTES} bytes", status=status)
        try:
            return self.read(text if self.in_text else parse_json(text) if text.strip() else None)
        except (TypeError, KeyError, ValueError):
            raise ServerRefusal("the answer does not fit the request", status=status) from None


def refusal(text: str) -> tuple[str | None, str]:
    """Return the code and the sentence of a refusal: an object with both, or plain text as in the contract."""
    try:
        plain = parse_json(text)
        return str(plain["code"]), str(plain["text"])
    except (ValueError, TypeError, KeyError):
        return None, text.strip()


class Routes(ABC):
    """All requests of `user` to the server at `url`, such as ``http://127.0.0.1:8080``.

    Each call is one request. Raises `ServerRefusal` for an error answer, `OSError` (`ConnectionError`, `TimeoutError`)
    when there is no answer within `timeout` seconds, `BadSpec` for an invalid URL or name. The methods from `lobby` on
    need a poker_actors server, and those from `arena` on one that serves an arena.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        parts = read_url(url)
        if ":" in user:
            raise BadSpec("a username must not contain a colon, which ends it in basic authentication")
        self._host: Final = parts.hostname or ""
        self._port: Final = parts.port or (443 if parts.scheme == "https" else 80)
        self._origin: Final = f"{parts.scheme}://{named(self._host, self._port)}"
        self._prefix: Final = quote(parts.path.rstrip("/"), safe="/%")
        self._timeout: Final = timeout
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers: Final = {
            "Authorization": f"Basic {credentials}",
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",  # bodies are counted and read as they come
        }
        self.user: Final = user
        """The user's name."""
        self.player_id = ""
        """The user's id; empty until an answer has told it."""

    # -- HSPE --------------------------------------------------------------------------------

    @steps
    async def register(self) -> str:
        """Register the user; return its id."""

        def read(answer: Any) -> str:
            self.player_id = answer["PlayerID"] if isinstance(answer, dict) else str(answer)
            return self.player_id

        return await self._call("POST", ("users", ""), read)

    @steps
    async def games(self) -> list[dict[str, Any]]:
        """Return all games."""
        return await self._call("GET", ("games", ""), _listed)

    @steps
    async def game(self, game_id: str) -> dict[str, Any]:
        """Return a game, with this user's hole cards."""
        return await self._call("GET", ("games", game_id, ""), self._recognised)

    @steps
    async def make(self, /, **setting: Any) -> dict[str, Any]:
        """Create a game and join it. A server of ours takes a `setting`: `small_blind`, `big_blind`, `seats`, ..."""
        return await self._call("POST", ("games", ""), self._recognised, setting or None)

    @steps
    async def join(self, game_id: str) -> str | None:
        """Join a game; return the player's id, or None from a Go server, which does not send it."""

        def read(answer: Any) -> str | None:
            if isinstance(answer, str):
                self.player_id = answer
                return answer
            return None

        return await self._call("POST", ("games", game_id, "players", ""), read)

    @steps
    async def fold(self, game_id: str) -> None:
        """Take the turn and fold."""
        return await self._put(game_id, {"action": 0, "betAmount": 0})

    @steps
    async def bet(self, game_id: str, amount: int) -> None:
        """Take the turn and put in `amount` chips; 0 checks, and an invalid bet folds."""
        return await self._put(game_id, {"action": 1, "betAmount": amount})

    @steps
    async def leave(self, game_id: str) -> None:
        """Leave a game, forfeiting all remaining chips."""
        return await self._call("DELETE", ("games", game_id, "players", self.player_id, ""), nothing)

    # -- servers of ours ---------------------------------------------------------------------

    @steps
    async def lobby(self) -> dict[str, Any]:
        """Return all games as a lobby shows them, and the house bots."""
        return await self._call("GET", ("lobby",), dict)

    @steps
    async def table(self, game_id: str) -> dict[str, Any]:
        """Return the picture of a game: seats, cards, pots, and what is legal for this user."""
        return await self._call("GET", ("games", game_id, "table"), dict)

    @steps
    async def act(
        self,
        game_id: str,
        act: str,
        amount: int | None = None,
        *,
        cards: Sequence[str] | None = None,
        rows: Sequence[Sequence[str]] | None = None,
        key: tuple[str, int] | None = None,
    ) -> tuple[str, int]:
        """Take the turn; return its `hand_id` and `seq`.

        `act` is `fold`, `check`, `call`, `bet`, `raise_to`, `all_in`, `bring_in`, `discard` or `lay`; `cards` are
        those to discard, `rows` those to lay in the top, middle and bottom row. With a `hand_id` and `seq` as `key`, the
        act is for that turn alone and can be repeated if its answer was lost.
        """
        given = {"act": act, "amount": amount, "cards": cards, "rows": rows}
        asked: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        if key is not None:
            asked["hand_id"], asked["seq"] = key
        path = ("games", game_id, "actions")
        return await self._call(
            "POST", path, lambda answer: (str(answer["hand_id"]), int(answer["seq"])), asked
        )

    @steps
    async def say(self, game_id: str, text: str = "", *, emote: str | None = None) -> dict[str, Any]:
        """Say a text at a table where this user sits, or show an emote: `good_game`, `hello`, `nice_hand`, ...; return the line."""
        asked = {"text": text} if emote is None else {"emote": emote}
        return await self._call("POST", ("games", game_id, "chat"), dict, asked)

    @steps
    async def choose(self, game_id: str, game: str) -> None:
        """Choose the game of the next hands, such as `razz`, as the dealer of a dealer's choice table."""
        return await self._call("POST", ("games", game_id, "choice"), nothing, {"game": game})

    @steps
    async def seat_house(self, game_id: str, *bots: str) -> list[str]:
        """Fill free seats with house bots, such as `"tight", "loose"`; return their names."""
        path = ("games", game_id, "house")
        return await self._call("POST", path, lambda answer: list(answer["seated"]), {"bots": [*bots]})

    @steps
    async def send_house_away(self, game_id: str) -> None:
        """Send the house bots away after the hand."""
        return await self._call("DELETE", ("games", game_id, "house"), nothing)

    @steps
    async def heard(self, game_id: str) -> dict[str, Any]:
        """Return `start` and `end`, how the last hand began for the user and how one ended, in the form programs read."""
        return await self._call("GET", ("games", game_id, "heard"), dict)

    @steps
    async def ledger(self, game_id: str) -> dict[str, Any]:
        """Return who owes whom at a table with a ledger: what each of `players` has won, and the `payments` that settle it."""
        return await self._call("GET", ("games", game_id, "ledger"), dict)

    @steps
    async def players_board(self) -> dict[str, Any]:
        """Return the board of the room's players as of the last whole day (UTC), over a `week`, a `month` and `all` days."""
        return await self._call("GET", ("board",), dict)

    @steps
    async def list_on_board(self, *, listed: bool = True) -> bool:
        """Put this user on the board of players, or take them off; return whether they are listed."""
        return await self._call(
            "POST", ("account", "board"), lambda answer: bool(answer["listed"]), {"listed": listed}
        )

    @steps
    async def hands(self, game_id: str) -> list[dict[str, Any]]:
        """Return the public part of the last hands, newest first."""
        return await self._call("GET", ("games", game_id, "hands"), list)

    @steps
    async def hand(self, game_id: str, hand_id: str) -> dict[str, Any]:
        """Return the history of a hand the user was dealt into, as a line of `poker_actors.history`'s JSON."""
        return await self._call("GET", ("games", game_id, "hands", hand_id), dict)

    @steps
    async def plan(self, game_id: str, plan: str | None, *, hand_id: str | None = None) -> None:
        """Plan the next turn in advance: `check_fold` or `call_any`, None to cancel; with `hand_id` for that hand alone."""
        asked = {"plan": plan} | ({} if hand_id is None else {"hand_id": hand_id})
        return await self._call("POST", ("games", game_id, "plan"), nothing, asked)

    @steps
    async def planned(self, game_id: str) -> str | None:
        """Return the plan for the next turn."""
        return await self._call("GET", ("games", game_id, "plan"), lambda answer: answer["plan"])

    @steps
    async def tournaments(self) -> list[dict[str, Any]]:
        """Return all tournaments, those not yet started first."""
        return await self._call("GET", ("tournaments",), lambda answer: list(answer["tournaments"]))

    @steps
    async def tournament(self, tournament_id: str) -> dict[str, Any]:
        """Return a tournament's standings and the `table` this user plays at, which is used like a game."""
        return await self._call("GET", ("tournaments", tournament_id), dict)

    @steps
    async def make_tournament(self, /, **announced: Any) -> str:
        """Announce a tournament and enter it; return its id.

        Settings are `name`, `players`, `seats`, `minutes`, `turn_seconds`, `late_levels` and `rebuys`.
        """
        return await self._call("POST", ("tournaments",), lambda answer: str(answer["id"]), announced)

    @steps
    async def enter_tournament(self, tournament_id: str) -> None:
        """Enter a tournament, which starts when it is full; some take late entries, see `can_enter`."""
        return await self._call("POST", ("tournaments", tournament_id, "players"), nothing)

    @steps
    async def leave_tournament(self, tournament_id: str) -> None:
        """Withdraw from a tournament before it starts."""
        return await self._call("DELETE", ("tournaments", tournament_id, "players"), nothing)

    @steps
    async def fill_tournament(self, tournament_id: str) -> None:
        """Fill the remaining places with house bots, which starts the tournament."""
        return await self._call("POST", ("tournaments", tournament_id, "house"), nothing)

    # -- servers with an arena ---------------------------------------------------------------

    @steps
    async def arena(self) -> dict[str, Any]:
        """Return the arena's entrants and their places, the progress of its run, and the limits of uploads."""
        return await self._call("GET", ("arena", "state"), dict)

    @steps
    async def board(self) -> dict[str, Any]:
        """Return the arena's board as of its last run, as `arena --json` writes it; empty before there is one."""
        return await self._call("GET", ("arena", "board"), dict)

    @steps
    async def entrants(self) -> list[dict[str, Any]]:
        """Return this user's entrants: the last `upload` of each, its `standing`, and its `matches`."""
        return await self._call("GET", ("arena", "entrants"), lambda answer: list(answer["entrants"]))

    @steps
    async def entrant(self, name: str, *, wait: float = 0.0) -> dict[str, Any]:
        """Return one of this user's entrants, once its check is over or after `wait` seconds (at most 30)."""
        return await self._call(
            "GET", ("arena", "entrants", name), dict, query=f"?wait={wait:g}", seconds=wait
        )

    @steps
    async def hand_in(self, name: str, upload: bytes) -> dict[str, Any]:
        """Hand in an entrant, or a new version: the bytes of a zip, a tar, a tar.gz or one file; its check has then begun.

        Raises `ServerRefusal` with a code that begins with `upload_` for what cannot be unpacked.
        """
        headers = {**self._headers, "Content-Type": "application/octet-stream"}
        return await self._call(
            "POST",
            ("arena", "entrants", name),
            dict,
            body=upload,
            headers=headers,
            seconds=_READING_SECONDS,
        )

    @steps
    async def withdraw(self, name: str) -> None:
        """Withdraw one of this user's entrants; it leaves its tables at once and the board with the next run."""
        return await self._call("DELETE", ("arena", "entrants", name), nothing)

    @steps
    async def build_log(self, name: str) -> str:
        """Return the build output of one of this user's entrants."""
        return await self._call("GET", ("arena", "entrants", name, "build"), str, in_text=True)

    @steps
    async def match_log(self, name: str, match: str) -> str:
        """Return the log and the errors of one of this user's entrants in a match, which `entrant` lists."""
        return await self._call("GET", ("arena", "entrants", name, "matches", match), str, in_text=True)

    @steps
    async def sit_down_with(self, name: str) -> str:
        """Make a table of the arena's game for this user and any entrant; return the game's id."""
        return await self._call(
            "POST", ("arena", "entrants", name, "table"), lambda answer: str(answer["game"])
        )

    # -- requests ----------------------------------------------------------------------------

    async def _put(self, game_id: str, act: dict[str, int]) -> None:
        await self._call("POST", ("games", game_id, "players", self.player_id, "acts", ""), nothing, act)

    def _recognised(self, game: dict[str, Any]) -> dict[str, Any]:
        """Look up this user's id by name: HSPE sends it only on registering and joining."""
        if not self.player_id:
            own = [player["playerID"] for player in game["table"] if player["handle"] == self.user]
            self.player_id = own[0] if own else ""
        return dict(game, gameID=str(game["gameID"]))

    def _request(
        self,
        method: str,
        parts: Sequence[str],
        read: Callable[[Any], T],
        asked: object = None,
        *,
        query: str = "",
        seconds: float = 0.0,
        **more: Any,
    ) -> Call[T]:
        """Return a request for the path of `parts`, which may take the server `seconds` longer than usual."""
        path = "".join([f"/{quote(part, safe='')}" for part in parts])
        body = None if asked is None else json.dumps(asked).encode()
        given = {"body": body, "headers": self._headers, "seconds": self._timeout + seconds, **more}
        return Call(method, self._prefix + path + query, read, **given)

    async def _call(
        self, method: str, parts: Sequence[str], read: Callable[[Any], T], asked: object = None, **more: Any
    ) -> T:
        return await self._ask(self._request(method, parts, read, asked, **more))

    @abstractmethod
    async def _ask(self, call: Call[T]) -> T:
        """Send a request over a persistent connection, and return the content of its answer."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.user} at {self._host}:{self._port}>"


def _listed(games: Any) -> list[dict[str, Any]]:
    return [dict(game, gameID=str(game["gameID"]), table=list(game["table"])) for game in games]


def nothing(answer: object) -> None:
    """Ignore the answer."""
