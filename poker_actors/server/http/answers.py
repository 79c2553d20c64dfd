"""Build answers: JSON or plain text with a newline, and the status of each refusal."""

from __future__ import annotations

import gzip
import json
import math
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from poker_actors.errors import BadInput, PokerError, RoomError
from poker_actors.guard import TooOften
from poker_actors.server.hspe import Profile

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
    text = json.dumps(value, separators=(",", ":")) + "\n"
    return Response(text, status, media_type=None, headers={"content-type": profile.json_type})


def plain_answer(status: int, value: object, **headers: str) -> Response:
    """Return an answer with a value as JSON, the same in both dialects."""
    text = json.dumps(value, separators=(",", ":")) + "\n"
    named = {name.replace("_", "-"): one for name, one in headers.items()}
    return Response(text, status, {"content-type": JSON, "cache-control": "no-store", **named})


def text_answer(status: int, text: str, **headers: str) -> Response:
    """Return an answer with a sentence, or without a body if it is empty."""
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
