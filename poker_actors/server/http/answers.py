"""Build answers: JSON or plain text with a newline, and the status of each refusal."""

from __future__ import annotations

import gzip
import json
import math
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.errors import BadInput, PokerError, RoomError, StorageFailed
from poker_actors.guard import TooOften
from poker_actors.jsontext import compact_json
from poker_actors.server.hspe import Game, Lobby, Profile
from poker_actors.server.http.exchange import Entry, Held
from poker_actors.server.live import Hooks, Metrics, Views

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
HANDS_POLICY: Final = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""A page of hands carries its script and must not act for its viewer: a sandbox has no cookie."""
_WORTH_IT: Final = 1_024
"""The least size, in bytes, of an answer that is compressed."""
FRESH: Final = {"cache-control": "private, no-cache", "vary": "Authorization, Cookie"}
"""Headers of a view, which belongs to one user: a shared cache must not keep it, a browser must revalidate it."""

_STATUSES: Final = {
    "already_joined": 409,
    "bad_credentials": 401,
    "cross_origin": 403,
    "illegal_action": 422,
    "insufficient_funds": 422,
    "key_reused": 422,
    "name_taken": 403,
    "no_game": 404,
    "no_entrant": 404,
    "no_hand": 404,
    "no_ledger": 404,
    "no_hooks": 409,
    "no_match": 404,
    "no_player": 404,
    "no_session": 404,
    "no_user": 404,
    "not_active": 409,
    "not_at_table": 409,
    "not_dealt_in": 403,
    "not_enough": 422,
    "not_joined": 404,
    "not_yours": 403,
    "hand_in_progress": 409,
    "other_game": 409,
    "seat_taken": 409,
    "seat_unavailable": 409,
    "stale_action": 409,
    "too_large": 413,
    "too_soon": 409,
    "too_many": 503,
    "too_many_ledgers": 409,
    "too_many_seated": 409,
    "too_many_slow": 409,
    "too_often": 429,
    "upload_running": 409,
    "upload_too_large": 413,
}
"""Statuses by code that both dialects share; the others are in `Profile`."""


def json_answer(profile: Profile, status: int, value: object) -> Response:
    """Return an answer with a value as one line of JSON."""
    text = compact_json(value) + "\n"
    return Response(text, status, media_type=None, headers={"content-type": profile.json_type})


def plain_answer(status: int, value: object, **headers: str) -> Response:
    """Return an answer with a value as JSON, the same in both dialects."""
    text = compact_json(value) + "\n"
    named = {name.replace("_", "-"): one for name, one in headers.items()}
    return Response(text, status, {"content-type": JSON, "cache-control": "no-store", **named})


def text_answer(status: int, text: str, **headers: str) -> Response:
    """Return an answer with a sentence; an empty one makes an answer without a body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(f"{text}\n" if text else "", status, headers={"content-type": TEXT, **named})


def view_answer(body: bytes, tag: str, kind: str = JSON, **headers: str) -> Response:
    """Return an answer with a view, JSON already, under its ETag; `kind` is its Content-Type."""
    return Response(body, 200, {"content-type": kind, "etag": tag, **FRESH, **headers})


def list_answer(request: Request, body: bytes, tag: str, kind: str = JSON, **headers: str) -> Response:
    """Return an answer with a list that is the same for everybody, compressed if the client accepts it.

    Never compress an answer with a hidden card: its length would reveal something of the card.
    """
    if len(body) < _WORTH_IT or "gzip" not in request.headers.get("accept-encoding", ""):
        return view_answer(body, tag, kind, **headers)
    vary = f"{FRESH['vary']}, Accept-Encoding"
    return view_answer(_squeezed(body), tag, kind, **headers, **{"content-encoding": "gzip", "vary": vary})


@lru_cache(maxsize=4)
def _squeezed(body: bytes) -> bytes:
    return gzip.compress(body, 5, mtime=0)


def unchanged(tag: str) -> Response:
    """Return the answer to a request for an unchanged view."""
    return Response(None, 304, {"etag": tag, **FRESH})


def refusal(
    profile: Profile,
    error: PokerError,
    *,
    registering: bool = False,
    in_json: bool = False,
    quiet: bool = False,
) -> Response:
    """Return the answer to a refusal: a status by its code, and its text, or code and text `in_json`.

    `quiet` omits WWW-Authenticate, for which a browser would open a password dialog. Raises `error`
    itself if its code has no status.
    """
    status = _status(profile, error, registering=registering, in_json=in_json)
    headers: dict[str, str] = {}
    if status == 401 and not quiet:
        headers["www-authenticate"] = 'Basic realm="poker", charset="UTF-8"'
    if status == 503:
        headers["retry-after"] = "1"
    if isinstance(error, TooOften):
        headers["retry-after"] = str(math.ceil(error.seconds))
    if not in_json:
        return text_answer(status, str(error), **headers)
    text = json.dumps({"code": error.code, "text": str(error)}) + "\n"
    return Response(text, status, {"content-type": JSON, **headers})


def _status(profile: Profile, error: PokerError, *, registering: bool, in_json: bool) -> int:
    status = _STATUSES.get(error.code)
    if error.code == "out_of_turn":
        status = 409 if in_json else profile.out_of_turn
    elif error.code == "no_credentials":
        status = 400 if registering else 401 if in_json else profile.no_credentials
    elif status is None and isinstance(error, BadInput):
        status = 400
    elif status is None and isinstance(error, RoomError):
        status = 503
    if status is None:
        raise error
    return status


# -- polls for unchanged views, answered before any route, body or request object is made -----
#
# Most are answered by the guard of their connection, before the HTTP server hears of them (`Polls.unchanged`); the others,
# such as those from behind a proxy, by `Polls` as an ASGI layer. Both ask the same question.

_GAMES: Final = "/games/"
_KINDS: Final = {"": ("g", "/games/{game_id}"), "table": ("t", "/games/{game_id}/table")}
"""What follows a game's id in the path -> the kind of view, and the path's pattern for the metrics."""
_PLAIN: Final = frozenset({b"cookie", b"content-length", b"transfer-encoding"})
"""A request with one of these headers is left to its route, which looks up a session or reads a body."""
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in FRESH.items()]

Unchanged = tuple[str, bytes]
"""A poll of an unchanged view: the path's pattern and the view's tag."""


def _of_tag(tag: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"etag", tag), *_HEADERS]


def head_of(tag: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the answer to a poll of an unchanged view, with these headers of the HTTP server first."""
    lines = [b"%s: %s\r\n" % header for header in (*headers, *_of_tag(tag))]
    return b"HTTP/1.1 304 Not Modified\r\n%s\r\n" % b"".join(lines)


class Polls:
    """The outermost layer of the API: a GET whose If-None-Match names the newest view of a game is answered 304 at once.

    Whatever needs more (a first password, a session, a refusal) is left to the application `behind`, so this
    layer never changes an answer. The tag follows from the game's version and the viewer; no view is made.
    """

    def __init__(
        self,
        behind: ASGIApp,
        entry: Entry,
        *,
        lobby: Lobby,
        profile: Profile,
        views: Views,
        hooks: Hooks,
        metrics: Metrics,
        held: Held,
    ) -> None:
        self.entry: Final = entry
        self.hooks: Final = hooks
        self.metrics: Final = metrics
        self.behind: Final = behind
        self._lobby: Final = lobby
        self._profile: Final = profile
        self._views: Final = views
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
        await send({"type": "http.response.start", "status": 304, "headers": _of_tag(current[1])})
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
        self.metrics.answered("GET", poll[0], 304, seconds)

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
            user = self.entry.door.known(header.decode("latin-1"), client[0] if client else "")
            if user is None:
                return None
            owner = user.id
        if kind[0] == "g":
            stranger = owner is not None and not game.roster.plays(owner)
            if not game.setting.by_contract or (stranger and self._profile.stranger != 200):
                return None
        tag = self._views.game_tag(kind[0], game, owner).encode()
        return (kind[1], tag) if tag in wanted else None
