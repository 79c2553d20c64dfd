"""Bot specs: a name, or a function in a file or module, with parameters."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from operator import attrgetter
from types import ModuleType
from typing import Any

import attrs

from poker_actors.bots.awaiting import ModelBot, awaited, is_awaited
from poker_actors.bots.deciding import Bot
from poker_actors.bots.registry import RESERVED, Registered, bot_named, bot_names, checked
from poker_actors.errors import BadSpec, UnknownBot, suggestion
from poker_actors.loading import Source, file_at, guarded, load_file, run_source, source_of


@attrs.frozen
class BotSpec:
    """A bot and its checked parameters, from which any number of instances can be made.

    `str` returns the text it was parsed from, which parses back.
    """

    text: str
    source: Registered = attrs.field(repr=False, eq=False)
    values: dict[str, object] = attrs.field(factory=dict, hash=False)
    _origin: tuple[Source, str] | None = attrs.field(default=None, repr=False, eq=False)
    """the file that the bot was found in, and its name there"""

    @classmethod
    def parse(cls, text: str) -> BotSpec:
        """Parse `NAME`, `FILE.py:function`, `package.module:function` or `cage:FILE.py:function`, and `cmd:COMMAND`, `mit:DIR`, `model:URL#NAME`.

        `:key=value,key=value` may follow; for the last three it comes first: `cmd:seconds=1:COMMAND`. Raises `UnknownBot`
        for an unknown name, module or function, `BadSpec` for any other mistake.
        """
        place, function, rest = _split(text)
        if function is not None and place in bot_names():
            raise BadSpec(f"bot {text[:60]!r}: {function[:40]!r} is not key=value")
        if place in ("cmd", "mit", "model"):
            return cls._of_program(text, place, rest)
        if place == "cage":
            return cls._of_cage(text, rest)
        if function is None:
            source = bot_named(place)
            origin = _origin_of(source.factory)
        else:
            module = _module(place)
            source = Registered(f"{place}:{function}", _function(place, module, function))
            file = source_of(module.__name__)
            origin = None if file is None else (file, function)
        return cls(text, source, checked(source.name, source.parameters, _pairs(text, rest)), origin)

    @classmethod
    def isolated(cls, text: str) -> BotSpec:
        """Parse `text` for an untrusted bot: a file's bot or a program plays in a cage.

        House bots, and our own code that asks a language model, need no cage. Raises `BadSpec` for any other code: a
        module cannot be shown alone.
        """
        place, function, rest = _split(text)
        if place in ("cage", "model"):
            return cls.parse(text)
        if place in ("cmd", "mit"):
            from poker_actors.bots.program import program_spec

            settings, command = program_spec(text, rest)
            return cls.parse(f"{place}:{','.join(filter(None, [settings, 'cage=1']))}:{command}")
        if function is None and bot_named(place).factory.__module__.partition(".")[0] == "poker_actors":
            return cls.parse(text)
        return cls.parse(f"cage:{text}")

    @classmethod
    def _of_cage(cls, text: str, rest: str) -> BotSpec:
        from poker_actors.bots.program import IsolatedBot

        place, function, given = _split(rest)
        if function is None or not (place.endswith(".py") or "/" in place):
            raise BadSpec(
                f"bot {text[:60]!r} cannot be isolated: name it by its file, as cage:FILE.py:FUNCTION"
            )
        spec = f"{file_at(place)}:{function}" + (f":{given}" if given else "")
        return cls(text, Registered("cage", IsolatedBot), {"spec": spec})

    @classmethod
    def _of_program(cls, text: str, kind: str, rest: str) -> BotSpec:
        """Return the spec of a bot whose settings come first, and its command, folder or endpoint last, after a colon."""
        from poker_actors.bots.program import ProgramBot, program_spec

        if kind == "cmd":
            source, last = Registered(kind, ProgramBot), "command"
        elif kind == "mit":
            from poker_actors.bots.mit import MitBot

            source, last = Registered(kind, MitBot), "folder"
        else:
            source, last = Registered(kind, ModelBot), "endpoint"
        settings, value = program_spec(text, rest)
        given = _pairs(text, settings)
        if last in given:
            raise BadSpec(f"bot {text[:60]!r}: the {last} comes last, after a colon")
        return cls(text, source, checked(kind, source.parameters, {**given, last: value}))

    @classmethod
    def of(cls, bot: str | BotSpec | Callable[..., Any]) -> BotSpec:
        """Return the spec of a bot given as text, spec, function, class or callable object; raises as `parse` does."""
        if isinstance(bot, BotSpec):
            return bot
        if isinstance(bot, str):
            return cls.parse(bot)
        if not callable(bot):
            raise BadSpec(f"{bot!r:.60} is not a bot: a bot is a name or a function of a view")
        name = getattr(bot, "__name__", type(bot).__name__)
        source = Registered(name, bot)
        if inspect.isclass(bot) or inspect.isfunction(bot):
            checked(name, source.parameters, {})
        return cls(name, source, origin=_origin_of(bot))

    def make(self) -> Bot:
        """Make the bot; a class is instantiated each time, so that seats share no state.

        Raises `BadSpec` if the class cannot be instantiated.
        """
        factory = self.source.factory
        made: Bot = factory
        if inspect.isclass(factory):
            with guarded(f"bot {self.text:.200}"):
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
        if self._origin is None:
            return (BotSpec, (self.text, self.source, self.values))
        file, name = self._origin
        beside = (file.beside,) if file.beside else ()
        return (_from_code, (self.text, file.path, file.code, name, self.values, *beside))

    def __str__(self) -> str:
        return self.text


def _from_code(
    text: str,
    place: str,
    code: bytes,
    function: str,
    values: dict[str, object],
    beside: tuple[tuple[str, str], ...] = (),
) -> BotSpec:
    """Restore a spec in a process that has not loaded the bot file, or on a machine without it."""
    source = Source(place, code, beside)
    with guarded(place):
        module = run_source(source)
    return BotSpec(
        text, Registered(f"{place}:{function}", attrgetter(function)(module)), values, (source, function)
    )


def _origin_of(factory: Callable[..., Any]) -> tuple[Source, str] | None:
    file = source_of(getattr(factory, "__module__", ""))
    return None if file is None else (file, factory.__qualname__)


def _split(text: str) -> tuple[str, str | None, str]:
    """Split a spec into name or place, function or None, and parameters."""
    head, _, tail = text.strip().partition(":")
    if not head:
        raise BadSpec(f"bot {text[:40]!r} has no name")
    if head in RESERVED:
        return head, None, tail
    file = head.endswith(".py") or "/" in head
    first, _, rest = tail.partition(":")
    if file or (first and "=" not in first):
        if not first:
            raise BadSpec(f"bot {text[:60]!r} does not name a function: write {head[:40]}:function")
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


def _function(place: str, module: ModuleType, name: str) -> Callable[..., Any]:
    found = getattr(module, name, None)
    if not callable(found):
        names = [each for each, kept in vars(module).items() if callable(kept) and not each.startswith("_")]
        raise UnknownBot(f"{place} has no function {name[:40]!r}{suggestion(name, names)}")
    function: Callable[..., Any] = found
    return function


def function_at(what: str, place: str) -> Callable[..., Any]:
    """Return the function at ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``, which is a `what` and no bot.

    Raises `BadSpec`, and `UnknownBot` for a module or a function that is not there.
    """
    head, _, name = place.strip().partition(":")
    if not head or not name:
        raise BadSpec(f"{what} {place[:60]!r} names no function: write FILE.py:FUNCTION or MODULE:FUNCTION")
    return _function(head, _module(head, what), name)


def _module(place: str, what: str = "bot") -> ModuleType:
    if place.endswith(".py") or "/" in place:
        return load_file(place)
    try:
        with guarded(f"module {place}", passing=ImportError):
            return importlib.import_module(place)
    except ImportError as error:
        hint = suggestion(place, [*bot_names(), *RESERVED]) if what == "bot" else ""
        raise UnknownBot(
            f"no {what} is called {place[:60]!r} and there is no such module: {str(error)[:80]}{hint}"
        ) from error
