"""What a client says to a server and what it makes of the answers, without a socket: shared by every client."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote, urlsplit

import attrs

from poker_actors.errors import BadSpec, PokerError

__all__ = ["MOST_BYTES", "Call", "Calls", "ServerRefusal"]

T = TypeVar("T")

MOST_BYTES: Final = 16 * 2**20
"""The longest answer read."""


class ServerRefusal(PokerError):
    """The server has answered with an error; `status` is HTTP's, the text the server's.

    `code` is the server's word for it where it says one.
    """

    default_code = "server_refusal"

    def __init__(self, message: str, *, status: int, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return (_refusal, (self.args[0], self.status, self.code))


def _refusal(message: str, status: int, code: str) -> ServerRefusal:
    return ServerRefusal(message, status=status, code=code)


@attrs.frozen
class Call(Generic[T]):
    """One request, and how its answer is read."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: bytes | None = None
    headers: dict[str, str] = attrs.field(factory=dict)

    def answered(self, status: int, body: bytes) -> T:
        """Give what the answer says; raises `ServerRefusal`."""
        text = body.decode("utf-8", "replace")
        if status >= 300:
            raise _read_refusal(status, text)
        if len(body) > MOST_BYTES:
            raise ServerRefusal(f"the answer is longer than {MOST_BYTES} bytes", status=status)
        try:
            plain = json.loads(text) if text.strip() else None
        except ValueError:
            raise ServerRefusal("the answer is no JSON", status=status) from None
        try:
            return self.read(plain)
        except (TypeError, KeyError, ValueError):
            raise ServerRefusal("the answer is not what was asked for", status=status) from None


def _read_refusal(status: int, text: str) -> ServerRefusal:
    """Read an error: plain text, as in the contract, or an object with code and text."""
    try:
        plain = json.loads(text)
        return ServerRefusal(f"{status}: {plain['text'][:200]}", status=status, code=str(plain["code"]))
    except (ValueError, TypeError, KeyError):
        return ServerRefusal(f"{status}: {text.strip()[:200]}", status=status)


class Calls:
    """Everything `user` can ask of the server at `url`; and the user's id, once an answer has told it.

    Raises `BadSpec` for what is no URL, or no name.
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
        self.secure: Final = parts.scheme == "https"
        self.host: Final = parts.hostname
        self.port: Final = port if port is not None else 443 if self.secure else 80
        self.prefix: Final = parts.path.rstrip("/")
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.headers: Final = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
        self.user: Final = user
        self.player_id = ""

    # -- the contract ------------------------------------------------------------------------

    def register(self) -> Call[str]:
        """Register the user; its id."""

        def read(answer: Any) -> str:
            self.player_id = answer["PlayerID"] if isinstance(answer, dict) else str(answer)
            return self.player_id

        return self._call("POST", "/users/", read)

    def games(self) -> Call[list[dict[str, Any]]]:
        """All games."""
        return self._call("GET", "/games/", list)

    def game(self, game_id: str) -> Call[dict[str, Any]]:
        """One game, with the own hole cards."""
        return self._call("GET", f"/games/{_in_path(game_id)}/", self._recognised)

    def make(self, setting: dict[str, Any] | None) -> Call[dict[str, Any]]:
        """Make a game, and join it."""
        return self._call("POST", "/games/", self._recognised, setting)

    def join(self, game_id: str) -> Call[str | None]:
        """Join a game; the player's id where the server says it."""

        def read(answer: Any) -> str | None:
            if isinstance(answer, str):
                self.player_id = answer
                return answer
            return None

        return self._call("POST", f"/games/{_in_path(game_id)}/players/", read)

    def put(self, game_id: str, amount: int | None) -> Call[None]:
        """Take the turn: fold for None, else put `amount` chips in."""
        act = {"action": 0, "betAmount": 0} if amount is None else {"action": 1, "betAmount": amount}
        return self._call("POST", f"/games/{_in_path(game_id)}/players/{self.player_id}/acts/", _nothing, act)

    def leave(self, game_id: str) -> Call[None]:
        """Leave a game."""
        return self._call("DELETE", f"/games/{_in_path(game_id)}/players/{self.player_id}/", _nothing)

    def _recognised(self, game: dict[str, Any]) -> dict[str, Any]:
        """Learn the own id by the name, for one registered before: the contract tells it on joining only."""
        if not self.player_id:
            own = [player["playerID"] for player in game["table"] if player["handle"] == self.user]
            self.player_id = own[0] if own else ""
        return dict(game)

    # -- beyond it ---------------------------------------------------------------------------

    def lobby(self) -> Call[dict[str, Any]]:
        """All games as a lobby shows them, and the bots of the house."""
        return self._call("GET", "/lobby", dict)

    def table(self, game_id: str) -> Call[dict[str, Any]]:
        """One picture of a game."""
        return self._call("GET", f"/games/{_in_path(game_id)}/table", dict)

    def act(
        self, game_id: str, act: str, amount: int | None, key: tuple[str, int] | None
    ) -> Call[tuple[str, int]]:
        """Take a turn by the rules' own actions."""
        asked: dict[str, Any] = {"act": act}
        if amount is not None:
            asked["amount"] = amount
        if key is not None:
            asked["hand_id"], asked["seq"] = key
        path = f"/games/{_in_path(game_id)}/actions"
        return self._call("POST", path, lambda answer: (str(answer["hand_id"]), int(answer["seq"])), asked)

    def seat_house(self, game_id: str, bots: Sequence[str]) -> Call[list[str]]:
        """Fill seats with players of the house; their names."""
        path = f"/games/{_in_path(game_id)}/house"
        return self._call("POST", path, lambda answer: list(answer["seated"]), {"bots": [*bots]})

    def send_house_away(self, game_id: str) -> Call[None]:
        """Have them leave."""
        return self._call("DELETE", f"/games/{_in_path(game_id)}/house", _nothing)

    def hands(self, game_id: str) -> Call[list[dict[str, Any]]]:
        """The hands played last."""
        return self._call("GET", f"/games/{_in_path(game_id)}/hands", list)

    def hand(self, game_id: str, hand_id: str) -> Call[dict[str, Any]]:
        """One hand's history."""
        return self._call("GET", f"/games/{_in_path(game_id)}/hands/{_in_path(hand_id)}", dict)

    def plan(self, game_id: str, plan: str | None, hand_id: str | None) -> Call[None]:
        """Decide the next turn before it comes, or take that back."""
        asked = {"plan": plan} | ({} if hand_id is None else {"hand_id": hand_id})
        return self._call("POST", f"/games/{_in_path(game_id)}/plan", _nothing, asked)

    def planned(self, game_id: str) -> Call[str | None]:
        """What is decided for the next turn."""
        return self._call("GET", f"/games/{_in_path(game_id)}/plan", lambda answer: answer["plan"])

    def tournaments(self) -> Call[list[dict[str, Any]]]:
        """All tournaments."""
        return self._call("GET", "/tournaments", lambda answer: list(answer["tournaments"]))

    def tournament(self, tournament_id: str) -> Call[dict[str, Any]]:
        """How one stands."""
        return self._call("GET", f"/tournaments/{_in_path(tournament_id)}", dict)

    def make_tournament(self, announced: dict[str, Any]) -> Call[str]:
        """Announce one; its id."""
        return self._call("POST", "/tournaments", lambda answer: str(answer["id"]), announced)

    def enter_tournament(self, tournament_id: str) -> Call[None]:
        """Be in it."""
        return self._call("POST", f"/tournaments/{_in_path(tournament_id)}/players", _nothing)

    def leave_tournament(self, tournament_id: str) -> Call[None]:
        """Be in it no more."""
        return self._call("DELETE", f"/tournaments/{_in_path(tournament_id)}/players", _nothing)

    def fill_tournament(self, tournament_id: str) -> Call[None]:
        """Have bots take what places are left."""
        return self._call("POST", f"/tournaments/{_in_path(tournament_id)}/house", _nothing)

    def stream(self, game_id: str) -> Call[None]:
        """The pictures of a game, pushed; its answer goes on and on."""
        return self._call("GET", f"/games/{_in_path(game_id)}/stream", _nothing)

    def _call(self, method: str, path: str, read: Callable[[Any], T], asked: object = None) -> Call[T]:
        body = None if asked is None else json.dumps(asked).encode()
        return Call(method, self.prefix + path, read, body, self.headers)


def _in_path(name: str) -> str:
    return quote(name, safe="")


def _nothing(answer: object) -> None:
    """Read an answer that says nothing."""
