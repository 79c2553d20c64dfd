"""A bot's parameters: the keyword parameters of its function, with types and limits."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from poker_actors.errors import BadSpec

__all__ = ["Parameter", "Within", "checked", "parameters_of"]

_FALSE_TRUE = {"no": False, "false": False, "0": False, "yes": True, "true": True, "1": True}


@attrs.frozen
class Within:
    """Inclusive limits of a number: `Annotated[float, Within(0, 1)]`."""

    least: float
    most: float


@attrs.frozen
class Parameter:
    """One parameter of a bot."""

    name: str
    kind: type
    """`int`, `float`, `str` or `bool`"""
    default: object = attrs.field(default=inspect.Parameter.empty)
    within: Within | None = None
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty

    def __str__(self) -> str:
        limits = f" ({self.within.least:g} to {self.within.most:g})" if self.within else ""
        choices = f" ({', '.join(self.choices)})" if self.choices else ""
        shown = self.name if self.required else f"{self.name}={self.default}"
        return f"{shown}{limits}{choices}"

    def read(self, owner: str, value: object) -> object:
        """Convert a text, or check a value, for the bot `owner`; raises `BadSpec` naming value and limit."""
        if isinstance(value, str) and self.kind is not str:
            value = self._from_text(owner, value)
        elif self.kind is float and type(value) is int:
            value = float(value)
        # not isinstance: a bool is an int
        if type(value) is not self.kind:
            raise BadSpec(f"{owner}: {self.name}={value!r:.40} is not {_WORDS[self.kind]}")
        if isinstance(value, float) and not math.isfinite(value):
            raise BadSpec(f"{owner}: {self.name}={value} is not a finite number")
        if self.within is not None and isinstance(value, int | float):
            low, high = self.within.least, self.within.most
            if not low <= value <= high:
                raise BadSpec(f"{owner}: {self.name}={value:g} is not within {low:g} to {high:g}")
        if self.choices and value not in self.choices:
            raise BadSpec(f"{owner}: {self.name}={value!s:.40} is none of {', '.join(self.choices)}")
        return value

    def _from_text(self, owner: str, text: str) -> object:
        try:
            return _FALSE_TRUE[text.lower()] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError):
            raise BadSpec(f"{owner}: {self.name}={text:.40} is not {_WORDS[self.kind]}") from None


_WORDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a text", bool: "yes or no"}


def parameters_of(owner: str, factory: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Read the parameters of a bot's function (those after the view) or class (those of `__init__`).

    Raises `BadSpec` for a parameter that is not an int, float, str, bool or Literal of texts.
    """
    where = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(where, include_extras=True)
    found = [
        _parameter(owner, parameter, hints.get(parameter.name))
        for parameter in inspect.signature(where).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    return tuple(found)


def _parameter(owner: str, parameter: inspect.Parameter, hint: Any) -> Parameter:
    within = None
    if get_origin(hint) in (Union, UnionType):  # a parameter that is None unless it is given
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        hint = kinds[0] if len(kinds) == 1 else hint
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        within = next((note for note in notes if isinstance(note, Within)), None)
    choices: tuple[str, ...] = ()
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        hint = str
    if hint is None and parameter.default is not inspect.Parameter.empty:
        hint = type(parameter.default)
    if hint not in _WORDS:
        raise BadSpec(
            f"bot {owner}: parameter {parameter.name} is of {hint}: int, float, str or bool it can be"
        )
    return Parameter(parameter.name, hint, parameter.default, within, choices)


def checked(owner: str, known: tuple[Parameter, ...], given: Mapping[str, object]) -> dict[str, object]:
    """Check and convert the values `given` for the parameters `known` of the bot `owner`.

    Raises `BadSpec` for an unknown parameter (suggesting the nearest name), a missing one or a bad value.
    """
    by_name = {parameter.name: parameter for parameter in known}
    for name in given:
        if name not in by_name:
            near = get_close_matches(name, by_name, n=1)
            there = f"it has {', '.join(by_name)}" if by_name else "it has none"
            hint = f", did you mean {near[0]}?" if near else ""
            raise BadSpec(f"{owner} has no parameter {name[:40]!r}{hint} ({there})")
    for parameter in known:
        if parameter.required and parameter.name not in given:
            raise BadSpec(f"{owner} needs a value for {parameter}")
    return {name: by_name[name].read(owner, value) for name, value in given.items()}
