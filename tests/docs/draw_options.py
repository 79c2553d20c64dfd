"""Write the commands' options and the server's routes from the code: for `--help`, which then loads no parser, and for the docs.

`python tests/docs/draw_options.py` writes `poker_actors/cli/options.json`, `docs/options.md` and `docs/routes.md`; a
test fails when they are out of date.
"""

from __future__ import annotations

import inspect
import json
from functools import cache, reduce
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from cyclopts import App

from poker_actors.cli.commands import COMMANDS
from poker_actors.cli.frame import program
from poker_actors.cli.values import WRITTEN
from poker_actors.rules.games import GAMES
from poker_actors.server import README
from poker_actors.server.http.openapi import document
from poker_actors.version import __version__

ROOT: Final = Path(__file__).parents[2]
DATA: Final = ROOT / "poker_actors" / "cli" / "options.json"
PAGE: Final = ROOT / "docs" / "options.md"
ROUTES: Final = ROOT / "docs" / "routes.md"

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


@cache
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


ROUTES_HEAD: Final = """\
# Routes

Every route of `poker-actors serve --http`, as the server's own `/openapi.json` has them (`python tests/docs/draw_options.py`
writes this page); {doc}`server` says how to play by them, and over the WebSocket `/games/{game_id}/socket`, which `/asyncapi.json` describes. *Who*: **user** needs credentials or a cookie, **anybody** may send
them and sees more with them. A field with `?` may be left out. Those of `/arena` are there
with `serve --arena`. Besides the errors named, every route may answer 405, 408,
413, 429, 431 and 503.

| request | who | takes | answers | errors |
|---|---|---|---|---|
"""
_WHO: Final = {0: "", 2: "user", 3: "anybody"}
"""Who may ask, by the number of ways in that the document gives."""
_WIDE: Final = 2**31 - 1
"""Bounds from here on are those of numbers, not of poker."""
_EVERYWHERE: Final = {"405", "408", "413", "429", "431", "503"}


def served() -> str:
    """Return the page of the docs that has each route of the server's OpenAPI document in a row."""
    described = document(README, __version__, arena=True)
    schemas = described["components"]["schemas"]
    rows = []
    for path, methods in described["paths"].items():
        for method, told in methods.items():
            bodies = told.get("requestBody", {}).get("content", {})
            takes = [
                _fields(content["schema"], schemas)
                for kind, content in bodies.items()
                if kind.endswith("json")
            ]
            queries = ["?" + one["name"] for one in told["parameters"] if one["in"] == "query"]
            answers, errors = (
                [
                    status
                    for status in told["responses"]
                    if (status < "4") is good and status not in _EVERYWHERE
                ]
                for good in (True, False)
            )
            cells = (
                f"`{method.upper()} {path}`<br>{told['summary']}",
                _WHO[len(told["security"])],
                ", ".join([*takes, *(f"`{query}`" for query in queries)]),
                ", ".join(answers),
                ", ".join(errors),
            )
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return ROUTES_HEAD + "".join(rows)


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the fields of a body, each with the values that it takes if the document limits them."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return ", or ".join(_fields(one, schemas) for one in schema["anyOf"])
    optional = set(schema["properties"]) - set(schema["required"])
    return ", ".join(
        f"`{name}{'?' if name in optional else ''}`{_limits(one)}"
        for name, one in schema["properties"].items()
    )


def _limits(schema: dict[str, Any]) -> str:
    schema = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if "enum" in schema:
        return f" ({', '.join(str(one) for one in schema['enum'])})"
    if "minimum" in schema and schema.get("maximum", _WIDE) < _WIDE:
        return f" ({schema['minimum']:,} to {schema['maximum']:,})"
    return ""


def main() -> None:
    """Write the three files."""
    ROUTES.write_text(served(), encoding="utf-8")
    commands = described()
    DATA.write_text(json.dumps(commands, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(commands), encoding="utf-8")


if __name__ == "__main__":
    main()
