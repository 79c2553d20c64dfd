"""Write the commands' options from the code: for `--help`, which then loads no parser, and for the docs.

`python tests/docs/draw_options.py` writes `poker_actors/cli/options.json` and `docs/options.md`; a test fails when
they are out of date.
"""

from __future__ import annotations

import inspect
import json
from functools import reduce
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from cyclopts import App

from poker_actors.cli.commands import COMMANDS
from poker_actors.cli.frame import program
from poker_actors.cli.values import WRITTEN
from poker_actors.rules.games import GAMES

ROOT: Final = Path(__file__).parents[2]
DATA: Final = ROOT / "poker_actors" / "cli" / "options.json"
PAGE: Final = ROOT / "docs" / "options.md"

LONGEST: Final = 50
"""The most characters of choices shown beside the name of an option; longer lists go into its text."""

HEAD: Final = """\
# Options

Every command and every option, as the code has them (`python tests/docs/draw_options.py` writes this page). A word means
the same wherever it stands. {doc}`command-line` says what the commands have in common.

## By option

| option | value | meaning | commands |
|---|---|---|---|
"""


def described() -> dict[str, Any]:
    """Return every command's description, arguments and options, in order."""
    app = program()
    return {
        command.name: _command(reduce(lambda within, word: within[word], command.name.split(), app))
        for command in COMMANDS
    }


def _command(app: App) -> dict[str, Any]:
    function = app.default_command
    assert callable(function)
    about = (inspect.getdoc(function) or "").partition("\nArgs:\n")[0].strip()
    arguments = [
        _option(argument)
        for argument in app.assemble_argument_collection(parse_docstring=True)
        if argument.show
    ]
    return {
        "about": [" ".join(part.split()) for part in about.split("\n\n")],
        "arguments": [one for one in arguments if "positional" in one],
        "options": [one for one in arguments if "positional" not in one],
    }


def _option(argument: Any) -> dict[str, Any]:
    positional = argument.index is not None
    names = [name for name in argument.names if not name.startswith(("--no-", "--empty-"))]
    default = argument.field_info.default
    said = None if default in (None, inspect.Parameter.empty, False, "") else str(default)
    text = " ".join((argument.parameter.help or "").split())
    found = {
        "name": names[0].strip("-").upper().replace("-", "_") if positional else names[0],
        "older": [] if positional else names[1:],
        "value": None if positional else _value(argument),
        "positional": positional,
        "required": bool(argument.required),
        "several": any(word in str(argument.hint) for word in ("list[", "tuple[")),
        "default": said,
        "written": WRITTEN in get_args(argument.field_info.annotation),
        "help": text,
        "one_of": _long_choices(argument, text),
    }
    return {key: value for key, value in found.items() if value}


def _long_choices(argument: Any, text: str) -> list[str]:
    """Return the choices if they are too long to show beside the name of the option."""
    if "`poker-actors games` lists" in text:
        return list(GAMES)
    choices = _choices(argument)
    return choices if len("|".join(choices)) > LONGEST else []


def _choices(argument: Any) -> list[str]:
    """Return the choices of a literal value; empty for other kinds."""
    kinds = [argument.hint, *get_args(argument.hint)]
    return next((list(map(str, get_args(kind))) for kind in kinds if get_origin(kind) is Literal), [])


def _value(argument: Any) -> str | None:
    """Return the placeholder of the value; None for a flag."""
    kinds = {argument.hint, *get_args(argument.hint)}
    if argument.parameter.metavar is not None:
        return str(argument.parameter.metavar)
    if bool in kinds:
        return None
    if _choices(argument) and not _long_choices(argument, ""):
        return "|".join(_choices(argument))
    if int in kinds:
        return "N"
    if float in kinds:
        return "SECONDS" if argument.name.endswith(("seconds", "pause", "poll", "reconnect")) else "X"
    if Path in kinds:
        return "FILE"
    return str(argument.names[0]).strip("-").upper().replace("-", "_")


def page(commands: dict[str, Any]) -> str:
    """Return the page of the docs: all options, then those of each command."""
    return HEAD + "".join(_row(name, commands) for name in _names(commands)) + _by_command(commands)


def _names(commands: dict[str, Any]) -> list[str]:
    return sorted({option["name"] for command in commands.values() for option in command["options"]})


def _row(name: str, commands: dict[str, Any]) -> str:
    found = {at: one for at, command in commands.items() for one in command["options"] if one["name"] == name}
    values = dict.fromkeys(f"`{one['value']}`" for one in found.values() if "value" in one)
    first, *others = dict.fromkeys(one["help"] for one in found.values())
    meaning = first_clause(first) if others else first
    cells = (f"`{name}`", ", ".join(values), meaning.rstrip("."), ", ".join(found))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _by_command(commands: dict[str, Any]) -> str:
    parts = ["\n## By command\n"]
    for name, command in commands.items():
        parts.append(f"\n### {name}\n\n{command['about'][0]}\n\n")
        parts += [f"- {_entry(one)}\n" for one in (*command["arguments"], *command["options"])]
    return "".join(parts)


def _entry(one: dict[str, Any]) -> str:
    value = f" {one['value']}" if "value" in one else ""
    older = f" Older name: {', '.join(f'`{name}`' for name in one['older'])}." if "older" in one else ""
    default = f" Default: `{one['default']}`." if "default" in one else ""
    return f"`{one['name']}{value}`: {one['help']}{default}{older}"


def first_clause(text: str) -> str:
    """Return the first clause of an option's help, which all commands share."""
    for place, mark in enumerate(text):
        if mark == "(" or (mark in ".:;," and text[place + 1 : place + 2] in ("", " ")):
            return text[:place].strip()
    return text


def main() -> None:
    """Write both files."""
    commands = described()
    DATA.write_text(json.dumps(commands, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(commands), encoding="utf-8")


if __name__ == "__main__":
    main()
