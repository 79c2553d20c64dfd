"""The folder of an entrant: its commands.json, and its build."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

__all__ = ["Commands", "read_commands", "year_of"]

_NAME: Final = "commands.json"
_SOURCES: Final = (".py", ".java", ".h", ".hpp", ".cpp")
_MARKS: Final = {
    "2021": re.compile(rb"(?i)assign"),
    "2022": re.compile(rb"'U'"),
    "2024": re.compile(rb"BidAction|\bBID"),
    "2025": re.compile(rb"(?i)bount"),
    "2026": re.compile(rb"(?i)discard"),
}
"""Words that stand in a year's skeletons of every language, and in no other year's."""
_LONGEST: Final = 65536
"""Bytes of a file that are read: commands.json holds two short lists of words."""


@attrs.frozen
class Commands:
    """How an entrant is built, if at all, and run; programs are looked up on the `PATH`, or in the folder."""

    build: tuple[str, ...]
    run: tuple[str, ...]


def read_commands(folder: Path) -> Commands:
    """Read commands.json of `folder`; raises `BadSpec`, naming the folder, unless it holds both commands.

    A link is refused: an entrant could make one to a file of ours in its build, and read of it in the error.
    """
    path = folder / _NAME
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            value = parse_json(file.read(_LONGEST))
    except OSError as error:
        raise BadSpec(f"bot mit:{folder}: {_NAME} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadSpec(f"bot mit:{folder}: {_NAME} is no JSON of at most {_LONGEST:,} bytes") from error
    given = value if isinstance(value, dict) else {}
    for name in ("build", "run"):
        words = given.get(name)
        if not isinstance(words, list) or not all(
            isinstance(word, str) and "\0" not in word for word in words
        ):
            raise BadSpec(f"bot mit:{folder}: {_NAME} has no list of words for {name!r}")
    if not given["run"]:
        raise BadSpec(f"bot mit:{folder}: {_NAME} has an empty command to run")
    return Commands(_found(folder, given["build"]), _found(folder, given["run"]))


def year_of(folder: Path) -> str:
    """Return the year whose skeleton the bot in `folder` is written with, by words that only that year's files have.

    A bot without any of them speaks what all years have in common, which is 2023's.
    """
    for path in sorted(folder.glob("**/skeleton/**/*")):
        if path.suffix in _SOURCES and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                text = file.read(_LONGEST)
            for year, mark in _MARKS.items():
                if mark.search(text):
                    return year
    return "2023"


def _found(folder: Path, words: list[str]) -> tuple[str, ...]:
    """Return the command with the whole path of its program; one in the folder may still have to be built."""
    if not words:
        return ()
    if "/" in words[0]:
        return (str(folder / words[0]), *words[1:])
    program = shutil.which(words[0])
    if program is None:
        raise BadSpec(f"bot mit:{folder}: {words[0][:60]} is not on the PATH")
    return (program, *words[1:])
