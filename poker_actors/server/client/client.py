"""A client of an HSPE server: one call a route, over one connection, in either dialect."""

from __future__ import annotations

import base64
import http.client
import json
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from poker_actors.errors import BadSpec, PokerError

__all__ = ["Client", "ServerRefusal"]

_MOST: Final = 16 * 2**20
"""The longest answer read, in bytes."""


class ServerRefusal(PokerError):
    """The server has answered with an error; `status` is HTTP's, the text the server's."""

    default_code = "server_refusal"

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return (_refusal, (self.args[0], self.status))


def _refusal(message: str, status: int) -> ServerRefusal:
    return ServerRefusal(message, status=status)


class Client:
    """Plays for one user of the server at `url`, such as ``http://127.0.0.1:8080``; for one thread.

    Each call is one request. Raises `ServerRefusal` for an answer that is an error, `OSError` (of
    which `ConnectionError` and `TimeoutError` are kinds) when there is none within `timeout` seconds.
    """

    def __init__(self, url: str, user: str, password: str, *, timeout: float = 10.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadSpec(f"{url[:80]!r} is not the URL of a server, such as http://127.0.0.1:8080")
        try:
            port = parts.port
        except ValueError:
            raise BadSpec(f"{url[:80]!r}: ports go from 0 to 65535") from None
        if ":" in user:
            raise BadSpec("a username has no colon: basic authentication ends it there")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, port, timeout=timeout)
        self._path = parts.path.rstrip("/")
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}
        self.user: Final = user
        self.player_id = ""
        """the user's id, once registered or joined"""

    def register(self) -> str:
        """Register the user; gives its id."""
        answer = self._ask("POST", "/users/")
        self.player_id = answer["PlayerID"] if isinstance(answer, dict) else str(answer)
        return self.player_id

    def games(self) -> list[dict[str, Any]]:
        """Give all games."""
        return list(self._ask("GET", "/games/"))

    def game(self, game_id: str) -> dict[str, Any]:
        """Give one game, with the own hole cards."""
        return self._recognised(dict(self._ask("GET", f"/games/{game_id}/")))

    def make(self) -> dict[str, Any]:
        """Make a game, and join it."""
        return self._recognised(dict(self._ask("POST", "/games/")))

    def _recognised(self, game: dict[str, Any]) -> dict[str, Any]:
        """Learn the own id by the name, for one registered before: the contract tells it on joining only."""
        if not self.player_id:
            own = [player["playerID"] for player in game["table"] if player["handle"] == self.user]
            self.player_id = own[0] if own else ""
        return game

    def join(self, game_id: str) -> str | None:
        """Join a game; gives the player's id where the server says it, and None from a Go server."""
        answer = self._ask("POST", f"/games/{game_id}/players/")
        if isinstance(answer, str):
            self.player_id = answer
            return answer
        return None

    def fold(self, game_id: str) -> None:
        """Take the turn and fold."""
        self._act(game_id, 0, 0)

    def bet(self, game_id: str, amount: int) -> None:
        """Take the turn and put `amount` chips in now; 0 checks. An invalid bet folds."""
        self._act(game_id, 1, amount)

    def leave(self, game_id: str) -> None:
        """Leave a game, and forfeit what is left."""
        self._ask("DELETE", f"/games/{game_id}/players/{self.player_id}/")

    def _act(self, game_id: str, action: int, amount: int) -> None:
        body = json.dumps({"action": action, "betAmount": amount}).encode()
        self._ask("POST", f"/games/{game_id}/players/{self.player_id}/acts/", body)

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        try:
            self._connection.request(method, self._path + path, body, self._headers)
            response = self._connection.getresponse()
            read = response.read(_MOST + 1)
        except http.client.HTTPException as error:
            self.close()
            raise ConnectionError(f"no answer: {type(error).__name__}") from error
        except OSError:
            self.close()
            raise
        text = read.decode("utf-8", "replace")
        if response.status >= 300:
            raise ServerRefusal(f"{response.status}: {text.strip()[:200]}", status=response.status)
        try:
            return json.loads(text) if text.strip() and len(read) <= _MOST else None
        except ValueError:
            self.close()
            raise ServerRefusal("the answer is no JSON", status=response.status) from None

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
        return f"<Client: {self.user} at {self._connection.host}:{self._connection.port}>"
