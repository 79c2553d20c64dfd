"""The OpenAPI document: every route with its body, its answers and its security."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs

from poker_actors.server.hspe import Profile
from poker_actors.server.http.openapi.examples import EXAMPLES, GAME_ID, HAND_ID, PLAYER_ID
from poker_actors.server.http.openapi.schemas import schemas
from poker_actors.server.live import MOST_LISTED

__all__ = ["document"]

Asks = Literal["nobody", "anybody", "somebody"]

_TEXTS: Final = {
    200: "Done.",
    201: "Done, or made.",
    202: "The table is full: waits for a seat.",
    204: "Done.",
    304: "Still what it was under that ETag.",
    400: "The request does not read.",
    401: "No credentials, or wrong ones.",
    403: "Not for this user, or sent by another site's page.",
    404: "There is no such thing.",
    408: "The request took too long to come.",
    409: "Not now.",
    413: "The body is too long.",
    422: "Not legal here, or an Idempotency-Key that was for another request.",
    429: "Too often, or too many connections; Retry-After says when.",
    431: "The headers are too long.",
    503: "Too much at a time, or the journal cannot be written.",
}
_ALWAYS: Final = (408, 413, 429, 431, 503)
_PARAMETERS: Final = {
    "game_id": ("The game.", GAME_ID),
    "tournament_id": ("The tournament.", GAME_ID),
    "player_id": ("The player: the user's id.", PLAYER_ID),
    "token": ("The link's last part.", "Zm9yIHNoYXJlZCBoYW5kcw"),
    "session_id": ("The log-in, by its id.", "0123456789abcdef"),
    "hand_id": ("The hand, whole or its last part.", HAND_ID.rpartition("/")[2]),
}


@attrs.frozen
class _Operation:
    """One method of one route. `gives` is schema and status of each good answer."""

    summary: str
    gives: Mapping[int, str | None]
    errors: tuple[int, ...] = ()
    takes: str | None = None
    needs: bool = False
    """whether the body is required"""
    asks: Asks = "nobody"
    kind: str = "application/json"
    """media type of the good answers"""
    plain: bool = False
    """whether errors are a line of text, as in the contract"""
    queries: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)
    """name -> schema"""


_PAGE: Final[dict[str, dict[str, Any]]] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED},
    "after": {"type": "string"},
    "name": {"type": "string", "maxLength": 64},
    "free": {"enum": ["0", "1"]},
}


_QUERIES: Final = {
    "format": "phh", "wait": 0.1, "after": "12", "limit": 50, "name": "Friday", "free": "1"
}  # fmt: skip


def document(profile: Profile, version: str) -> dict[str, Any]:
    """Return the OpenAPI document of a server that speaks `profile`; `version` is the package's."""
    paths: dict[str, dict[str, Any]] = {}
    for route, operation in {**_contract(profile), **_BEYOND}.items():
        method, _, path = route.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _described(path, method, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hacker School Poker Engine, and what goes beyond it",
            "version": version,
            "summary": f"No-limit hold'em over REST and push; profile {profile.name}.",
            "description": "Every path also answers with, or without, a slash at its end. "
            "`/games/{game_id}/socket` is a WebSocket: the server sends pictures, see `docs/server.md`.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas(profile),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
            },
        },
    }


def _contract(profile: Profile) -> dict[str, _Operation]:
    old: dict[str, Any] = {"kind": profile.json_type, "plain": True}
    none = (profile.no_credentials,)
    turn = sorted({profile.out_of_turn, 409})  # 409: a game that the contract has no words for
    join = dict.fromkeys((profile.joined, 202), "Game" if profile.join_gives_game else "Id")
    game, one = "/games/{game_id}", "/games/{game_id}/players/{player_id}"
    return {
        "POST /users/": _Operation("Register, with the credentials sent.",
            {201: "Registered" if profile.id_in_object else "Id"}, (400, 403), asks="somebody", **old),
        "GET /games/": _Operation("All games, or a page of them: see Link and X-Total-Count.",
            {200: "Games", 304: None}, (400,), asks="anybody", queries=_PAGE, **old),
        "POST /games/": _Operation("Make a game, and join it.", {profile.made: "Game"}, (400, 401, 403, 422),
            takes="Setting", asks="somebody", **old),
        f"GET {game}": _Operation("One game; with the own hole cards.", {200: "Game", 304: None},
            (400, 401, 403, 404, 409), asks="anybody", **old),
        f"GET {game}/players/": _Operation("Who plays.", {200: "Players"}, (404,), **old),
        f"POST {game}/players/": _Operation("Join, or wait for a seat.", join, (400, 401, 403, 404, 409, 422),
            takes="Place", asks="somebody", **old),
        f"POST {one}/acts/": _Operation("Bet or fold; an invalid bet folds. With hand_id and seq, for that turn only.",
            {201: None}, (400, 401, 403, 404, 422, *turn), takes="Act", needs=True, asks="somebody", **old),
        f"DELETE {one}": _Operation("Leave, and forfeit what is left.", {200: None}, (401, 403, 404, *none),
            asks="somebody", **old),
        "GET /healthz": _Operation("Whether the room works.", {200: None}, **old),
    }  # fmt: skip


_WAIT: Final[dict[str, dict[str, Any]]] = {
    "wait": {"type": "number", "minimum": 0, "maximum": 30},
    "after": {"type": "integer"},
}
_ONE: Final = "/games/{game_id}"
_EVENT: Final = "/tournaments/{tournament_id}"
_BEYOND: Final = {
    "GET /account": _Operation("The own account: games and log-ins.", {200: "Account"}, (401,), asks="somebody"),
    "DELETE /account": _Operation("Delete the own account, with its password once more; in no game.", {204: None},
        (400, 401, 403, 409), takes="Proof", needs=True, asks="somebody"),
    "GET /account/hands": _Operation("The own hands of all tables, the newest first.", {200: "OwnHands"}, (401,),
        asks="somebody", queries={"name": _PAGE["name"]}),
    "GET /account/results": _Operation("What all hands ever played have brought, by day.", {200: "Results"}, (401,),
        asks="somebody"),
    "POST /shared": _Operation("Share a hand by a link, as one may see it oneself.", {201: "Link"},
        (400, 401, 403, 404, 422), takes="Which", needs=True, asks="somebody"),
    "GET /shared/{token}": _Operation("A shared hand, for whoever has the link.", {200: "History"}, (404,)),
    "DELETE /shared/{token}": _Operation("Stop sharing a hand.", {204: None}, (401, 403, 404), asks="somebody"),
    "POST /account/password": _Operation("Take another password; ends all other log-ins.", {204: None},
        (400, 401, 403), takes="NewPassword", needs=True, asks="somebody"),
    "DELETE /account/sessions": _Operation("Log out everywhere.", {200: "Ended"}, (401, 403), asks="somebody"),
    "DELETE /account/sessions/{session_id}": _Operation("End one log-in.", {200: "Ended"}, (401, 403, 404),
        asks="somebody"),
    "GET /tournaments": _Operation("All tournaments, those one can enter first.", {200: "Tournaments"}),
    "POST /tournaments": _Operation("Announce a tournament, and be in it.", {201: "Announced"}, (400, 401, 403, 422),
        takes="Announcement", asks="somebody"),
    f"GET {_EVENT}": _Operation("How a tournament stands, and where one plays.", {200: "Tournament"}, (401, 404),
        asks="anybody"),
    f"POST {_EVENT}/players": _Operation("Be in a tournament, which begins when all are in; late, where `can_enter` says so.", {204: None},
        (400, 401, 403, 404, 409, 422), asks="somebody"),
    f"DELETE {_EVENT}/players": _Operation("Be in it no more, before it begins.", {204: None}, (401, 403, 404, 409),
        asks="somebody"),
    f"POST {_EVENT}/house": _Operation("Have bots of the house take the places that are left.", {204: None},
        (400, 401, 403, 404, 409, 422), asks="somebody"),
    "POST /session": _Operation("Log in a browser, by Basic or by this body; gives a cookie.", {204: None},
        (400, 401, 403), takes="Login"),
    "GET /session": _Operation("Who is logged in.", {200: "Who"}, (401,), asks="somebody"),
    "DELETE /session": _Operation("Log out.", {204: None}, (403,)),
    "GET /lobby": _Operation("All games, as a lobby shows them.", {200: "Lobby", 304: None}, (400,),
        queries=_PAGE),
    "GET /lobby/stream": _Operation("The lobby, pushed whenever it is different: events `lobby`, `bye`.",
        {200: "Stream"}, (400,), kind="text/event-stream", queries=_PAGE),
    f"GET {_ONE}/table": _Operation("One picture of the game.", {200: "Picture", 304: None}, (400, 401, 404),
        asks="anybody", queries=_WAIT),
    f"GET {_ONE}/stream": _Operation("The picture, pushed whenever it is different: events `table`, `bye`.",
        {200: "Stream"}, (401, 404), asks="anybody", kind="text/event-stream"),
    f"POST {_ONE}/actions": _Operation("Take a turn; what is not legal is refused and changes nothing.",
        {200: "Acted"}, (400, 401, 403, 404, 409, 422), takes="Action", needs=True, asks="somebody"),
    f"POST {_ONE}/seat": _Operation("Sit out, sit in, or bring the stack up to the buy-in between hands.",
        {200: "Sat"}, (400, 401, 403, 404, 409, 422), takes="Sitting", needs=True, asks="somebody"),
    f"POST {_ONE}/plan": _Operation("Decide the next turn of the hand before it comes, or take that back.",
        {200: "Planned"}, (400, 401, 403, 404, 409, 422), takes="Planning", needs=True, asks="somebody"),
    f"GET {_ONE}/plan": _Operation("What is decided for the own next turn.", {200: "Planned"}, (401, 404), asks="somebody"),
    f"POST {_ONE}/choice": _Operation("Name the game of the next hands, where the dealer chooses.",
        {200: "Chosen"}, (400, 401, 403, 404, 409, 422), takes="Choice", needs=True, asks="somebody"),
    f"POST {_ONE}/house": _Operation("Fill seats with players of the house.", {201: "Seated"},
        (400, 401, 403, 404, 409, 422), takes="Wish", asks="somebody"),
    f"DELETE {_ONE}/house": _Operation("Send the players of the house away, after the hand.", {204: None},
        (401, 403, 404), asks="somebody"),
    f"GET {_ONE}/hands": _Operation("The hands played last, the newest first.", {200: "Hands"}, (401, 404),
        asks="anybody"),
    f"GET {_ONE}/hands/{{hand_id}}": _Operation("A hand's history, for who was dealt in.", {200: "History"},
        (400, 401, 403, 404), asks="somebody", queries={"format": {"type": "string", "enum": ["json", "phh"], "default": "json"}}),
    "GET /metrics": _Operation("Counts, for Prometheus.", {200: "Stream"}, kind="text/plain"),
    "GET /openapi.json": _Operation("This document.", {200: "Document"}),
}  # fmt: skip


def _described(path: str, method: str, operation: _Operation) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [_parameter(name) for name in names] + [
        _query(name, shape) for name, shape in operation.queries.items()
    ]
    if method == "POST" and operation.asks == "somebody" and path not in ("/users/", "/account/password"):
        parameters.append(_KEY)
    errors = sorted({*operation.errors, *_ALWAYS} - set(operation.gives))
    told: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": _name(path, method),
        "parameters": parameters,
        "responses": {
            **{
                str(status): _answer(status, name, operation.kind) for status, name in operation.gives.items()
            },
            **{str(status): _error(status, plain=operation.plain) for status in errors},
        },
        "security": _SECURITY[operation.asks],
    }
    if operation.takes is not None:
        content = {"application/json": _shaped(operation.takes)}
        told["requestBody"] = {"required": operation.needs, "content": content}
    return told


_SECURITY: Final[dict[Asks, list[dict[str, list[str]]]]] = {
    "nobody": [],
    "anybody": [{"basic": []}, {"cookie": []}, {}],
    "somebody": [{"basic": []}, {"cookie": []}],
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same request with the same key is done once, and answered as at first.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"},
    "example": "8e03978e-40d5-43e8-bc93-6894a57f9324",
}


def _parameter(name: str) -> dict[str, Any]:
    text, example = _PARAMETERS[name]
    shape = {"type": "string"}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": text,
        "schema": shape,
        "example": example,
    }


def _query(name: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": dict(shape), "example": _QUERIES[name]}


def _name(path: str, method: str) -> str:
    words = [part.strip("{}").replace(".", "_") for part in path.split("/") if part]
    return "_".join([method.lower(), *words])


def _answer(status: int, name: str | None, kind: str) -> dict[str, Any]:
    told: dict[str, Any] = {"description": _TEXTS[status]}
    if name is not None:
        told["content"] = {kind: _shaped(name)}
        if name == "History":
            told["content"]["text/plain"] = _shaped("Stream")
    return told


def _shaped(name: str) -> dict[str, Any]:
    if name in ("Document", "Stream"):
        return {"schema": {"type": "object" if name == "Document" else "string"}}
    return {"schema": {"$ref": f"#/components/schemas/{name}"}, "example": EXAMPLES[name]}


def _error(status: int, *, plain: bool) -> dict[str, Any]:
    text = {"text/plain": {"schema": {"type": "string"}, "example": f"{_TEXTS[status]}\n"}}
    said = text if plain else {"application/json": _shaped("Refusal"), **text}
    return {"description": _TEXTS[status], "content": said}
