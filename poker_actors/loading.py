"""Run a user's Python, a file or a module; what it raises becomes an error that names it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Final

import attrs

from poker_actors.errors import BadSpec, PokerError

__all__ = ["Source", "files_beside", "guarded", "load_file", "place_of", "run_source", "source_of"]

_PREFIX: Final = "poker_actors_bot_"
"""Prefix of the names of modules made from files."""

_LOADED: Final[dict[str, Source]] = {}
"""What each module made from a file was made from."""

_BESIDE: Final[dict[str, str]] = {}
"""Name of an imported module -> the digest of its file, which lies beside a user's."""


@attrs.frozen
class Source:
    """A user's file as it was run: another process runs the same code, or is told that it cannot."""

    path: str
    code: bytes
    beside: tuple[tuple[str, str], ...] = ()
    """files beside it that it imports, and the digest of each"""


@contextmanager
def guarded(what: str, passing: type[Exception] = PokerError) -> Iterator[None]:
    """Turn whatever a user's code raises while it is loaded into `BadSpec`.

    Our own errors, those of the class `passing`, and Ctrl-C pass through.
    """
    try:
        yield
    except (PokerError, passing, KeyboardInterrupt):
        raise
    except SystemExit as error:
        raise BadSpec(f"{what} cannot be loaded: it calls sys.exit({error.code!r:.40})") from error
    except BaseException as error:
        raise BadSpec(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error


def file_at(place: str) -> Path:
    """Return the absolute path of a file; raises `BadSpec` for one that is not there or cannot be reached."""
    try:
        path = Path(place).expanduser().resolve()
        there = path.is_file()
    except (OSError, RuntimeError, ValueError) as error:  # no permission, links in a circle, no such home
        why = error.strerror if isinstance(error, OSError) else error
        raise BadSpec(f"{place[:100]!r} cannot be read: {why}") from error
    if not there:
        raise BadSpec(f"file {place[:100]} does not exist")
    return path


def load_file(place: str) -> ModuleType:
    """Run a file as a module, once per process while it does not change; it may import the files beside it.

    Raises `BadSpec` for a file that is not there, cannot be read or raises.
    """
    path = file_at(place)
    try:
        code = path.read_bytes()
    except OSError as error:
        raise BadSpec(f"{place[:100]!r} cannot be read: {error.strerror}") from error
    with guarded(place[:100]):
        return run_source(Source(str(path), code, _digests(_siblings(path.parent, code))))


def files_beside(path: Path) -> tuple[Path, ...]:
    """Return the files that the file at `path`, which is not run, imports from its folder, and those that these import.

    A link that leads out of the folder is left out: whoever wrote it may have no right to read what it leads to.
    """
    folder = path.parent.resolve()
    found = _siblings(path.parent, path.read_bytes())
    return tuple(file for file in found.values() if file.resolve().is_relative_to(folder))


def source_of(module: str) -> Source | None:
    """Return what a module was made from, by its name; None for a module that Python imported."""
    return _LOADED.get(module)


def place_of(value: object) -> tuple[Source, str] | None:
    """Return the file that holds this very value, and its name there; None if no file that was run holds it."""
    for module, source in _LOADED.items():
        for name, kept in vars(sys.modules[module]).items():
            if kept is value:
                return source, name
    return None


def run_source(source: Source) -> ModuleType:
    """Return the module of a source, running it unless it has run before; raises what it raises.

    Raises `BadSpec` if a file beside it has changed.
    """
    path = Path(source.path)
    # named by its path: files of the same name in different folders are different modules
    name = f"{_PREFIX}{path.stem}_{blake2b(bytes(path), digest_size=6).hexdigest()}"
    loaded = sys.modules.get(name)
    if loaded is not None and _LOADED[name] == source:
        return loaded
    siblings = _siblings(path.parent, source.code)
    if _digests(siblings) != source.beside:
        names = ", ".join(sorted({name for name, _ in {*source.beside} ^ {*_digests(siblings)}}))
        raise BadSpec(f"{path} imports {names} from its folder, which is missing or has changed")
    module = ModuleType(name)
    module.__file__ = source.path
    before = _LOADED.get(name)
    sys.modules[name] = module  # before it runs: dataclasses and pickle look their own module up
    _LOADED[name] = source
    try:
        with _importing_from(path.parent, siblings, dict(source.beside)):
            exec(compile(source.code, source.path, "exec"), vars(module))  # as an import would
    except BaseException:
        del sys.modules[name], _LOADED[name]  # else the next load would return the half-run module
        if loaded is not None and before is not None:
            sys.modules[name], _LOADED[name] = loaded, before
        raise
    return module


@contextmanager
def _importing_from(folder: Path, siblings: dict[str, Path], digests: dict[str, str]) -> Iterator[None]:
    """Let imports find `siblings`, even where a module of the same name has come from another folder."""
    tops = {name.partition(".")[0] for name in siblings}
    there = {name: kept for name, kept in list(sys.modules.items()) if name.partition(".")[0] in tops}
    others = {name: module for name, module in there.items() if not _is_in(module, folder)}
    changed = any(_BESIDE.get(name, digest) != digest for name, digest in digests.items())
    for name in there if changed else others:
        del sys.modules[name]
    importlib.invalidate_caches()  # a file written a moment ago
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        if others:
            for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
                del sys.modules[name]
            sys.modules.update(others)
        else:
            _BESIDE.update(digests)
        if siblings and str(folder) not in sys.path:
            sys.path.append(str(folder))  # for imports inside functions, which run later


def _is_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder)


def _siblings(folder: Path, code: bytes) -> dict[str, Path]:
    """Return the files in `folder` that `code` imports, and those that these import, by module name.

    The standard library and this package come first: a file called `random.py` there is never imported.
    """
    found: dict[str, Path] = {}
    waiting = [code]
    while waiting:
        for name in _imported(waiting.pop()):
            if name in found or name in sys.stdlib_module_names or name == "poker_actors":
                continue
            package = folder / name
            files = sorted(package.rglob("*.py")) if (package / "__init__.py").is_file() else []
            for file in files or [folder / f"{name}.py"]:
                if file.is_file():
                    parts = file.relative_to(folder).with_suffix("").parts
                    found[".".join(parts).removesuffix(".__init__")] = file
                    waiting.append(file.read_bytes())
    return found


def _imported(code: bytes) -> set[str]:
    """Return the first parts of the modules that `code` imports; none if it is not Python, as running it will show."""
    import ast  # here: few bots are files

    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def _digests(siblings: dict[str, Path]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, blake2b(file.read_bytes(), digest_size=16).hexdigest())
        for name, file in sorted(siblings.items())
    )
