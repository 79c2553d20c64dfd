"""Bodies are held to their types, and refused by name, value and limit; the types say the same as JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import attrs
import pytest
from jsonschema import Draft202012Validator

from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import GAMES
from poker_actors.rules.games import Rotation
from poker_actors.server.contract import bodies
from poker_actors.server.hspe import (
    GO,
    README,
    SERVED,
    Rules,
    Setting,
    game_served,
    read_move,
    read_order,
    read_place,
    read_saying,
    read_setting,
    read_wish,
)
from poker_actors.server.http.openapi import document
from poker_actors.server.live.tournament import read_announced
from poker_actors.server.shapes import Limit, check, check_fields, read, schema_of


class Inner(TypedDict):
    size: Annotated[int, Limit(1, 3)]


class Whole(TypedDict):
    count: Annotated[int, Limit(0, 9)]
    share: NotRequired[Annotated[float, Limit(0, 1, unit=" of it")]]
    name: NotRequired[Annotated[str, Limit(most=4)]]
    what: NotRequired[Literal["this", "that"] | None]
    flag: NotRequired[bool]
    many: NotRequired[Annotated[int, Limit(1)]]
    any: NotRequired[int]
    list: NotRequired[Annotated[list[Inner], Limit(1, 2)]]
    secret: NotRequired[Annotated[str, Limit(secret=True)]]


REFUSED = {
    "count is missing": {},
    "count 10 is not 0 to 9": {"count": 10},
    "count true is not a whole number of 0 to 9": {"count": True},
    "count 1.0 is not a whole number": {"count": 1.0},
    "count null is not": {"count": None},
    "share 1.5 is not 0 to 1 of it": {"count": 0, "share": 1.5},
    "share NaN is not a number": {"count": 0, "share": float("nan")},
    "name 'abcde' has 5 characters, not 0 to 4": {"count": 0, "name": "abcde"},
    "what 'other' must be one of this, that": {"count": 0, "what": "other"},
    "flag 1 is not true or false": {"count": 0, "flag": 1},
    "^name 7 is not a text$": {"count": 0, "name": 7},
    "^many 0 is not 1 or more$": {"count": 0, "many": 0},
    "^any 'x' is not a whole number$": {"count": 0, "any": "x"},
    "what false must be one of this, that": {"count": 0, "what": False},
    "list 'ab' is not a list": {"count": 0, "list": "ab"},
    r"list \[1, 2, 3\] is not a list of 1 to 2": {"count": 0, "list": [1, 2, 3]},
    r"list \[\] is not a list of 1 to 2": {"count": 0, "list": []},
    r"list\[1\].size 4 is not 1 to 3": {"count": 0, "list": [{"size": 1}, {"size": 4}]},
    r"list\[0\].size is missing": {"count": 0, "list": [{}]},
    r"list\[0\] 7 is not an object": {"count": 0, "list": [7]},
    "^secret is not a text$": {"count": 0, "secret": 12345},
}


@pytest.mark.parametrize(("why", "body"), REFUSED.items())
def test_what_has_another_shape_is_refused_by_name_value_and_limit(why: str, body: Any) -> None:
    parts: dict[str, Any] = {}
    schema = schema_of(Whole, parts) | {"components": {"schemas": parts}}
    with pytest.raises(BadSpec, match=why):
        check(Whole, body)
    if not why.startswith(("count 1.0", "share NaN")):  # a whole number to JSON Schema; and what is no JSON
        assert not Draft202012Validator(schema).is_valid(body)


@pytest.mark.parametrize(
    "body",
    [
        {
            "count": 0,
            "share": 1,
            "name": "abcd",
            "what": None,
            "flag": True,
            "list": [{"size": 3}],
            "more": 1,
        },
        {"count": 9, "share": 0.5, "what": "that", "secret": ""},
    ],
)
def test_what_has_the_shape_is_taken_and_so_says_the_schema(body: Any) -> None:
    parts: dict[str, Any] = {}
    schema = schema_of(Whole, parts) | {"components": {"schemas": parts}}
    assert check(Whole, body) == body
    Draft202012Validator(schema).validate(body)


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{", b"null", b"[" * 3000])
def test_what_is_no_object_is_refused_with_what_is_wanted(body: bytes) -> None:
    with pytest.raises(BadSpec, match="send a JSON object with do"):
        read(bodies.Sitting, body)


def test_a_password_is_never_quoted() -> None:
    for body in (b'{"old": "hunter2", "new": 7}', b'{"old": "x", "new": "%s"}' % (b"hunter2" * 20)):
        with pytest.raises(BadSpec) as refused:
            read(bodies.NewPassword, body)
        assert "hunter2" not in str(refused.value)


def test_fields_of_a_value_are_held_to_their_types() -> None:
    @attrs.frozen
    class Value:
        ours: object = attrs.field(default=None, metadata={"ours": True})

    check_fields(Value(7))


def test_a_type_is_described_once_and_as_what_it_is() -> None:
    parts: dict[str, Any] = {}
    assert schema_of(int, parts) == {"type": "integer"}
    schema_of(bodies.Alike, parts)
    assert "tight" in parts["Alike"]["properties"]["bot"]["enum"]
    assert "additionalProperties" not in parts["Alike"]
    once = parts["Alike"]
    schema_of(Annotated[bodies.Alike, Limit(closed=True)], parts)
    assert parts["Alike"] is once
    closed: dict[str, Any] = {}
    schema_of(Annotated[bodies.Alike, Limit(closed=True)], closed)
    assert closed["Alike"]["additionalProperties"] is False
    told = document(README, "1")["components"]["schemas"]
    assert told["Setting"]["additionalProperties"] is False
    assert [name for name, shape in told.items() if shape.get("description", "").startswith("dict(")] == []


# -- what readers take is what the document says -----------------------------------------------

READERS: dict[str, Callable[[bytes], object]] = {
    "Act": lambda body: read_order(body, README),
    "Action": read_move,
    "Alike": read_wish,
    "Announcement": read_announced,
    "Place": read_place,
    "Saying": read_saying,
    "Setting": lambda body: read_setting(body, ""),
    "NewPassword": lambda body: read(bodies.NewPassword, body),
}
ROWS = [[], [], ["As"]]
SAME: dict[str, tuple[list[str], list[str]]] = {
    "Act": (
        ['{"action": 0}', '{"action": 1, "betAmount": 20.0}', '{"action": 0.0, "hand_id": null, "seq": null}',
         '{"action": 0, "hand_id": "x", "seq": 3.0}'],
        ['{"action": 2}', '{"action": 1}', '{"action": 1, "betAmount": 0.5}', '{"action": 0, "hand_id": "x"}',
         '{"action": 0, "seq": 3}', '{"action": 0, "hand_id": null, "seq": 3}'],
    ),
    "Action": (
        ['{"act": "fold"}', '{"act": "bet", "amount": 3e1}', '{"act": "raise_to", "amount": 0}',
         '{"act": "call", "hand_id": "x", "seq": 0}', json.dumps({"act": "lay", "rows": ROWS})],
        ['{"act": "bet"}', '{"act": "raise_to", "amount": null}', '{"act": "bet", "amount": 30.5}', '{"act": "lay"}',
         '{"act": "lay", "rows": null}', '{"act": "call", "hand_id": "x"}', '{"act": "call", "hand_id": "x", "seq": null}'],
    ),
    "Alike": (['{"count": 2.0}', '{"bot": "tight"}'], ['{"count": 2.5}', '{"count": 1e999}', '{"count": 10}']),
    "Announcement": (
        ['{"players": 4.0}', '{"game": "horse"}', '{"game": "razz+stud", "seats": 2}', '{"rebuys": 2, "late_levels": 1}',
         '{"rebuys": 0}'],
        ['{"game": ""}', '{"game": "dealers-choice"}', '{"game": "holdem+"}', '{"rebuys": 1}',
         '{"rebuys": 1, "late_levels": 0}'],
    ),
    "Place": (['{"seat": 3.0}', '{"seat": null}'], ['{"seat": 3.5}', '{"seat": 10}']),
    "Saying": (
        ['{"text": "nice"}', '{"emote": "wow"}', '{"text": "", "emote": "wow"}', '{"text": null, "emote": "wow"}'],
        ['{}', '{"text": "", "emote": null}', '{"text": "nice", "emote": "wow"}', '{"text": " "}'],
    ),
    "Setting": (
        ['{"game": "horse"}', '{"game": "dealers-choice"}', json.dumps({"game": "+".join(["razz"] * 16)}),
         '{"ledger": true, "private": true, "watch_delay": 0}', '{"ledger": false, "watch_delay": 9}', '{"seats": 4.0}'],
        ['{"game": ""}', '{"game": "horse+razz"}', json.dumps({"game": "+".join(["razz"] * 17)}), '{"game": "+razz"}',
         '{"ledger": true}', '{"ledger": true, "private": false}', '{"ledger": true, "private": true, "watch_delay": 9}'],
    ),
    "NewPassword": (['{"old": "", "new": "x"}'], ['{"old": "x", "new": ""}']),
}  # fmt: skip
BODIES = [
    (name, body, good) for name, both in SAME.items() for good in (True, False) for body in both[not good]
]


@pytest.mark.parametrize(
    ("name", "body", "good"), BODIES, ids=[f"{name} {body:.60}" for name, body, _ in BODIES]
)
def test_the_document_says_of_a_body_what_its_reader_does(name: str, body: str, good: bool) -> None:
    told = document(README, "1")
    shape = {"$ref": f"#/components/schemas/{name}", "components": told["components"]}
    assert Draft202012Validator(shape).is_valid(json.loads(body)) == good
    with nullcontext() if good else pytest.raises(BadSpec):
        READERS[name](body.encode())


def test_bots_are_asked_for_by_one_name_or_by_a_list_and_not_by_both() -> None:
    assert read_wish(b" ") == read_wish(b"{}") == ("tight",)
    assert read_wish(b'{"bot": "loose", "count": 2}') == ("loose", "loose")
    assert read_wish(b'{"bots": ["tight", "loose"]}') == ("tight", "loose")
    for body in (b"[]", b'{"bots": ["tight"], "count": 2}', b'{"bot": "tight", "many": 2}'):
        with pytest.raises(BadSpec, match="ask for house bots by"):
            read_wish(body)
    assert read_wish(b'{"bot": "arena/ann"}') == ("arena/ann",)
    for body in (b'{"bot": "nobody"}', b'{"bots": ["tight", 7]}'):
        with pytest.raises(UnknownBot):
            read_wish(body)


def test_a_setting_is_noted_by_what_is_unusual_and_names_games_of_the_server() -> None:
    assert read_setting(b" ", "").plain() == {}
    assert Setting(seats=4).plain() == {"seats": 4}
    assert isinstance(read_setting(b'{"game": "horse"}', "").rules, Rotation)
    with pytest.raises(BadSpec, match="a game's setting must be a JSON object"):
        read_setting(b"[]", "")
    with pytest.raises(BadSpec, match="game 7 must be one of"):
        game_served(7)
    for capped in [game.name for game in GAMES.values() if game.capped]:
        with pytest.raises(BadSpec, match="it is a console game"):
            game_served(f"holdem+{capped}")
    assert read_place(b"anything") == {}
    owes = [Setting().owes_blinds(Rules(missed_blinds=server)) for server in (True, False)]
    assert owes == [True, False]
    assert not Setting(game="razz", seats=8).owes_blinds(Rules(missed_blinds=True))
    assert Setting(game="horse", seats=8).owes_blinds(Rules(missed_blinds=True))


def test_bounds_of_a_setting_that_follow_from_others_are_named() -> None:
    assert read_setting(b'{"name": "Friday"}', "").name == "Friday"
    with pytest.raises(BadSpec, match="printable characters"):
        read_setting(b'{"name": "Fri\\nday"}', "")
    for body, named in (
        (b'{"small_blind": 50, "big_blind": 20}', "big_blind 20 is not 50 to"),
        (b'{"buy_in": 19}', "buy_in 19 is not 20 to"),
        (b'{"game": "stud", "seats": 9}', "seats 9 is not 2 to 8"),
    ):
        with pytest.raises(BadSpec, match=named):
            read_setting(body, "")
    with pytest.raises(BadSpec, match="razz has no blinds to miss"):
        read_setting(b'{"game": "razz", "missed_blinds": true}', "")


def test_a_whole_number_with_a_point_is_read_as_one() -> None:
    seat = read_place(b'{"seat": 3.0}')["seat"]
    assert (seat, type(seat)) == (3, int)
    assert read_move(b'{"act": "bet", "amount": 1e3}')[0].amount == 1000


def test_a_bet_of_the_dialect_of_go_may_leave_out_what_is_zero() -> None:
    said = document(GO, "1")["components"]["schemas"]["Act"]
    for body in ({}, {"action": 1}, {"action": 7, "betAmount": 5}):
        assert Draft202012Validator(said).is_valid(body)
        read_order(json.dumps(body).encode(), GO)


def test_every_game_that_is_served_is_one_the_document_names() -> None:
    told = document(README, "1")["components"]["schemas"]
    for game in SERVED:
        for kind in ("Setting", "Choice"):
            named = Draft202012Validator(told[kind]).is_valid({"game": game.name})
            assert named == (kind == "Setting" or game.name not in ("horse", "8-game", "dealers-choice"))
