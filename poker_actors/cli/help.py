"""`poker-actors COMMAND --help`, from a file generated from the code, so that no parser is loaded for it."""

from __future__ import annotations

import shutil
import textwrap
from importlib.resources import files
from typing import Any, Final

from poker_actors.cli.commands import COMMANDS
from poker_actors.jsontext import parse_json

__all__ = ["described", "help_text"]

INDENT: Final = 26
"""Columns for names; a longer name gets its own line."""
NARROW: Final = 70
"""On terminals with fewer columns the texts go below the names."""


def described(name: str) -> dict[str, Any]:
    """Return a command's arguments and options, as `tests/docs/draw_options.py` generated them from the code."""
    text = files("poker_actors.cli").joinpath("options.json").read_text(encoding="utf-8")
    found: dict[str, Any] = parse_json(text)[name]
    return found


def help_text(name: str) -> str:
    """Return the help of one command, as wide as the terminal, at most 100 columns."""
    width = min(shutil.get_terminal_size().columns, 100)
    command = described(name)
    words = " ".join(_usage(one) for one in command["arguments"])
    lines = _filled(f"Usage: poker-actors {name} {words} [OPTIONS]".replace("  ", " "), width)
    for paragraph in command["about"]:
        lines += ["", *_filled(paragraph, width)]
    for heading, entries in (("Arguments:", command["arguments"]), ("Options:", command["options"])):
        if entries:
            lines += ["", heading, *(line for one in entries for line in _entry(one, width))]
    example = next(command.example for command in COMMANDS if command.name == name)
    return "\n".join([*lines, "", f"Example: {example}"])


def _usage(one: dict[str, Any]) -> str:
    word = one["name"] + ("..." if "several" in one else "")
    return word if "required" in one else f"[{word}]"


def _entry(one: dict[str, Any], width: int) -> list[str]:
    """One argument or option: its name, and beside or under it what it is for."""
    name = f"  {one['name']} {one.get('value', '')}".rstrip()
    notes = [
        "One of " + ", ".join(one["one_of"]) + "." if "one_of" in one else "",
        "May be given again." if "several" in one and "positional" not in one else "",
        "Required." if "required" in one and "positional" not in one else "",
        f"[{one['default']}]" if "default" in one else "",
        f"Older name: {', '.join(one['older'])}." if "older" in one else "",
    ]
    text = " ".join([one["help"], *filter(None, notes)])
    indent = INDENT if width >= NARROW else 6
    lines = textwrap.wrap(text, max(width - indent, 20), break_long_words=False, break_on_hyphens=False)
    beside = len(name) + 2 <= indent and width >= NARROW
    first = [name.ljust(indent) + lines[0]] if beside else [name, " " * indent + lines[0]]
    return first + [" " * indent + line for line in lines[1:]]


def _filled(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
