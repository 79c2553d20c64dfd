"""Keep an option from overwriting a file that the same command line reads, or writes by another option."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from poker_actors.cli.commands import named
from poker_actors.cli.help import described
from poker_actors.errors import BadSpec

__all__ = ["refuse_overwriting"]

_BETWEEN: Final = re.compile(r"[:=,\s]+")
"""What stands around a file inside a word: `FILE.py:FUNCTION`, `cmd:python FILE.py`, `--compare=FILE`."""


def refuse_overwriting(arguments: list[str]) -> None:
    """Raise `BadSpec` when the command line names a file to be written a second time."""
    name = named(arguments)
    if name is None:
        return
    options = described(name)["options"]
    names = {name for one in options if "written" in one for name in (one["name"], *one.get("older", ()))}
    written, others = _sorted(arguments[len(name.split()) :], names)
    for place, (name, target) in enumerate(written):
        others_written = [path for _, path in written[:place]]
        for word in (*others, *others_written):
            if any(_same(Path(target), Path(part)) for part in (word, *_BETWEEN.split(word)) if part):
                raise BadSpec(
                    f"{name} {target} would write over {target}, which the command line names again"
                )


def _sorted(words: list[str], names: set[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options that write, with their files, and all other words."""
    written: list[tuple[str, str]] = []
    others: list[str] = []
    waiting = ""
    for word in words:
        name, equals, value = word.partition("=")
        if waiting:
            written.append((waiting, word))
            waiting = ""
        elif name not in names:
            others.append(word)
        elif equals:
            written.append((name, value))
        else:
            waiting = name
    # `-` is stdout
    return [(name, path) for name, path in written if path != "-"], others


def _same(target: Path, other: Path) -> bool:
    """Return whether both are the same file; devices and folders may be named repeatedly."""
    try:
        if target.exists() and other.exists():
            return target.is_file() and target.samefile(other)
        return target.resolve() == other.resolve()
    except OSError:  # a word that cannot be a path
        return False
