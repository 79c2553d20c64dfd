"""Answer polls for unchanged views before any route, body or request object is made.

Most are answered by the guard of their connection, before the HTTP server hears of them (`Polls.unchanged`); the others,
such as those from behind a proxy, by `Polls` as an ASGI layer. Both ask the same question.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from poker_actors.errors import StorageFailed
from poker_actors.server.hspe import Game, Lobby, Profile
from poker_actors.server.http.answers import FRESH
from poker_actors.server.http.exchange import Door, Held
from poker_actors.server.live import Metrics, Views

_GAMES: Final = "/games/"
_KINDS: Final = {"": ("g", "/games/{game_id}"), "table": ("t", "/games/{game_id}/table")}
"""What follows a game's id in the path -> the kind of view, and the path's pattern for the metrics."""
_PLAIN: Final = frozenset({b"cookie", b"content-length", b"transfer-encoding"})
"""With one of these headers a request takes the way of all others: a session is looked up, a body read."""
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in FRESH.items()]

Unchanged = tuple[str, bytes]
"""A poll of an unchanged view: the path's pattern and the view's tag."""


def head_of(tag: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the answer to a poll of an unchanged view, with these headers of the HTTP server first."""
    lines = [b"%s: %s\r\n" % header for header in (*headers, (b"etag", tag), *_HEADERS)]
    return b"HTTP/1.1 304 Not Modified\r\n%s\r\n" % b"".join(lines)


class Polls:
    """The outermost layer of the API: a GET whose If-None-Match names the newest view of a game is answered 304 at once.

    Whatever needs more than a look (a first password, a session, a refusal) is left to the application `behind`, so this
    answers nothing that it would answer otherwise. The tag follows from the game's version and the viewer; no view is made.
    """

    def __init__(
        self,
        behind: Starlette,
        *,
        lobby: Lobby,
        door: Door,
        profile: Profile,
        views: Views,
        metrics: Metrics,
        held: Held,
    ) -> None:
        self.behind: Final = behind
        self._lobby: Final = lobby
        self._door: Final = door
        self._profile: Final = profile
        self._views: Final = views
        self._metrics: Final = metrics
        self._held: Final = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a poll of what has not changed; pass everything else on."""
        current = self._current(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if current is None:
            await self.behind(scope, receive, send)
            return
        began = time.perf_counter()
        try:
            await self._held()
        except StorageFailed:
            await self.behind(scope, receive, send)  # which says so
            return
        self.counted(current, time.perf_counter() - began)
        await send(
            {"type": "http.response.start", "status": 304, "headers": [(b"etag", current[1]), *_HEADERS]}
        )
        await send({"type": "http.response.body", "body": b""})

    def unchanged(self, scope: Mapping[str, Any]) -> Unchanged | None:
        """Return the poll if a GET can be answered 304 now, without any wait, else None; `counted` counts the answer.

        Of `scope`, an ASGI scope, it takes path, query string, headers and client.
        """
        journal = self._lobby.notes.journal
        if journal is not None and (journal.failed is not None or journal.durable < journal.appended):
            return None
        return self._current(scope)

    def counted(self, poll: Unchanged, seconds: float) -> None:
        """Count a poll that has been answered."""
        self._metrics.answered("GET", poll[0], 304, seconds)

    def _current(self, scope: Mapping[str, Any]) -> Unchanged | None:
        """Return the poll if the client has the newest view, else None."""
        path: str = scope["path"]
        if not path.startswith(_GAMES) or scope["query_string"]:
            return None
        wanted, header = b"", None
        for name, value in scope["headers"]:
            if name == b"if-none-match":
                wanted = value
            elif name == b"authorization":
                if header is not None:
                    return None
                header = value
            elif name in _PLAIN:
                return None
        if not wanted:
            return None
        game_id, _, rest = path[len(_GAMES) :].partition("/")
        game, kind = self._lobby.games.get(game_id), _KINDS.get(rest.removesuffix("/"))
        if game is None or kind is None or rest == "/":
            return None
        return self._newest(scope, game, kind, wanted, header)

    def _newest(
        self, scope: Mapping[str, Any], game: Game, kind: tuple[str, str], wanted: bytes, header: bytes | None
    ) -> Unchanged | None:
        owner = None
        if header is not None:
            client = scope["client"]
            user = self._door.known(header.decode("latin-1"), client[0] if client else "")
            if user is None:
                return None
            owner = user.id
        if kind[0] == "g":
            stranger = owner is not None and not game.roster.plays(owner)
            if not game.setting.by_contract or (stranger and self._profile.stranger != 200):
                return None
        tag = self._views.game_tag(kind[0], game, owner).encode()
        return (kind[1], tag) if tag in wanted else None
