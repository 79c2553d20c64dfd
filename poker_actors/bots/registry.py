"""Bots by name: the decorator that registers them, and lookup."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import metadata
from typing import Any, Final, TypeVar

import attrs

from poker_actors.bots.parameters import Parameter, parameters_of
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.loading import guarded

__all__ = ["GROUP", "RESERVED", "Registered", "bot", "bot_named", "bot_names"]

GROUP: Final = "poker_actors.bots"
"""The entry point group in which installed packages offer bots."""

RESERVED: Final = ("cage", "cmd", "mit", "model")
"""Words that begin the name of a program, of a language model, or of a bot in a cage: no bot is called so."""

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
"""Bots registered by `bot`, which exist once their module is imported."""


def bot(name: str, *, quick: bool = False) -> Callable[[Factory], Factory]:
    """Register the decorated function of a view, or class of bots, under `name`.

    Keyword-only parameters become the bot's parameters: typed int, float, str, bool or Literal, limited with
    `Annotated[float, Within(0, 1)]`. A `quick` bot never blocks and takes microseconds: a room on one thread asks it
    there (see `is_quick`). Raises `BadSpec` for a name that cannot be typed or is taken by another function.
    """
    if not isinstance(name, str):
        raise BadSpec('bot takes the name to register first: write @bot("mine"), not @bot')
    if not name or not name.isascii() or any(mark in ":,=/\\ \t\n" for mark in name) or name in RESERVED:
        raise BadSpec(f"{name[:40]!r} cannot be a bot's name: it holds a blank or one of : , = /")

    def register(factory: Factory) -> Factory:
        new = Registered(name, factory)
        parameters_of(name, factory)  # raises now for unsupported parameters, not at the first use
        old = _BY_NAME.setdefault(name, new)
        if _place(old.factory) != _place(factory):
            raise BadSpec(f"there is a bot {name} already: {'.'.join(_place(old.factory))}")
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
    return sorted({*_BY_NAME, *(point.name for point in metadata.entry_points(group=GROUP))})


def bot_named(name: str) -> Registered:
    """Look up a bot by name.

    Raises `UnknownBot`, suggesting the nearest name, and `BadSpec` when an installed package's bot does not load.
    """
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    for point in metadata.entry_points(group=GROUP, name=name):
        with guarded(f"bot {name} of {point.value}"):
            return Registered(name, point.load())
    names = bot_names()
    near = get_close_matches(name, names, n=1)
    hint = f", did you mean {near[0]}?" if near else ""
    raise UnknownBot(f"no bot is called {name[:40]!r}{hint} (there are {', '.join(names)})")
