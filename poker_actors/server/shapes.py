"""JSON by types: check received JSON against a type, and describe the type as JSON Schema.

The types are TypedDicts and attrs classes of texts, numbers, lists and each other. `Annotated` with a `Limit` adds
bounds. The type checker checks answers by them, `read` checks bodies, and the contract's documents describe both.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache, reduce
from itertools import chain
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs

from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

T = TypeVar("T")
Check = Callable[[object, str], None]
Schema = dict[str, Any]


@attrs.frozen
class Limit:
    """Bounds of a value: of a number, or of the length of a text or list, from `least` to `most`."""

    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    """regular expression of a text; described, not checked"""
    format: str | None = None
    """the same"""
    choices: tuple[str, ...] = ()
    """allowed texts that are known only when the server runs"""
    unit: str = ""
    """unit to name when a number is refused"""
    secret: bool = False
    """whether the value is never quoted"""
    closed: bool = False
    """whether an object may have no other keys; described, not checked"""

    def over(self, other: Limit) -> Limit:
        """Return `other`, overridden by this one."""
        said = {one.name: (getattr(self, one.name), one.default) for one in attrs.fields(Limit)}
        return attrs.evolve(other, **{name: value for name, (value, blank) in said.items() if value != blank})

    def __contains__(self, number: float) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    @property
    def bounds(self) -> str:
        """The bounds in words."""
        if self.most is None:
            return f"{self.least} or more{self.unit}"
        return f"{self.least or 0} to {self.most}{self.unit}"


@attrs.frozen
class Given:
    """Fields of an object that go together: exactly one of these sets must be given, that is, present and not blank."""

    sets: tuple[tuple[str, ...], ...]
    why: str

    def check(self, plain: Mapping[str, object]) -> None:
        """Raise `BadSpec` for another set."""
        if {name for name in chain(*self.sets) if plain.get(name) not in _BLANK} not in map(set, self.sets):
            raise BadSpec(self.why)

    def schema(self, blank: Mapping[str, object]) -> Schema:
        """Return the JSON Schema."""
        names = dict.fromkeys(chain(*self.sets))
        return {
            "anyOf": [
                {
                    "required": list(one),
                    "properties": {name: _GIVEN if name in one else _LEFT_OUT for name in names},
                }
                for one in self.sets
            ]
        }


@attrs.frozen
class When:
    """A condition: if `key` is one of `values`, `needs` must be one of `among` or, without those, given."""

    key: str
    values: tuple[object, ...]
    needs: str
    why: str
    """the refusal; `{}` stands for the value of `key`"""
    among: tuple[object, ...] = ()

    def check(self, plain: Mapping[str, object]) -> None:
        """Raise `BadSpec` if the condition does not hold."""
        if plain.get(self.key) in self.values and not self._fits(plain.get(self.needs)):
            raise BadSpec(self.why.format(plain[self.key]))

    def schema(self, blank: Mapping[str, object]) -> Schema:
        """Return the JSON Schema; `blank` holds the values that stand for omitted fields."""
        fits = {"enum": list(self.among)} if self.among else _GIVEN
        needed = {} if self._fits(blank.get(self.needs)) else {"required": [self.needs]}
        return {
            "if": {"required": [self.key], "properties": {self.key: {"enum": list(self.values)}}},
            "then": needed | {"properties": {self.needs: fits}},
        }

    def _fits(self, value: object) -> bool:
        return value in self.among if self.among else value not in _BLANK


def held(*rules: Given | When) -> Callable[[type[T]], type[T]]:
    """Hold a TypedDict or an attrs class to rules of several fields, in checks and in its schema."""

    def hold(kind: type[T]) -> type[T]:
        setattr(kind, _HELD, rules)
        return kind

    return hold


def _rules(kind: Any) -> tuple[Given | When, ...]:
    return getattr(kind, _HELD, ())


_HELD: Final = "__held_to__"
_BLANK: Final = (None, "")
"""What counts as left out."""
_LEFT_OUT: Final[Schema] = {"enum": list(_BLANK)}
_GIVEN: Final[Schema] = {"not": _LEFT_OUT}
_NONE: Final = Limit()
_HALF: Final = re.compile("[\ud800-\udfff]")
"""A surrogate without its other half, as the JSON `"\\ud800"` makes it."""
_PLAIN: Final[dict[object, tuple[tuple[type, ...], str, str]]] = {
    str: ((str,), "a text", "string"),
    int: ((int,), "a whole number", "integer"),
    float: ((int, float), "a number", "number"),
    bool: ((bool,), "true or false", "boolean"),
    NoneType: ((NoneType,), "null", "null"),
}
"""Type -> the types of values it takes, in words, and its name in JSON Schema."""


def object_of(body: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object in a body, or None for anything else. A number without a fraction is whole: 3.0 is 3."""
    try:
        plain = parse_json(body, cls=lambda: _DECODER)
    except ValueError:
        return None
    return plain if isinstance(plain, dict) else None


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


_DECODER: Final = json.JSONDecoder(parse_float=_number)
"""Made once: `parse_float` alone would make one for each body."""


def read(kind: type[T], body: str | bytes) -> T:
    """Read a body as a JSON object of the shape `kind`, a TypedDict; raises `BadSpec`."""
    plain = object_of(body)
    if plain is None:
        shape: Any = kind
        raise BadSpec(f"Couldn't read request: send a JSON object with {', '.join(fields_of(shape))}")
    return check(kind, plain)


def shown(value: object) -> str:
    """Write a value as its sender did: `true` and `null`, not `True` and `None`; a text in quotes."""
    return repr(value) if isinstance(value, str) else json.dumps(value, default=repr, ensure_ascii=False)


def check(kind: type[T], plain: Mapping[str, Any]) -> T:
    """Check that a value has the shape `kind`, a TypedDict, and return it; raises `BadSpec`."""
    shape: Any = kind
    _checker(shape)(plain, "")
    return plain  # type: ignore[return-value]  # it has just been checked


def check_fields(value: object) -> None:
    """Check the fields of an attrs instance by their types; raises `BadSpec`."""
    shape: Any = type(value)
    fields = {name: getattr(value, name) for name in fields_of(shape)}
    for name, (kind, _) in fields_of(shape).items():
        _checker(kind)(fields[name], name)
    for rule in _rules(shape):
        rule.check(fields)


@cache
def fields_of(kind: Any) -> Mapping[str, tuple[Any, bool]]:
    """Return the fields of a TypedDict or an attrs class: name -> its type, and whether it is required.

    Fields of an attrs class with `ours` in their metadata, which no request sets, are left out.
    """
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        # not `__required_keys__`, which knows nothing of annotations that are texts
        return {name: (_inner(hint), get_origin(hint) is not NotRequired) for name, hint in hints.items()}
    asked = [one for one in attrs.fields(kind) if "ours" not in one.metadata]
    return {one.name: (hints[one.name], one.default is attrs.NOTHING) for one in asked}


def _inner(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _limited(kind: Any) -> tuple[Any, Limit]:
    """Return a type and what is said of it."""
    if get_origin(kind) is not Annotated:
        return kind, _NONE
    inner, *said = get_args(kind)
    return inner, reduce(lambda all_said, one: one.over(all_said), said, _NONE)


# -- checking ----------------------------------------------------------------------------------


@cache
def _checker(kind: Any) -> Check:
    """Return a function that raises `BadSpec`, with name, value and limit, for a value that does not have this shape."""
    kind, limit = _limited(kind)
    origin = get_origin(kind)
    if origin is Literal:
        return _one_of(get_args(kind))
    if origin in (Union, UnionType):
        return _or_null(_checker(Annotated[_not_null(kind), limit]))
    if origin is list:
        return _each(_checker(get_args(kind)[0]), limit)
    if is_typeddict(kind):
        return _keys(kind)
    types, words, _ = _PLAIN[kind]
    return _plain(types, words, limit)


def _plain(types: tuple[type, ...], words: str, limit: Limit) -> Check:
    sized, bounded = types == (str,), (limit.least, limit.most) != (None, None)

    def check(value: object, name: str) -> None:
        if type(value) not in types or (isinstance(value, float | str) and not _travels(value)):
            why = f"is not {words}{f' of {limit.bounds}' if bounded and not sized else ''}"
        elif not bounded or (len(value) if sized else value) in limit:  # type: ignore[operator,arg-type]  # it is of `types`
            return
        else:
            why = (
                f"has {len(value)} characters, not {limit.bounds}"
                if isinstance(value, str)
                else f"is not {limit.bounds}"
            )
        raise BadSpec(f"{name} {why}" if limit.secret else f"{name} {shown(value):.40} {why}")

    return check


def _travels(value: float | str) -> bool:
    """Return whether JSON can hold the number, or UTF-8 the text: half a character cannot be written."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value.isascii() or not _HALF.search(value)


def _one_of(choices: tuple[object, ...]) -> Check:
    words = ", ".join("null" if one is None else str(one) for one in choices)

    def check(value: object, name: str) -> None:
        if value not in choices:
            raise BadSpec(f"{name} {shown(value):.40} must be one of {words}")

    return check


def _or_null(check: Check) -> Check:
    return lambda value, name: None if value is None else check(value, name)


def _not_null(kind: Any) -> Any:
    """Return the type in a union with null; other unions are described, not checked."""
    one, null = get_args(kind)
    assert null is NoneType, kind
    return one


def _each(item: Check, limit: Limit) -> Check:
    def check(value: object, name: str) -> None:
        if not isinstance(value, list) or len(value) not in limit:
            bounds = "" if limit is _NONE else f" of {limit.bounds}"
            raise BadSpec(f"{name} {shown(value):.40} is not a list{bounds}")
        for number, one in enumerate(value):
            item(one, f"{name}[{number}]")

    return check


def _keys(kind: Any) -> Check:
    fields = {name: (_checker(one), needed) for name, (one, needed) in fields_of(kind).items()}
    words = ", ".join(sorted(fields))

    def check(value: object, name: str) -> None:
        if not isinstance(value, dict):
            raise BadSpec(f"{name} {shown(value):.40} is not an object with {words}")
        for key, (one, needed) in fields.items():
            if key in value:
                one(value[key], f"{name}.{key}" if name else key)
            elif needed:
                raise BadSpec(f"{name}.{key} is missing" if name else f"{key} is missing: send {words}")
        for rule in _rules(kind):
            rule.check(value)

    return check


# -- describing --------------------------------------------------------------------------------


def schema_of(kind: Any, parts: dict[str, Schema]) -> Schema:
    """Return the JSON Schema of a type; its objects are put into `parts`, by name, and referred to."""
    kind, limit = _limited(kind)
    origin = get_origin(kind)
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(Annotated[one, limit], parts) for one in get_args(kind)]}
    if origin is list:
        return {"type": "array", "items": schema_of(get_args(kind)[0], parts), **_said(limit, "Items")}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(get_args(kind)[1], parts)}
    if kind is Any:
        return {}
    if kind in _PLAIN:
        name = _PLAIN[kind][2]
        if name in ("integer", "number"):
            return {"type": name} | _bounds(limit)
        if limit.choices:
            return {"enum": list(limit.choices)}
        return {"type": name} | (_said(limit, "Length") if name == "string" else {})
    _describe(kind, limit, parts)
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _describe(kind: Any, limit: Limit, parts: dict[str, Schema]) -> None:
    """Put an object's schema into `parts`."""
    if kind.__name__ in parts:
        return
    shape: Schema = {"type": "object"}
    parts[kind.__name__] = shape  # before its fields: one of them may refer to it
    fields = fields_of(kind)
    if kind.__doc__:
        shape["description"] = " ".join(kind.__doc__.split())
    shape["required"] = sorted(name for name, (_, needed) in fields.items() if needed)
    shape["properties"] = {name: schema_of(one, parts) for name, (one, _) in fields.items()}
    if limit.closed or not is_typeddict(kind):
        shape["additionalProperties"] = False
    if rules := _rules(kind):
        blank = {} if is_typeddict(kind) else {one.name: one.default for one in attrs.fields(kind)}
        shape["allOf"] = [rule.schema(blank) for rule in rules]


def _bounds(limit: Limit) -> Schema:
    return {
        name: value
        for name, value in (("minimum", limit.least), ("maximum", limit.most))
        if value is not None
    }


def _said(limit: Limit, of: str) -> Schema:
    told = {f"min{of}": limit.least, f"max{of}": limit.most, "pattern": limit.pattern, "format": limit.format}
    return {name: value for name, value in told.items() if value is not None}
