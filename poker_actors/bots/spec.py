"""Bot specs: a name, or a function in a file or module, with parameters."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from difflib import get_close_matches
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import attrs

from poker_actors.bots.awaiting import awaited, is_awaited
from poker_actors.bots.deciding import Bot
from poker_actors.bots.parameters import checked
from poker_actors.bots.registry import Registered, bot_named, bot_names
from poker_actors.errors import BadSpec, UnknownBot

__all__ = ["BotSpec"]

_FILE_MODULE: Final = "poker_actors_bot_"
"""Prefix of the names of modules loaded from bot files."""

_CODE: Final[dict[str, bytes]] = {}
"""The code of each such module: it is pickled with its bots, so that all processes run the same code."""


@attrs.frozen
class BotSpec:
    """A bot and its checked parameters, from which any number of instances can be made.

    `str` returns the text it was parsed from, which parses back.
    """

    text: str
    source: Registered = attrs.field(repr=False, eq=False)
    values: dict[str, object] = attrs.field(factory=dict, hash=False)

    @classmethod
    def parse(cls, text: str) -> BotSpec:
        """Parse `NAME`, `path/to/file.py:function`, `package.module:function` or `cmd:COMMAND`.

        `:key=value,key=value` may follow; for a command it comes first: `cmd:seconds=1:COMMAND`. Raises `UnknownBot`
        for an unknown name, module or function, `BadSpec` for any other mistake.
        """
        place, function, rest = _split(text)
        if function is not None and place in bot_names():
            raise BadSpec(f"bot {text[:60]!r}: {function[:40]!r} is not key=value")
        if place == "cmd":
            return cls._of_program(text, rest)
        if function is None:
            source = bot_named(place)
        else:
            source = Registered(f"{place}:{function}", _function(place, function))
        return cls(text, source, checked(source.name, source.parameters, _pairs(text, rest)))

    @classmethod
    def _of_program(cls, text: str, rest: str) -> BotSpec:
        from poker_actors.bots.program import ProgramBot, program_spec

        settings, command = program_spec(text, rest)
        source = Registered("cmd", ProgramBot)
        given = _pairs(text, settings)
        if "command" in given:
            raise BadSpec(f"bot {text[:60]!r}: the command comes last, after a colon")
        return cls(text, source, checked("cmd", source.parameters, {**given, "command": command}))

    @classmethod
    def of(cls, bot: str | BotSpec | Callable[..., Any]) -> BotSpec:
        """Return the spec of a bot given as text, spec, function, class or callable object; raises as `parse` does."""
        if isinstance(bot, BotSpec):
            return bot
        if isinstance(bot, str):
            return cls.parse(bot)
        if not callable(bot):
            raise BadSpec(f"{bot!r:.60} is no bot: a bot is a name or a function of a view")
        name = getattr(bot, "__name__", type(bot).__name__)
        source = Registered(name, bot)
        if inspect.isclass(bot) or inspect.isfunction(bot):
            checked(name, source.parameters, {})
        return cls(name, source)

    def make(self) -> Bot:
        """Make the bot; a class is instantiated each time, so that seats share no state."""
        factory = self.source.factory
        made: Bot = factory
        if inspect.isclass(factory):
            made = factory(**self.values)  # type: ignore[assignment]  # the class of a bot, known only at run time
        elif self.values:
            made = functools.partial(factory, **self.values)
        if is_awaited(made):
            return awaited(made, factory)  # type: ignore[arg-type]  # `is_awaited` found that it returns an awaitable
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by reference: the unpickling process imports the module, or runs the code of a bot file.

        A module loaded from a bot file cannot be imported by name elsewhere, so its code is included.
        """
        factory = self.source.factory
        module = sys.modules.get(getattr(factory, "__module__", ""))
        if module is None or not module.__name__.startswith(_FILE_MODULE):
            return (BotSpec, (self.text, self.source, self.values))
        code = _CODE[module.__name__]
        return (_from_code, (self.text, str(module.__file__), code, factory.__qualname__, self.values))

    def __str__(self) -> str:
        return self.text


def _from_code(text: str, place: str, code: bytes, function: str, values: dict[str, object]) -> BotSpec:
    """Restore a spec in a process that has not loaded the bot file, or on a machine without it."""
    module = _loaded(Path(place), code)
    return BotSpec(text, Registered(f"{place}:{function}", attrgetter(function)(module)), values)


def _split(text: str) -> tuple[str, str | None, str]:
    """Split a spec into name or place, function or None, and parameters."""
    head, _, tail = text.strip().partition(":")
    if not head:
        raise BadSpec(f"bot {text[:40]!r} has no name")
    if head == "cmd":
        return head, None, tail
    file = head.endswith(".py") or "/" in head
    first, _, rest = tail.partition(":")
    if file or (first and "=" not in first):
        if not first:
            raise BadSpec(f"bot {text[:60]!r} names no function: write {head[:40]}:function")
        return head, first, rest
    return head, None, tail


def _pairs(text: str, written: str) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for part in written.split(",") if written else ():
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise BadSpec(f"bot {text[:60]!r}: {part[:40]!r} is not key=value")
        if key.strip() in pairs:
            raise BadSpec(f"bot {text[:60]!r} gives {key.strip()[:40]} twice")
        pairs[key.strip()] = value.strip()
    return pairs


def _function(place: str, name: str) -> Callable[..., Any]:
    module = _file(place) if place.endswith(".py") or "/" in place else _module(place)
    found = getattr(module, name, None)
    if not callable(found):
        names = [each for each, kept in vars(module).items() if callable(kept) and not each.startswith("_")]
        near = get_close_matches(name, names, n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise UnknownBot(f"{place} has no function {name[:40]!r}{hint}")
    function: Callable[..., Any] = found
    return function


def _module(place: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except ImportError as error:
        near = get_close_matches(place, [*bot_names(), "cmd"], n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise UnknownBot(f"no bot is called {place[:60]!r} and no module either: {error}{hint}") from error
    except Exception as error:
        raise BadSpec(f"module {place} cannot be imported: {type(error).__name__}: {error}") from error


def _file(place: str) -> ModuleType:
    try:
        path = Path(place).expanduser().resolve()
        code = path.read_bytes() if path.is_file() else None
    except (OSError, RuntimeError, ValueError) as error:  # no permission, too long, no such home, a null byte
        why = error.strerror if isinstance(error, OSError) else error
        raise BadSpec(f"{place[:100]!r} cannot be read: {why}") from error
    if code is None:
        raise BadSpec(f"there is no file {place[:100]}")
    try:
        return _loaded(path, code)
    except Exception as error:
        raise BadSpec(f"{place[:100]} cannot be loaded: {type(error).__name__}: {error}") from error


def _loaded(path: Path, code: bytes) -> ModuleType:
    """Run a file's code as a module, once per process."""
    # named by its path: files of the same name in different folders are different modules
    name = f"{_FILE_MODULE}{path.stem}_{blake2b(bytes(path), digest_size=6).hexdigest()}"
    loaded = sys.modules.get(name)
    if loaded is not None:
        return loaded
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # before it runs: dataclasses and pickle look their own module up
    _CODE[name] = code
    try:
        exec(compile(code, str(path), "exec"), vars(module))  # runs the user's own bot, as an import would
    except BaseException:
        del sys.modules[name]  # else the next load would return the half-run module
        raise
    return module
