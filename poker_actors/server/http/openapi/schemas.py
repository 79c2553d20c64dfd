"""JSON schemas of the API's requests and answers."""

from __future__ import annotations

from typing import Any, Final

from poker_actors.server.hspe import Profile
from poker_actors.server.users import ENTRANT, HOUSE_BOTS

__all__ = ["schemas"]

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_FLAG: Final[Schema] = {"type": "boolean"}
_ID: Final[Schema] = {"type": "string", "format": "uuid"}
_TABLE: Final[Schema] = {
    "type": "string",
    "description": "A game's id, or a tournament's id with the number of a table.",
}
_CARD: Final[Schema] = {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
_OLD_CARD: Final[Schema] = {"type": "string", "pattern": "^[2-9TJQKA][CDHS]$"}
_WIN: Final = "Winner"
_PLANS: Final = ["call_any", "check_fold", None]


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _maybe(of: Schema) -> Schema:
    return {"anyOf": [of, {"type": "null"}]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Schema, optional: Schema | None = None, *, closed: bool = False) -> Schema:
    shape = {
        "type": "object",
        "required": sorted(required),
        "properties": {**required, **(optional or {})},
    }
    return shape | ({"additionalProperties": False} if closed else {})


_ROWS: Final[Schema] = {"type": "array", "items": _list(_CARD), "minItems": 3, "maxItems": 3}
"""The cards laid in open-face: top, middle and bottom row."""
_STAKES: Final = _object({"small_blind": _COUNT, "big_blind": _COUNT})


_SHARE: Final = {"board": _COUNT, "share": _TEXT, "amount": _COUNT, "hand": _TEXT}


def schemas(profile: Profile, *, arena: bool = False) -> dict[str, Schema]:
    """Return every schema by name, in the dialect of `profile`; `arena` says whether the server has one."""
    found = _contract(profile) | _pictures() | _asked(arena=arena) | _told() | _tournaments()
    return found | (_arena() if arena else {})


def _contract(profile: Profile) -> dict[str, Schema]:
    player = {
        "playerID": _ID,
        "handle": _TEXT,
        "state": {"enum": ["active", "folded", "called"]},
        "wealth": _COUNT,
        "bet_so_far": _COUNT,
    } | dict.fromkeys(profile.small_blind_keys, _FLAG)
    turn = {
        "playerID": _TEXT,
        "bet_so_far": _COUNT,
        "bet_to_player": _COUNT,
        "minimum_raise": _COUNT,
        "expiry": _TEXT,
    }
    cards = {street: _maybe(_list(_OLD_CARD)) for street in ("hole", "flop", "turn", "river")}
    game = {
        "gameID": _TABLE,
        "table": _list(_ref("Player")),
        "turn": _object(turn),
        "cards": _object(cards),
        "pots": _maybe(_list(_object({"size": _COUNT, "players": _list(_ID)}))),
    }
    if profile.says_why:
        invalid = {"playerID": _ID, "betAmount": {"type": "integer"}, "reason": _TEXT}
        game["invalid_bet"] = _maybe(_object(invalid))
    if profile.last_winners:
        game["last_winners"] = _maybe(_list(_object({"PlayerID": _ID, "Hand": _list(_OLD_CARD)})))
    shown = _ref("Player") if profile.players_shown else {"type": "object"}
    act = {"action": {"type": "integer"}, "betAmount": {"type": "integer"}}
    key = {"hand_id": _TEXT, "seq": _COUNT}
    return {
        "Id": _ID,
        "Registered": _object({"PlayerID": _ID}),
        "Player": _object(player),
        "Game": _object(game),
        "Games": _list(_ref("Game")),
        "Players": _list(shown),
        "Act": _object({"action": act["action"]}, {"betAmount": act["betAmount"], **key}),
    }


def _pictures() -> dict[str, Schema]:
    game = {
        "game": _ID,
        "name": _TEXT,
        "plays": _TEXT,
        "stakes": _STAKES,
        "buy_in": _COUNT,
        "seats": _COUNT,
        "players": _list(_TEXT),
        "house": _COUNT,
        "waiting": _COUNT,
        "hands": _COUNT,
    }
    served = {"name": _TEXT, "title": _TEXT, "seats": _COUNT, "several": _FLAG, "blinds": _FLAG}
    return {
        "Picture": _picture(),
        _WIN: _object(
            {"seat": _COUNT, "name": _TEXT, "amount": _COUNT, "hand": _maybe(_TEXT)},
            {"shares": _list(_object(_SHARE))},
        ),
        "Lobby": _object(
            {"games": _list(_object(game)), "bots": _list(_TEXT), "served": _list(_object(served))},
            {"of": _COUNT, "after": _maybe(_ID)},
        ),
    }


def _seat() -> Schema:
    seat = {
        "seat": _COUNT,
        "player_id": _maybe(_ID),
        "name": _maybe(_TEXT),
        "house": _FLAG,
        "away": _FLAG,
        "bank": {"type": "number", "minimum": 0},
        "state": {"enum": ["empty", "waiting", "active", "folded", "all_in", "out"]},
        "stack": _COUNT,
        "bet": _COUNT,
        "put_in": _COUNT,
        "button": _FLAG,
        "cards": _maybe(_list(_CARD)),
        "hidden": _COUNT,
        "up": _list(_CARD),
        "last_action": _maybe(_TEXT),
        "won": _COUNT,
    }
    return _object(seat)


def _you() -> Schema:
    legal = {
        "fold": _FLAG,
        "check": _FLAG,
        "bring_in": _COUNT,
        "discards": _COUNT,
        "must_discard": _COUNT,
        "call": _maybe(_COUNT),
        "raise_to": _maybe(_object({"min": _COUNT, "max": _COUNT})),
        "to_call": _COUNT,
        "pot": _COUNT,
        "pot_odds": _maybe({"type": "number", "minimum": 0, "maximum": 1}),
        "lay": _maybe(_object({"cards": _COUNT, "rows": _list(_COUNT)})),
    }
    you = {
        "seat": _maybe(_COUNT),
        "player_id": _ID,
        "waiting": _FLAG,
        "away": _FLAG,
        "leaves": _FLAG,
        "top_up": _COUNT,
        "may_show": _FLAG,
        "hand": _maybe(_TEXT),
        "cards": _maybe(_list(_CARD)),
        "legal": _maybe(_object(legal)),
    }
    return _object(you)


def _open_face() -> Schema:
    points = {"type": "integer"}
    deal = {"rows": _list(_ROWS), "points": _list(points), "chips": _list(points)}
    return _object({"rows": _list(_ROWS), "fantasy": _list(_COUNT), "deals": _list(_object(deal))})


def _choice() -> Schema:
    number = {"type": "number"}
    games = _list(_object({"name": _TEXT, "title": _TEXT}))
    return _object({"seat": _COUNT, "expiry": number, "seconds": number, "games": games})


def _picture() -> Schema:
    turn = {"seat": _COUNT, "expiry": {"type": "number"}, "seconds": {"type": "number"}, "bank": _FLAG}
    picture = {
        "now": {"type": "number"},
        "game": _TABLE,
        "name": _TEXT,
        "version": _COUNT,
        "hand_id": _maybe(_TEXT),
        "seq": _COUNT,
        "street": _maybe(_TEXT),
        "plays": _TEXT,
        "board_cards": _COUNT,
        "over": _FLAG,
        "stakes": _STAKES,
        "terms": _TEXT,
        "buy_in": _COUNT,
        "time_bank": {"type": "number", "minimum": 0},
        "seats": _list(_seat()),
        "board": _list(_CARD),
        "boards": _list(_list(_CARD)),
        "open_face": _maybe(_open_face()),
        "choice": _maybe(_choice()),
        "pots": _list(_object({"size": _COUNT, "seats": _list(_COUNT)})),
        "turn": _maybe(_object(turn)),
        "you": _maybe(_you()),
        "winners": _list(_ref(_WIN)),
        "text": _maybe(_TEXT),
        "notice": _maybe(_TEXT),
        "waiting": _list(_TEXT),
    }
    return _object(picture)


def _asked(*, arena: bool) -> dict[str, Schema]:
    seconds = {"type": "number", "minimum": 0}
    setting = {
        "small_blind": _COUNT,
        "big_blind": _COUNT | {"minimum": 1},
        "buy_in": _COUNT | {"minimum": 1},
        "seats": {"type": "integer", "minimum": 2, "maximum": 10},
        "name": _TEXT | {"maxLength": 32},
        "pause": seconds | {"maximum": 60},
        "think": seconds | {"maximum": 10},
        "turn_seconds": seconds | {"minimum": 10, "maximum": 120},
        "time_bank": seconds | {"maximum": 600},
        "time_bank_refill": seconds | {"maximum": 600},
        "private": _FLAG,
        "game": _TEXT,
        "keeps_seat": _FLAG,
    }
    acts = ["all_in", "bet", "bring_in", "call", "check", "discard", "fold", "lay", "raise_to"]
    key = {"hand_id": _TEXT | {"minLength": 1, "maxLength": 128}, "seq": _COUNT}
    house: Schema = {"enum": list(HOUSE_BOTS)}
    bot = {"anyOf": [house, {"type": "string", "pattern": f"^{ENTRANT}"}]} if arena else house
    alike = {"bot": bot, "count": {"type": "integer", "minimum": 1, "maximum": 9}}
    mixed = {"bots": _list(bot) | {"minItems": 1, "maxItems": 9}}
    return {
        "Setting": _object({}, setting, closed=True),
        "Place": _object({}, {"seat": {"type": "integer", "minimum": 0, "maximum": 9}, "keeps_seat": _FLAG}),
        "Sitting": _object(
            {"do": {"enum": ["leave_after_hand", "show", "sit_in", "sit_out", "stay", "top_up"]}}
        ),
        "Planning": _object({"plan": {"enum": _PLANS}}, {"hand_id": key["hand_id"]}),
        "Choice": _object({"game": _TEXT}),
        "Which": _object({"game": _TEXT, "hand_id": _TEXT}),
        "Proof": _object({"password": _TEXT}),
        "NewPassword": _object({"old": _TEXT, "new": _TEXT | {"maxLength": 128}}),
        "Login": _object({"name": _TEXT, "password": _TEXT}),
        "Action": _object(
            {"act": {"enum": acts}}, {"amount": _COUNT, "cards": _list(_CARD), "rows": _ROWS, **key}
        ),
        "Wish": {"anyOf": [_object({}, alike, closed=True), _object(mixed, closed=True)]},
    }


def _heard() -> Schema:
    counts, cards = _list(_COUNT), _list(_CARD)
    began = {
        "hand_id": _TEXT, "type": _TEXT, "hand": _COUNT, "game": _TEXT, "stakes": counts, "seat": _COUNT, "button": _COUNT,
        "names": _list(_maybe(_TEXT)), "starting_stacks": counts, "hole": cards,
    }  # fmt: skip
    ended = {
        "boards": _list(cards), "shown": {"type": "object", "additionalProperties": cards}, "stacks": counts,
        "actions": _list({"type": "array"}), "payoffs": _list({"type": "integer"}),
    }  # fmt: skip
    return _object({"start": _maybe(_object(began)), "end": _maybe(_object(began | ended))})


def _told() -> dict[str, Schema]:
    hand = {
        "hand_id": _TEXT,
        "hands": _COUNT,
        "time": _TEXT,
        "pot": _COUNT,
        "board": _list(_CARD),
        "winners": _list(_ref(_WIN)),
        "players": _list(_TEXT),
        "yours": _FLAG,
        "boards": _list(_list(_CARD)),
    }
    own = hand | {"game": _TABLE, "table": _TEXT, "net": {"type": "integer"}, "shared": _maybe(_TEXT)}
    history = {"players": _list(_TEXT), "events": _list({"type": "object"}), "stacks": _list(_COUNT)}
    brought = {"hands": _COUNT, "net": {"type": "integer"}}
    session = {"id": _TEXT, "until": _COUNT, "here": _FLAG}
    account = {"name": _TEXT, "player_id": _ID, "games": _list(_ID), "sessions": _list(_object(session))}
    return {
        "Account": _object(account),
        "OwnHands": _object({"hands": _list(_object(own)), "net": {"type": "integer"}}),
        "Results": _object(brought | {"days": _list(_object(brought | {"day": _TEXT}))}),
        "Link": _object({"token": _TEXT, "link": _TEXT}),
        "Ended": _object({"ended": _COUNT}),
        "Who": _object({"name": _TEXT, "player_id": _ID}),
        "Acted": _object({"hand_id": _TEXT, "seq": _COUNT}),
        "Planned": _object({"plan": {"enum": _PLANS}}),
        "Heard": _heard(),
        "Chosen": _object({"game": _TEXT}),
        "Sat": _object({}, {"away": _FLAG, "added": _COUNT, "shown": _FLAG, "leaves": _FLAG}),
        "Seated": _object({"seated": _list(_TEXT)}),
        "Hands": _list(_object(hand)),
        "History": _object(history),
        "Refusal": _object({"code": _TEXT, "text": _TEXT}),
    }


def _tournaments() -> dict[str, Schema]:
    whole = {
        "players": {"type": "integer", "minimum": 2, "maximum": 60},
        "seats": {"type": "integer", "minimum": 2, "maximum": 10},
        "minutes": {"type": "integer", "minimum": 1, "maximum": 60},
        "turn_seconds": {"type": "integer", "minimum": 5, "maximum": 120},
        "late_levels": {"type": "integer", "minimum": 0, "maximum": 16},
        "rebuys": {"type": "integer", "minimum": 0, "maximum": 10},
    }
    announced = {"name": _TEXT | {"maxLength": 32}, "game": _TEXT, **whole}
    summary = announced | {
        "id": _ID,
        "state": {"enum": ["open", "playing", "over"]},
        "entrants": _list(_TEXT),
        "can_enter": _FLAG,
    }
    row = {
        "name": _TEXT,
        "player_id": _ID,
        "stack": _COUNT,
        "big_blinds": {"type": "number", "minimum": 0},
        "place": _COUNT,
        "prize": _COUNT,
        "rebuys": _COUNT,
        "table": _maybe(_TEXT),
    }
    level = {"level": _maybe(_COUNT), "stakes": _maybe(_STAKES), "table": _maybe(_TEXT), "in": _FLAG}
    level |= dict.fromkeys(("plays", "terms", "next_terms"), _maybe(_TEXT))
    number = {"type": "number"}
    level |= {"level_ends": _maybe(number), "now": number, "prizes": _list(_COUNT)}
    return {
        "Announcement": _object({}, announced, closed=True),
        "Announced": _object({"id": _ID}),
        "Tournaments": _object({"tournaments": _list(_object(summary))}),
        "Tournament": _object(summary | level | {"standings": _list(_object(row))}),
    }


def _arena() -> dict[str, Schema]:
    number, key = {"type": "number"}, {"type": "string", "pattern": "^[0-9a-f]+$"}
    rating = {"bb_per_100": number, "percent_of_buy_in": number}
    place = _maybe(_COUNT | {"minimum": 1})
    entrant = {"name": _TEXT, "places": _list(place), "house": _FLAG}
    limits = {"bytes": _COUNT, "megabytes": _COUNT, "entrants": _COUNT}
    state = {"title": _TEXT, "game": _TEXT, "running": _FLAG, "done": _COUNT, "of": _COUNT, "problem": _TEXT}
    upload = {
        "stage": {"enum": ["checking", "taken", "refused", "failed"]},
        "version": _TEXT,
        "text": _TEXT,
        "seconds": _maybe(number),
        "output": _TEXT,
    }
    row = {"version": key, "best_place": place, "worst_place": place, "remark": _TEXT}
    own = {
        "name": _TEXT,
        "upload": _maybe(_object(upload)),
        "standing": _maybe(_object(row, rating)),
        "refused": _maybe(_TEXT),
        "matches": _list(_object({"match": key, "players": _list(_TEXT), "hands": _COUNT})),
    }
    return {
        "Arena": _object(state | {"entrants": _list(_object(entrant, rating)), "upload": _object(limits)}),
        "Board": _board(number, rating),
        "Entrant": _object(own),
        "Entrants": _object({"entrants": _list(_ref("Entrant"))}),
        "HandedIn": _object({"name": _TEXT} | upload),
        "SatDown": _object({"game": _ID, "seated": _list(_TEXT)}),
    }


def _board(number: Schema, rating: dict[str, Schema]) -> Schema:
    """Return the shape of a board; before there is one it is an empty object."""
    row = {"name": _TEXT, "version": _TEXT, "elo": number, "faults": {"type": "object"}, "seconds": number}
    row |= dict.fromkeys(("best_place", "worst_place"), _maybe(_COUNT)) | {"margin": _maybe(number)}
    row |= {"first_fault": _TEXT, "remark": _TEXT}
    players = {"players": _list(_TEXT)}
    match = players | {"number": _COUNT, "key": _TEXT, "hands": _COUNT, "digest": _TEXT}
    result = rating | {"margin": _maybe(number), "results": _list(number)}
    flag = {"loser": _TEXT, "winner": _TEXT, "lost": number, "unexplained": number, "p": number}
    parts = {
        "title": _TEXT,
        "luck_removed": _FLAG,
        "standings": _list(_object(row, rating)),
        "refused": _list(_object({"name": _TEXT, "version": _TEXT, "reason": _TEXT, "code": _TEXT})),
        "void": _list(_object(players | {"reason": _TEXT})),
        "matches": _list(_object(match | {"net_chips": _list({"type": "integer"})}, result)),
        "controls": _object({"even": _COUNT, "of": _COUNT}),
        "flags": _list(_object(flag)),
    }
    return {"anyOf": [_object(parts), {"type": "object", "maxProperties": 0}]}
