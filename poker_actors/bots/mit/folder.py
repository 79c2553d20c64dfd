"""The folder of an entrant: its commands.json, and its build."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

__all__ = ["COMMANDS", "OTHERS_YEAR", "Commands", "constants_of", "found_program", "read_commands", "year_of"]

COMMANDS: Final = "commands.json"
"""The file that says how an entrant is built and run."""
PROTOCOLS: Final = ("mit", "lines")
"""What an entrant may speak: clauses over a socket, or lines of JSON; the first if its file names none."""
_PYTHONS: Final = re.compile(r"python(3(\.\d+)?)?")
_SOURCES: Final = (".py", ".java", ".h", ".hpp", ".cpp")
_MARKS: Final = {
    "2021": re.compile(rb"(?i)assign"),
    "2022": re.compile(rb"'U'"),
    "2024": re.compile(rb"BidAction|\bBID"),
    "2025": re.compile(rb"(?i)bount"),
    "2026": re.compile(rb"(?i)discard"),
}
"""Words that stand in a year's skeletons of every language, and in no other year's."""
OTHERS_YEAR: Final = "2023"
"""The year of bots without such words, whose skeleton has none, and of those without a skeleton."""
_CONSTANT: Final = re.compile(rb"(STARTING_STACK|BIG_BLIND|SMALL_BLIND)\s*=\s*([0-9]{1,9})\b")
_LONGEST: Final = 65536
"""Bytes of a file that are read: commands.json holds two short lists of words."""


@attrs.frozen
class Commands:
    """What commands.json says: the words that build an entrant, if any, those that run it, and what it speaks."""

    build: tuple[str, ...]
    run: tuple[str, ...]
    protocol: str = PROTOCOLS[0]


def read_commands(folder: Path) -> Commands:
    """Read commands.json of `folder`; raises `BadSpec` unless it holds both commands and a protocol that is known.

    A link is refused: an entrant could make one to a file of ours in its build, and read of it in the error.
    """
    try:
        with os.fdopen(os.open(folder / COMMANDS, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            value = parse_json(file.read(_LONGEST))
    except OSError as error:
        raise BadSpec(f"{COMMANDS} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadSpec(f"{COMMANDS} is no JSON of at most {_LONGEST:,} bytes") from error
    given = value if isinstance(value, dict) else {}
    for name in ("build", "run"):
        words = given.get(name)
        if not isinstance(words, list) or not all(
            isinstance(word, str) and "\0" not in word for word in words
        ):
            raise BadSpec(f"{COMMANDS} has no list of words for {name!r}")
    if not given["run"]:
        raise BadSpec(f"{COMMANDS} has an empty command to run")
    protocol = given.get("protocol", PROTOCOLS[0])
    if protocol not in PROTOCOLS:
        raise BadSpec(f"{COMMANDS}: protocol {protocol!r:.40} is none of {', '.join(PROTOCOLS)}")
    return Commands(tuple(given["build"]), tuple(given["run"]), protocol)


def found_program(folder: Path, words: Sequence[str], *, our_python: bool) -> tuple[str, ...]:
    """Return a command with the whole path of its program: one of its `folder`, which may still have to be built, or of the PATH.

    With `our_python`, `python` and `python3` are the one that runs us: the one on the PATH may be a script of a home, as
    pyenv's is, which a cage does not show. Raises `BadSpec` for a program that is nowhere.
    """
    if not words:
        return ()
    if our_python and _PYTHONS.fullmatch(words[0]):
        return (sys.executable, *words[1:])
    if "/" in words[0]:
        return (str(folder / words[0]), *words[1:])
    program = shutil.which(words[0])
    if program is None:
        raise BadSpec(f"{words[0][:60]} is not on the PATH")
    return (program, *words[1:])


def year_of(folder: Path) -> str:
    """Return the year whose skeleton the bot in `folder` is written with, by words that only that year's files have.

    A bot without any of them speaks what all years have in common, which is 2023's.
    """
    for text in _skeleton(folder):
        for year, mark in _MARKS.items():
            if mark.search(text):
                return year
    return OTHERS_YEAR


def constants_of(folder: Path) -> dict[str, int]:
    """Return `STARTING_STACK`, `BIG_BLIND` and `SMALL_BLIND` as the skeleton in `folder` has them; those that it has."""
    return {
        name.decode(): int(number) for text in _skeleton(folder) for name, number in _CONSTANT.findall(text)
    }


def _skeleton(folder: Path) -> Iterator[bytes]:
    """Yield the text of each source of the skeleton in `folder`."""
    for path in sorted(folder.glob("**/skeleton/**/*")):
        if path.suffix in _SOURCES and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                yield file.read(_LONGEST)
