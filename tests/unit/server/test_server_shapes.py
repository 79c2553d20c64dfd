"""Bodies are held to their types, and refused by name, value and limit; the types say the same as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import attrs
import pytest
from jsonschema import Draft202012Validator

from poker_actors.errors import BadSpec
from poker_actors.server.contract import bodies
from poker_actors.server.shapes import Limit, check, check_fields, read, schema_of


class Inner(TypedDict):
    size: Annotated[int, Limit(1, 3)]


class Whole(TypedDict):
    count: Annotated[int, Limit(0, 9)]
    share: NotRequired[Annotated[float, Limit(0, 1, unit=" of it")]]
    name: NotRequired[Annotated[str, Limit(most=4)]]
    what: NotRequired[Literal["this", "that"] | None]
    flag: NotRequired[bool]
    list: NotRequired[Annotated[list[Inner], Limit(1, 2)]]
    secret: NotRequired[Annotated[str, Limit(secret=True)]]


REFUSED = {
    "count is missing": {},
    "count 10 is not 0 to 9": {"count": 10},
    "count True is not a whole number of 0 to 9": {"count": True},
    "count 1.0 is not a whole number": {"count": 1.0},
    "count None": {"count": None},
    "share 1.5 is not 0 to 1 of it": {"count": 0, "share": 1.5},
    "share nan is not a number": {"count": 0, "share": float("nan")},
    "name 'abcde' has 5 characters: it has 0 to 4": {"count": 0, "name": "abcde"},
    "what 'other' is none of this, that": {"count": 0, "what": "other"},
    "flag 1 is not true or false": {"count": 0, "flag": 1},
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
    if not why.startswith(("count 1.0", "share nan")):  # a whole number to JSON Schema; and what is no JSON
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
