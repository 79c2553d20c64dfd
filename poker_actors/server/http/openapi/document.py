"""The OpenAPI document: every route with its body, its answers and its security."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs

from poker_actors.server.hspe import Profile
from poker_actors.server.http.exchange import MOST_SOUGHT
from poker_actors.server.http.openapi.examples import EXAMPLES, GAME_ID, HAND_ID, PLAYER_ID
from poker_actors.server.http.openapi.schemas import schemas
from poker_actors.server.live import MOST_LISTED

__all__ = ["document"]

Asks = Literal["nobody", "anybody", "somebody"]

_TEXTS: Final = {
    200: "Done.",
    201: "Done or created.",
    202: "Taken, and not over: waiting for a seat, or being checked.",
    204: "Done.",
    304: "Unchanged since that ETag.",
    400: "The request is malformed.",
    401: "No credentials, or wrong ones.",
    403: "Not allowed for this user, or sent from another site's page.",
    404: "Not found.",
    408: "The request took too long to arrive.",
    409: "Not possible now.",
    413: "The body is too long.",
    422: "Not legal here, or an Idempotency-Key already used for another request.",
    429: "Too many requests or connections; Retry-After says when to try again.",
    431: "The headers are too long.",
    503: "Overloaded, or the journal cannot be written.",
}
_ALWAYS: Final = (408, 413, 429, 431, 503)
_PARAMETERS: Final = {
    "game_id": ("The game.", GAME_ID),
    "tournament_id": ("The tournament.", GAME_ID),
    "player_id": ("The player: a user's id.", PLAYER_ID),
    "token": ("The last part of the link.", "Zm9yIHNoYXJlZCBoYW5kcw"),
    "session_id": ("The log-in's id.", "0123456789abcdef"),
    "entrant": ("The entrant's name.", "kim"),
    "match": ("The match, by its key.", "f859fb8c09539d0215213e34"),
    "hand_id": ("The hand's id, or its last part.", HAND_ID.rpartition("/")[2]),
}


@attrs.frozen
class _Operation:
    """One method of one route. `gives` maps the status of each good answer to its schema."""

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
    """whether errors are a line of text, as HSPE has them"""
    queries: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)
    """name -> schema"""


_PAGE: Final[dict[str, dict[str, Any]]] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED},
    "after": {"type": "string"},
    "name": {"type": "string", "maxLength": MOST_SOUGHT},
    "free": {"enum": ["0", "1"]},
}


_QUERIES: Final = {
    "format": "phh", "wait": 0.1, "after": "12", "limit": 50, "name": "Friday", "free": "1"
}  # fmt: skip


def document(profile: Profile, version: str, *, arena: bool = False) -> dict[str, Any]:
    """Return the OpenAPI document of a server that speaks `profile`; `version` is the package's, `arena` whether it has one."""
    paths: dict[str, dict[str, Any]] = {}
    for route, operation in {**_contract(profile), **_BEYOND, **(_ARENA if arena else {})}.items():
        method, _, path = route.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _described(path, method, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hacker School Poker Engine, and what goes beyond it",
            "version": version,
            "summary": f"Poker over REST, with server-sent events; profile {profile.name}.",
            "description": "Every path works with and without a trailing slash. "
            "`/games/{game_id}/socket` is a WebSocket that sends pictures of the table; see `docs/server.md`.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas(profile, arena=arena),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
            },
        },
    }


def _contract(profile: Profile) -> dict[str, _Operation]:
    old: dict[str, Any] = {"kind": profile.json_type, "plain": True}
    none = (profile.no_credentials,)
    turn = sorted({profile.out_of_turn, 409})  # 409: a game that HSPE cannot describe
    join = dict.fromkeys((profile.joined, 202), "Game" if profile.join_gives_game else "Id")
    game, one = "/games/{game_id}", "/games/{game_id}/players/{player_id}"
    return {
        "POST /users/": _Operation("Register with the credentials sent.",
            {201: "Registered" if profile.id_in_object else "Id"}, (400, 403), asks="somebody", **old),
        "GET /games/": _Operation("List games, all or a page of them; see the headers Link and X-Total-Count.",
            {200: "Games", 304: None}, (400,), asks="anybody", queries=_PAGE, **old),
        "POST /games/": _Operation("Create a game and join it.", {profile.made: "Game"}, (400, 401, 403, 422),
            takes="Setting", asks="somebody", **old),
        f"GET {game}": _Operation("Get a game, with your own hole cards.", {200: "Game", 304: None},
            (400, 401, 403, 404, 409), asks="anybody", **old),
        f"GET {game}/players/": _Operation("List the players of a game.", {200: "Players"}, (404,), **old),
        f"POST {game}/players/": _Operation("Join a game, or wait for a seat.", join, (400, 401, 403, 404, 409, 422),
            takes="Place", asks="somebody", **old),
        f"POST {one}/acts/": _Operation("Bet or fold; an invalid bet folds. With hand_id and seq, only on that turn.",
            {201: None}, (400, 401, 403, 404, 422, *turn), takes="Act", needs=True, asks="somebody", **old),
        f"DELETE {one}": _Operation("Leave, forfeiting all remaining chips.", {200: None}, (401, 403, 404, *none),
            asks="somebody", **old),
        "GET /healthz": _Operation("Check that the room works.", {200: None}, **old),
    }  # fmt: skip


_WAIT: Final[dict[str, dict[str, Any]]] = {
    "wait": {"type": "number", "minimum": 0, "maximum": 30},
    "after": {"type": "integer"},
}
_ONE: Final = "/games/{game_id}"
_EVENT: Final = "/tournaments/{tournament_id}"
_BEYOND: Final = {
    "GET /account": _Operation("Get your account: games and log-ins.", {200: "Account"}, (401,), asks="somebody"),
    "DELETE /account": _Operation("Delete your account; repeat the password, and leave all games first.", {204: None},
        (400, 401, 403, 409), takes="Proof", needs=True, asks="somebody"),
    "GET /account/hands": _Operation("List your hands at all tables, newest first.", {200: "OwnHands"}, (400, 401),
        asks="somebody", queries={"name": _PAGE["name"]}),
    "GET /account/results": _Operation("Get your net results by day.", {200: "Results"}, (401,),
        asks="somebody"),
    "POST /shared": _Operation("Share a hand by a link, as you see it.", {201: "Link"},
        (400, 401, 403, 404, 422), takes="Which", needs=True, asks="somebody"),
    "GET /shared/{token}": _Operation("Get a shared hand; anybody with the link can.", {200: "History"}, (404,)),
    "DELETE /shared/{token}": _Operation("Stop sharing a hand.", {204: None}, (401, 403, 404), asks="somebody"),
    "POST /account/password": _Operation("Change the password; ends all other log-ins.", {204: None},
        (400, 401, 403), takes="NewPassword", needs=True, asks="somebody"),
    "DELETE /account/sessions": _Operation("Log out everywhere.", {200: "Ended"}, (401, 403), asks="somebody"),
    "DELETE /account/sessions/{session_id}": _Operation("End one log-in.", {200: "Ended"}, (401, 403, 404),
        asks="somebody"),
    "GET /tournaments": _Operation("List tournaments, those open for entry first.", {200: "Tournaments"}),
    "POST /tournaments": _Operation("Announce a tournament and enter it.", {201: "Announced"}, (400, 401, 403, 422),
        takes="Announcement", asks="somebody"),
    f"GET {_EVENT}": _Operation("Get a tournament's standings, and the table you play at.", {200: "Tournament"}, (401, 404),
        asks="anybody"),
    f"POST {_EVENT}/players": _Operation("Enter a tournament, which starts when it is full; late if `can_enter` says so.", {204: None},
        (400, 401, 403, 404, 409, 422), asks="somebody"),
    f"DELETE {_EVENT}/players": _Operation("Withdraw from a tournament before it starts.", {204: None}, (401, 403, 404, 409),
        asks="somebody"),
    f"POST {_EVENT}/house": _Operation("Fill the remaining places with house bots.", {204: None},
        (400, 401, 403, 404, 409, 422), asks="somebody"),
    "POST /session": _Operation("Log in a browser, by Basic credentials or this body; sets a cookie.", {204: None},
        (400, 401, 403), takes="Login"),
    "GET /session": _Operation("Get the user who is logged in.", {200: "Who"}, (401,), asks="somebody"),
    "DELETE /session": _Operation("Log out.", {204: None}, (403,)),
    "GET /lobby": _Operation("List games as a lobby shows them.", {200: "Lobby", 304: None}, (400,),
        queries=_PAGE),
    "GET /lobby/stream": _Operation("Stream the lobby at every change: events `lobby` and `bye`.",
        {200: "Stream"}, (400,), kind="text/event-stream", queries=_PAGE),
    f"GET {_ONE}/table": _Operation("Get a picture of the table.", {200: "Picture", 304: None}, (400, 401, 404),
        asks="anybody", queries=_WAIT),
    f"GET {_ONE}/stream": _Operation("Stream pictures of the table at every change: events `table` and `bye`.",
        {200: "Stream"}, (401, 404), asks="anybody", kind="text/event-stream"),
    f"POST {_ONE}/actions": _Operation("Take a turn; an illegal action is refused and changes nothing.",
        {200: "Acted"}, (400, 401, 403, 404, 409, 422), takes="Action", needs=True, asks="somebody"),
    f"POST {_ONE}/seat": _Operation("Sit out, sit in, or top the stack up to the buy-in between hands.",
        {200: "Sat"}, (400, 401, 403, 404, 409, 422), takes="Sitting", needs=True, asks="somebody"),
    f"POST {_ONE}/plan": _Operation("Plan your next turn of the hand in advance, or cancel the plan.",
        {200: "Planned"}, (400, 401, 403, 404, 409, 422), takes="Planning", needs=True, asks="somebody"),
    f"GET {_ONE}/plan": _Operation("Get the plan for your next turn.", {200: "Planned"}, (401, 404), asks="somebody"),
    f"POST {_ONE}/choice": _Operation("Choose the game of the next hands at a dealer's choice table.",
        {200: "Chosen"}, (400, 401, 403, 404, 409, 422), takes="Choice", needs=True, asks="somebody"),
    f"POST {_ONE}/house": _Operation("Fill seats with house bots.", {201: "Seated"},
        (400, 401, 403, 404, 409, 422), takes="Wish", asks="somebody"),
    f"DELETE {_ONE}/house": _Operation("Send the house bots away after the hand.", {204: None},
        (401, 403, 404), asks="somebody"),
    f"GET {_ONE}/heard": _Operation("Get how the last hand began for you, and how the last one ended.",
        {200: "Heard"}, (401, 404), asks="somebody"),
    f"GET {_ONE}/hands": _Operation("List the last hands, newest first.", {200: "Hands"}, (401, 404),
        asks="anybody"),
    f"GET {_ONE}/hands/{{hand_id}}": _Operation("Get the history of a hand you were dealt into.", {200: "History"},
        (400, 401, 403, 404), asks="somebody", queries={"format": {"type": "string", "enum": ["html", "json", "phh"], "default": "json"}}),
    "GET /metrics": _Operation("Get counters for Prometheus.", {200: "Stream"}, kind="text/plain"),
    "GET /openapi.json": _Operation("Get this document.", {200: "Document"}),
}  # fmt: skip


_ENTRANT: Final = "/arena/entrants/{entrant}"
_ARENA: Final = {
    "GET /arena/state": _Operation("Get who plays in the arena, and how far its run is.", {200: "Arena"}),
    "GET /arena/board": _Operation("Get the arena's board.", {200: "Board", 304: None}),
    "GET /arena/entrants": _Operation("List your entrants.", {200: "Entrants"}, (401,), asks="somebody"),
    f"GET {_ENTRANT}": _Operation("Get what came of an entrant of yours; `wait` for the end of its check, 30 s at most.", {200: "Entrant"},
        (400, 401, 404), asks="somebody", queries={"wait": {"type": "number", "minimum": 0}}),
    f"POST {_ENTRANT}": _Operation("Hand in an entrant: the bytes of a zip, a tar, a tar.gz or one file.", {202: "HandedIn"},
        (400, 401, 403, 409), asks="somebody"),
    f"DELETE {_ENTRANT}": _Operation("Withdraw an entrant of yours.", {204: None}, (401, 403, 404, 409), asks="somebody"),
    f"GET {_ENTRANT}/build": _Operation("Get what the build of an entrant of yours printed.", {200: "Stream"}, (401, 404),
        asks="somebody", kind="text/plain"),
    f"GET {_ENTRANT}/matches/{{match}}": _Operation("Get an entrant's own log of a match.", {200: "Stream"}, (401, 404),
        asks="somebody", kind="text/plain"),
    f"POST {_ENTRANT}/table": _Operation("Make a table of the arena's game with you and an entrant.", {201: "SatDown"},
        (400, 401, 403, 409, 422), asks="somebody"),
}  # fmt: skip


def _described(path: str, method: str, operation: _Operation) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [_parameter(name) for name in names] + [
        _query(name, shape) for name, shape in operation.queries.items()
    ]
    if (
        method == "POST"
        and operation.asks == "somebody"
        and path not in ("/users/", "/account/password", _ENTRANT)
    ):
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
    if (method, path) == ("POST", _ENTRANT):
        told["requestBody"] = {"required": True, "content": {"application/octet-stream": {"schema": {}}}}
    return told


_SECURITY: Final[dict[Asks, list[dict[str, list[str]]]]] = {
    "nobody": [],
    "anybody": [{"basic": []}, {"cookie": []}, {}],
    "somebody": [{"basic": []}, {"cookie": []}],
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A repeated request with the same key is carried out once, and answered as the first time.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]([ -~]*[!-~])?$"},
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
