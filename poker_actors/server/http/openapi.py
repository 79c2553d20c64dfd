"""The OpenAPI document: every route with its body, its answers and its security."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import attrs

from poker_actors.server import contract
from poker_actors.server.contract import answers, bodies, tables
from poker_actors.server.hspe import NAMES, Profile, Setting
from poker_actors.server.http.examples import EXAMPLES, GAME_ID, HAND_ID, PLAYER_ID
from poker_actors.server.http.exchange import HAND_FORMATS, MOST_SOUGHT, SHARED_FORMATS
from poker_actors.server.live import MOST_LISTED, Announcement
from poker_actors.server.shapes import Limit, schema_of
from poker_actors.server.users import ENTRANT

Schema = dict[str, Any]
_Board = answers.Board | Annotated[answers.NoBoard, Limit(closed=True)]
_Wish = Annotated[bodies.Alike | bodies.Mixed, Limit(closed=True)]
Asks = Literal["nobody", "anybody", "somebody"]

_TEXTS: Final = {
    200: "Done.",
    201: "Done or created.",
    202: "Accepted, but not done: waiting for a seat, or being checked.",
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
    "entrant": ("The entrant's name: letters, digits, blanks and . _ + -, 1 to 40.", "kim"),
    "match": ("The match, by its key.", "f859fb8c09539d0215213e34"),
    "hand_id": ("The hand's id, or its last part.", HAND_ID.rpartition("/")[2]),
}


@attrs.frozen
class _Operation:
    """One method of one route. `gives` maps the status of each good answer to its type."""

    summary: str
    gives: Mapping[int, Any]
    errors: tuple[int, ...] = ()
    takes: Any = None
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
    "format": "html", "wait": 0.1, "after": "12", "limit": 50, "name": "Friday", "free": "1"
}  # fmt: skip


def document(profile: Profile, version: str, *, arena: bool = False) -> dict[str, Any]:
    """Return the OpenAPI document of a server that speaks `profile`; `version` is the package's, `arena` whether it has one."""
    parts: dict[str, Schema] = {}
    paths: dict[str, dict[str, Any]] = {}
    for route, operation in {**_contract(profile), **_BEYOND, **(_ARENA if arena else {})}.items():
        method, _, path = route.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _described(path, method, operation, parts)
    _speak(profile, parts, arena=arena)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hacker School Poker Engine, and what goes beyond it",
            "version": version,
            "summary": f"Poker over REST, with server-sent events; profile {profile.name}.",
            "description": "Every path works with and without a trailing slash. "
            "Pushed messages, and the WebSocket `/games/{game_id}/socket`, are described in `/asyncapi.json`.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "webhooks": {"turn": {"post": _called(parts)}},
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
            },
        },
    }


def _called(parts: dict[str, Schema]) -> dict[str, Any]:
    """Return what the server sends to users' webhooks."""
    return {
        "summary": "It is your turn at a slow table.",
        "operationId": "turn_called",
        "requestBody": {"required": True, "content": {"application/json": _shaped(tables.TurnCall, parts)}},
        "responses": {"2XX": {"description": "Accepted. Any other status, even a redirect, is retried."}},
    }


def _contract(profile: Profile) -> dict[str, _Operation]:
    old: dict[str, Any] = {"kind": profile.json_type, "plain": True}
    none = (profile.no_credentials,)
    turn = sorted({profile.out_of_turn, 409})  # 409: a game that HSPE cannot describe
    join = dict.fromkeys((profile.joined, 202), tables.Game if profile.join_gives_game else contract.Id)
    game, one = "/games/{game_id}", "/games/{game_id}/players/{player_id}"
    return {
        "POST /users/": _Operation("Register with the credentials sent.",
            {201: tables.Registered if profile.id_in_object else contract.Id}, (400, 403), asks="somebody", **old),
        "GET /games/": _Operation("List games, all or a page of them; see the headers Link and X-Total-Count.",
            {200: list[tables.Game], 304: None}, (400,), asks="anybody", queries=_PAGE, **old),
        "POST /games/": _Operation("Create a game and join it.", {profile.made: tables.Game}, (400, 401, 403, 409),
            takes=Setting, asks="somebody", **old),
        f"GET {game}": _Operation("Get a game, with your own hole cards.", {200: tables.Game, 304: None},
            (400, 401, 403, 404, 409), asks="anybody", **old),
        f"GET {game}/players/": _Operation("List the players of a game.", {200: list[tables.Player] if profile.players_shown else list[dict[str, Any]]}, (404,), **old),
        f"POST {game}/players/": _Operation("Join a game, or wait for a seat.", join, (400, 401, 403, 404, 409),
            takes=bodies.Place, asks="somebody", **old),
        f"POST {one}/acts/": _Operation("Bet or fold; an invalid bet folds. With hand_id and seq, only on that turn.",
            {201: None}, (400, 401, 403, 404, *turn), takes=bodies.Act, needs=True, asks="somebody", **old),
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
    "GET /account": _Operation("Get your account: name, id, games, and log-ins with ids that are no secrets.", {200: answers.Account}, (401,), asks="somebody"),
    "DELETE /account": _Operation("Delete your account; repeat the password, and leave all games first. The name is free again.", {204: None},
        (400, 401, 403, 409), takes=bodies.Proof, needs=True, asks="somebody"),
    "GET /account/hands": _Operation("List your hands at all tables, newest first; `name` searches the names of tables and players.", {200: answers.OwnHands}, (400, 401),
        asks="somebody", queries={"name": _PAGE["name"]}),
    "GET /account/results": _Operation("Get your results over all hands ever played, in all and by day (UTC; 400 days of play, then one sum).", {200: answers.Results}, (401,),
        asks="somebody"),
    "GET /account/board": _Operation("Get whether you are on the board of players.", {200: bodies.OnBoard}, (401,),
        asks="somebody"),
    "POST /account/board": _Operation("Be listed on the board of players, or stop.", {200: bodies.OnBoard},
        (400, 401, 403), takes=bodies.OnBoard, needs=True, asks="somebody"),
    "GET /board": _Operation("Get the board of the room's players, as of the last whole day (UTC).",
        {200: answers.RoomBoard, 304: None}),
    "GET /account/hook": _Operation("Get your webhook.", {200: tables.Hook}, (401,), asks="somebody"),
    "POST /account/hook": _Operation("Set a webhook, called with a TurnCall when it is your turn at a slow table and you are away; 409 `no_hooks` if the server calls none.",
        {200: tables.Hook}, (400, 401, 403, 409), takes=bodies.HookWanted, needs=True, asks="somebody"),
    "DELETE /account/hook": _Operation("Remove the webhook.", {204: None}, (401, 403), asks="somebody"),
    "POST /shared": _Operation("Share a hand by a link, as you see it.", {201: answers.Link},
        (400, 401, 403, 404, 409), takes=bodies.Which, needs=True, asks="somebody"),
    "GET /shared/{token}": _Operation("Get a shared hand, or the page that replays it; anybody with the link can.", {200: answers.History}, (400, 404),
        queries={"format": {"enum": [*SHARED_FORMATS], "default": "json"}}),
    "DELETE /shared/{token}": _Operation("Stop sharing a hand.", {204: None}, (401, 403, 404), asks="somebody"),
    "POST /account/password": _Operation("Change the password; ends all other log-ins.", {204: None},
        (400, 401, 403), takes=bodies.NewPassword, needs=True, asks="somebody"),
    "DELETE /account/sessions": _Operation("Log out everywhere.", {200: answers.Ended}, (401, 403), asks="somebody"),
    "DELETE /account/sessions/{session_id}": _Operation("End one log-in.", {200: answers.Ended}, (401, 403, 404),
        asks="somebody"),
    "GET /tournaments": _Operation("List tournaments, those open for entry first.", {200: answers.Tournaments}),
    "POST /tournaments": _Operation("Announce a tournament and enter it.", {201: answers.Announced}, (400, 401, 403),
        takes=Announcement, asks="somebody"),
    f"GET {_EVENT}": _Operation("Get a tournament: level and its end (seconds since 1970, as `now`), standings with stacks and places, prizes (before the start those of a full field), and your table.", {200: answers.Tournament}, (401, 404),
        asks="anybody"),
    f"POST {_EVENT}/players": _Operation("Enter a tournament, which starts when it is full; late if `can_enter` says so.", {204: None},
        (400, 401, 403, 404, 409), asks="somebody"),
    f"DELETE {_EVENT}/players": _Operation("Withdraw from a tournament before it starts.", {204: None}, (401, 403, 404, 409),
        asks="somebody"),
    f"POST {_EVENT}/house": _Operation("Fill the remaining places with house bots.", {204: None},
        (400, 401, 403, 404, 409), asks="somebody"),
    "POST /session": _Operation("Log in a browser, by Basic credentials or this body; sets a cookie.", {204: None},
        (400, 401, 403), takes=bodies.Login),
    "GET /session": _Operation("Get the user who is logged in.", {200: answers.Who}, (401,), asks="somebody"),
    "DELETE /session": _Operation("Log out.", {204: None}, (403,)),
    "GET /lobby": _Operation("List games as a lobby shows them, with stakes and players, and the house bots.", {200: tables.Lobby, 304: None}, (400,),
        queries=_PAGE),
    "GET /lobby/stream": _Operation("Stream the lobby at every change, at most once a second: events `lobby` and `bye`.",
        {200: str}, (400,), kind="text/event-stream", queries=_PAGE),
    f"GET {_ONE}/table": _Operation("Get the table as one picture, with your cards and legal actions.", {200: tables.Picture, 304: None}, (400, 401, 404),
        asks="anybody", queries=_WAIT),
    f"GET {_ONE}/stream": _Operation("Stream pictures of the table at every change: events `table` and `bye`.",
        {200: str}, (401, 404), asks="anybody", kind="text/event-stream"),
    f"POST {_ONE}/actions": _Operation("Take a turn; an illegal action is refused and changes nothing.",
        {200: answers.Acted}, (400, 401, 403, 404, 409), takes=bodies.Action, needs=True, asks="somebody"),
    f"POST {_ONE}/seat": _Operation("Sit out, sit in, or top the stack up to the buy-in between hands.",
        {200: answers.Sat}, (400, 401, 403, 404, 409), takes=bodies.Sitting, needs=True, asks="somebody"),
    f"POST {_ONE}/plan": _Operation("Plan your next turn of the hand in advance, or cancel the plan.",
        {200: answers.Planned}, (400, 401, 403, 404, 409), takes=bodies.Planning, needs=True, asks="somebody"),
    f"GET {_ONE}/plan": _Operation("Get the plan for your next turn.", {200: answers.Planned}, (401, 404), asks="somebody"),
    f"POST {_ONE}/chat": _Operation("Say something at your table, to those that its setting `chat` names; pictures show it.",
        {201: tables.Said}, (400, 401, 403, 404, 409), takes=bodies.Saying, needs=True, asks="somebody"),
    f"POST {_ONE}/choice": _Operation("Choose the game of the next hands at a dealer's choice table.",
        {200: answers.Chosen}, (400, 401, 403, 404, 409), takes=bodies.Choice, needs=True, asks="somebody"),
    f"POST {_ONE}/house": _Operation("Fill seats with house bots.", {201: answers.Seated},
        (400, 401, 403, 404, 409), takes=_Wish, asks="somebody"),
    f"DELETE {_ONE}/house": _Operation("Send the house bots away after the hand.", {204: None},
        (401, 403, 404), asks="somebody"),
    f"GET {_ONE}/ledger": _Operation("Get who owes whom at a table with a ledger where you sit or sat, or that you made.",
        {200: tables.Ledger}, (401, 403, 404), asks="somebody"),
    f"GET {_ONE}/ledger.csv": _Operation("Get the same as a file of comma-separated values.", {200: str}, (401, 403, 404),
        asks="somebody", kind="text/csv"),
    f"GET {_ONE}/heard": _Operation("Get how the last hand began for you, and how the last one ended, in the form of protocol 2.",
        {200: tables.Heard}, (401, 404), asks="somebody"),
    f"GET {_ONE}/hands": _Operation("List the last 25 hands, newest first: pot, board, winners, players.", {200: list[answers.Hand]}, (401, 404),
        asks="anybody"),
    f"GET {_ONE}/hands/{{hand_id}}": _Operation("Get the history of a hand you were dealt into: JSON, PHH (of one board), or the page that replays it.", {200: answers.History},
        (400, 401, 403, 404), asks="somebody", queries={"format": {"enum": [*HAND_FORMATS], "default": "json"}}),
    "GET /metrics": _Operation("Get counts for Prometheus, without names, ids or cards; missing if there is an operator's port.", {200: str}, kind="text/plain"),
    "GET /openapi.json": _Operation("Get this document.", {200: dict[str, Any]}),
    "GET /asyncapi.json": _Operation("Get the AsyncAPI document of pushed messages.", {200: dict[str, Any]}),
    "GET /client.ts": _Operation("Get a client in TypeScript, made from these documents.", {200: str}, kind="text/plain"),
}  # fmt: skip


_ENTRANT: Final = "/arena/entrants/{entrant}"
_ARENA: Final = {
    "GET /arena/state": _Operation("Get the arena's entrants, and the progress of its run.", {200: answers.Arena}),
    "GET /arena/board": _Operation("Get the arena's board.", {200: _Board, 304: None}),
    "GET /arena/entrants": _Operation("List your entrants.", {200: answers.Entrants}, (401,), asks="somebody"),
    f"GET {_ENTRANT}": _Operation("Get the state of an entrant of yours; `wait` for the end of its check, 30 s at most.", {200: answers.Entrant},
        (400, 401, 404), asks="somebody", queries={"wait": {"type": "number", "minimum": 0}}),
    f"POST {_ENTRANT}": _Operation("Hand in an entrant: the bytes of a zip, a tar, a tar.gz or one file.", {202: answers.HandedIn},
        (400, 401, 403, 409), asks="somebody"),
    f"DELETE {_ENTRANT}": _Operation("Withdraw an entrant of yours.", {204: None}, (401, 403, 404, 409), asks="somebody"),
    f"GET {_ENTRANT}/build": _Operation("Get the build output of an entrant of yours.", {200: str}, (401, 404),
        asks="somebody", kind="text/plain"),
    f"GET {_ENTRANT}/matches/{{match}}": _Operation("Get an entrant's own log of a match.", {200: str}, (401, 404),
        asks="somebody", kind="text/plain"),
    f"POST {_ENTRANT}/table": _Operation("Make a table of the arena's game with you and an entrant.", {201: answers.SatDown},
        (400, 401, 403, 409), asks="somebody"),
}  # fmt: skip


def _described(path: str, method: str, operation: _Operation, parts: dict[str, Schema]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [_parameter(name) for name in names] + [
        _query(name, shape) for name, shape in operation.queries.items()
    ]
    keyed = method == "POST" and operation.asks == "somebody" and path not in _KEYLESS
    parameters += [_KEY] if keyed else []
    errors = sorted({*operation.errors, *_ALWAYS, *(_OF_KEYS if keyed else ())} - set(operation.gives))
    told: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": _name(path, method),
        "parameters": parameters,
        "responses": {
            **{
                str(status): _answer(status, kind, operation.kind, parts)
                for status, kind in operation.gives.items()
            },
            **{str(status): _error(status, parts, plain=operation.plain) for status in errors},
        },
        "security": _SECURITY[operation.asks],
    }
    if operation.takes is not None:
        content = {"application/json": _shaped(operation.takes, parts)}
        told["requestBody"] = {"required": operation.needs, "content": content}
    if (method, path) == ("POST", _ENTRANT):
        told["requestBody"] = {"required": True, "content": {"application/octet-stream": {"schema": {}}}}
    return told


_KEYLESS: Final = ("/users/", "/account/password", _ENTRANT)
_OF_KEYS: Final = (400, 422)
"""The refusals of an Idempotency-Key: it is invalid, or was used for another request."""
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


def _answer(status: int, kind: Any, media: str, parts: dict[str, Schema]) -> dict[str, Any]:
    told: dict[str, Any] = {"description": _TEXTS[status]}
    if kind is not None:
        told["content"] = {media: _shaped(kind, parts)}
        if kind is answers.History:
            told["content"] |= {one: _shaped(str, parts) for one in ("text/plain", "text/html")}
    return told


def _shaped(kind: Any, parts: dict[str, Schema]) -> dict[str, Any]:
    shaped, example = {"schema": schema_of(kind, parts)}, _example(kind)
    return shaped if example is None else shaped | {"example": example}


def _example(kind: Any) -> Any:
    """Return the example of a type; for a list, one with an item."""
    while get_origin(kind) in (Annotated, UnionType):
        kind = get_args(kind)[0]
    if get_origin(kind) is list:
        item = _example(get_args(kind)[0])
        return None if item is None else [item]
    return EXAMPLES.get(getattr(kind, "__name__", ""))


def _error(status: int, parts: dict[str, Schema], *, plain: bool) -> dict[str, Any]:
    text = {"text/plain": {"schema": {"type": "string"}, "example": f"{_TEXTS[status]}\n"}}
    said = text if plain else {"application/json": _shaped(answers.Refusal, parts), **text}
    return {"description": _TEXTS[status], "content": said}


def _speak(profile: Profile, parts: dict[str, Schema], *, arena: bool) -> None:
    """Keep only the fields that the dialect of `profile` has, and require them all."""
    keys = {"small_blind", "small blind"} - set(profile.small_blind_keys)
    for name, there in (("invalid_bet", profile.says_why), ("last_winners", profile.last_winners)):
        keys |= set() if there else {name}
    for name in ("Player", "Game"):
        shape = parts[name]
        shape["properties"] = {key: one for key, one in shape["properties"].items() if key not in keys}
        shape["required"] = sorted(shape["properties"])
    if arena:  # its entrants sit down where house bots do
        entrant = {"type": "string", "pattern": f"^{ENTRANT}"}
        alike, mixed = parts["Alike"]["properties"], parts["Mixed"]["properties"]
        alike["bot"] = mixed["bots"]["items"] = {"anyOf": [alike["bot"], entrant]}
    # the reader of acts knows the dialect, too
    act = parts["Act"]
    if profile.loose_orders:
        act["required"] = []
        act["allOf"] = [rule for rule in act["allOf"] if "if" not in rule]
    else:
        act["properties"]["action"] = {"enum": [bodies.FOLD, bodies.BET]}
    parts["Choice"]["properties"]["game"] = {"enum": list(NAMES)}
    # said beside a game's own settings: how its maker sits
    parts["Setting"]["properties"]["keeps_seat"] = schema_of(bool | None, parts)


# -- push ----------------------------------------------------------------------------------------

_CHANNELS: Final[Mapping[str, tuple[str, str, tuple[Any, ...], tuple[Any, ...]]]] = {
    "socket": (f"{_ONE}/socket", "A WebSocket: pictures of a table at every change, and turns taken.",
        (answers.Pushed, answers.Done, answers.Refused, answers.Pong), (answers.Doing, answers.Ping)),
    "table": (f"{_ONE}/stream", "Server-sent events: pictures of a table at every change.", (tables.Picture, answers.Bye), ()),
    "lobby": ("/lobby/stream", "Server-sent events: the lobby, at most once a second.", (tables.Lobby, answers.Bye), ()),
}  # fmt: skip
"""Name -> its path, a description, and the messages that the server sends and takes."""
_EVENTS: Final = {"Picture": "table", "Lobby": "lobby", "Bye": "bye"}
"""Names of server-sent events by their data."""


def push_document(version: str) -> dict[str, Any]:
    """Return the AsyncAPI document of pushed messages; `version` is the package's."""
    parts: dict[str, Schema] = {}
    channels, operations = {}, {}
    messages: dict[str, Any] = {}
    for name, (path, summary, sent, taken) in _CHANNELS.items():
        for kind in (*sent, *taken):
            messages[kind.__name__] = {
                "name": _EVENTS.get(kind.__name__, kind.__name__),
                "payload": schema_of(kind, parts),
            }
        channels[name] = {
            "address": path,
            "description": summary,
            "messages": {
                kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in (*sent, *taken)
            },
        }
        if "{game_id}" in path:
            channels[name]["parameters"] = {"game_id": {"description": _PARAMETERS["game_id"][0]}}
        for action, kinds in (("send", sent), ("receive", taken)):
            if kinds:
                operations[f"{action}_{name}"] = {
                    "action": action,
                    "channel": {"$ref": f"#/channels/{name}"},
                    "messages": [{"$ref": f"#/channels/{name}/messages/{kind.__name__}"} for kind in kinds],
                }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Messages that the poker server pushes", "version": version},
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": parts},
    }
