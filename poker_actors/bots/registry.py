"""Bots by name: the decorator that registers them, lookup, and their parameters with types and limits."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs

from poker_actors.errors import BadSpec, UnknownBot, suggestion, unknown
from poker_actors.loading import guarded

GROUP: Final = "poker_actors.bots"
"""The entry point group in which installed packages offer bots."""

RESERVED: Final = ("cage", "cmd", "mit", "model")
"""Prefixes of programs, language models and caged bots: no bot has such a name."""

Factory = TypeVar("Factory", bound=Callable[..., Any])


@attrs.frozen
class Registered:
    """A named bot: a function of a view, or a class whose instances are bots."""

    name: str
    factory: Callable[..., Any]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters it takes; raises `BadSpec` for unsupported types."""
        return parameters_of(self.name, self.factory)

    @property
    def summary(self) -> str:
        """Return the first line of its docstring, which help texts show."""
        return (self.factory.__doc__ or "").strip().partition("\n")[0]


_BY_NAME: Final[dict[str, Registered]] = {}
"""Bots registered by `bot`, each once its module is imported."""


def bot(name: str, *, quick: bool = False) -> Callable[[Factory], Factory]:
    """Register the decorated function of a view, or class of bots, under `name`.

    Keyword-only parameters become the bot's parameters: typed int, float, str, bool or Literal, limited with
    `Annotated[float, Within(0, 1)]`. A `quick` bot never blocks and takes microseconds: a room on one thread asks it
    there (see `is_quick`). Raises `BadSpec` for a name that cannot be typed or is taken by another function.
    """
    if not isinstance(name, str):
        raise BadSpec('bot takes the name to register first: write @bot("mine"), not @bot')
    if not name or not name.isascii() or any(mark in ":,=/\\ \t\n" for mark in name) or name in RESERVED:
        raise BadSpec(f"{name[:40]!r} cannot be a bot's name: it contains a blank or one of : , = /")

    def register(factory: Factory) -> Factory:
        new = Registered(name, factory)
        parameters_of(name, factory)  # raises now for unsupported parameters, not at the first use
        old = _BY_NAME.setdefault(name, new)
        if _place(old.factory) != _place(factory):
            raise BadSpec(f"there is already a bot {name}: {'.'.join(_place(old.factory))}")
        _BY_NAME[name] = new
        if quick:
            factory.quick = True  # type: ignore[attr-defined]  # functions and classes take attributes
        return factory

    return register


def _place(factory: Callable[..., Any]) -> tuple[str, str]:
    """Return module and qualified name: a module imported again may register its bots again.

    Child processes started by spawn import the main module as `__mp_main__`.
    """
    module = str(factory.__module__)
    return ("__main__" if module == "__mp_main__" else module, str(factory.__qualname__))


def bot_names() -> list[str]:
    """Return the sorted names of all bots, those of installed packages included."""
    from importlib import metadata  # loads all that reads e-mail, which few programs need

    return sorted({*_BY_NAME, *(point.name for point in metadata.entry_points(group=GROUP))})


def bot_named(name: str) -> Registered:
    """Look up a bot by name.

    Raises `UnknownBot`, suggesting the nearest name, and `BadSpec` when an installed package's bot does not load.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    from importlib import metadata

    for point in metadata.entry_points(group=GROUP, name=name):
        with guarded(f"bot {name} of {point.value}"):
            return Registered(name, point.load())
    raise UnknownBot(unknown("bot", name, bot_names()))


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
        """Whether the parameter has no default."""
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
            raise BadSpec(f"{owner}: {self.name}={value!s:.40} must be one of {', '.join(self.choices)}")
        return value

    def _from_text(self, owner: str, text: str) -> object:
        try:
            return _FALSE_TRUE[text.lower()] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError):
            raise BadSpec(f"{owner}: {self.name}={text:.40} is not {_WORDS[self.kind]}") from None


_WORDS: dict[type, str] = {int: "a whole number", float: "a number", str: "a string", bool: "yes or no"}


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
        raise BadSpec(f"bot {owner}: parameter {parameter.name} is of {hint}, not int, float, str or bool")
    return Parameter(parameter.name, hint, parameter.default, within, choices)


def checked(owner: str, known: tuple[Parameter, ...], given: Mapping[str, object]) -> dict[str, object]:
    """Check and convert the values `given` for the parameters `known` of the bot `owner`.

    Raises `BadSpec` for an unknown parameter (suggesting the nearest name), a missing one or a bad value.
    """
    by_name = {parameter.name: parameter for parameter in known}
    for name in given:
        if name not in by_name:
            there = f"it has {', '.join(by_name)}" if by_name else "it has none"
            raise BadSpec(f"{owner} has no parameter {name[:40]!r}{suggestion(name, by_name)} ({there})")
    for parameter in known:
        if parameter.required and parameter.name not in given:
            raise BadSpec(f"{owner} needs a value for {parameter}")
    return {name: by_name[name].read(owner, value) for name, value in given.items()}
