"""Answers: JSON or plain text with a newline, and which refusal is which status."""

from __future__ import annotations

import json
import math
from typing import Final

from starlette.responses import Response

from poker_actors.errors import BadInput, PokerError, RoomError
from poker_actors.server.hspe import Profile
from poker_actors.server.users import TooOften

__all__ = ["TEXT", "json_answer", "refusal", "text_answer"]

TEXT: Final = "text/plain; charset=utf-8"

_STATUSES: Final = {
    "already_joined": 409,
    "bad_credentials": 401,
    "name_taken": 403,
    "no_game": 404,
    "no_player": 404,
    "not_joined": 404,
    "not_yours": 403,
    "too_large": 413,
    "too_many": 503,
    "too_often": 429,
}
"""What is refused alike in both dialects; the others are in `Profile`."""


def json_answer(profile: Profile, status: int, value: object) -> Response:
    """Answer a value as one line of JSON."""
    text = json.dumps(value, separators=(",", ":")) + "\n"
    return Response(text, status, media_type=None, headers={"content-type": profile.json_type})


def text_answer(status: int, text: str, **headers: str) -> Response:
    """Answer a sentence, or, for an empty one, no body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(f"{text}\n" if text else "", status, headers={"content-type": TEXT, **named})


def refusal(profile: Profile, error: PokerError, *, registering: bool = False) -> Response:
    """Answer a refusal: its status by its code, its text as the body."""
    status = _STATUSES.get(error.code)
    if error.code == "out_of_turn":
        status = profile.out_of_turn
    elif error.code == "no_credentials":
        status = 400 if registering else profile.no_credentials
    elif status is None and isinstance(error, BadInput):
        status = 400
    elif status is None and isinstance(error, RoomError):
        status = 503
    if status is None:
        raise error
    if status == 401:
        return text_answer(401, str(error), www_authenticate='Basic realm="poker", charset="UTF-8"')
    if status == 503:
        return text_answer(503, str(error), retry_after="1")
    if isinstance(error, TooOften):
        return text_answer(status, str(error), retry_after=str(math.ceil(error.seconds)))
    return text_answer(status, str(error))
