"""The program: parse the arguments and run one command."""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, get_args

from cyclopts import App, CycloptsError, Parameter, convert
from cyclopts.exceptions import (
    MissingArgumentError,
    UnknownCommandError,
    UnusedCliTokensError,
    ValidationError,
)

from poker_actors.cli.commands import COMMANDS, FAMILIES
from poker_actors.cli.output import DONE, console, on_terminal
from poker_actors.cli.values import check_place, check_written
from poker_actors.errors import BadInput
from poker_actors.version import __version__

_GROUPED: Final = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")
"""A whole number with thousands separators, such as 1,000."""


_UNSAID: Final = {"--adjust": "luck"}
"""Options whose value may be left out, and the value that it then has."""


def _said(arguments: list[str]) -> list[str]:
    """Write out the values that were left out."""
    following = [*arguments[1:], "--"]
    return [
        f"{word}={_UNSAID[word]}" if word in _UNSAID and (after.startswith("-") or not after) else word
        for word, after in zip(arguments, following, strict=True)
    ]


def run(arguments: list[str]) -> int:
    """Parse `arguments`, run the command they name and return its exit status.

    Raise `BadInput` for arguments that do not parse, and whatever the command raises.
    """
    check_written(arguments)
    try:
        with redirect_stdout(sys.stdout):  # a command may redirect it
            status = program()(_said(arguments), verbose=False)
    except CycloptsError as error:
        raise BadInput(_sentence(error)) from None
    return DONE if status is None else int(status)


def program() -> App:
    """Return the cyclopts program, which raises errors instead of printing them and returns the command's result."""
    app = App(
        name="poker-actors",
        help_formatter="default" if on_terminal("stdout") else "plain",
        version=__version__,
        console=console(),
        default_parameter=Parameter(negative=(), converter=_strictly),
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    families = {word: App(name=word, help=about) for word, about in FAMILIES.items()}
    for within in families.values():
        app.command(within)
    for order, command in enumerate(COMMANDS):
        family, _, word = command.name.rpartition(" ")
        (families[family] if family else app).command(
            command.target,
            name=word,
            sort_key=order,
            help_epilogue=f"Example: `{command.example}`",
        )
    return app


def _strictly(kind: type[Any], tokens: Any) -> Any:
    """Convert as cyclopts does, but reject 1.5 for a whole number and accept 1,000, as our own output writes it.

    An empty path is refused.
    """
    if kind is Path or Path in get_args(kind):
        for token in tokens:
            check_place(kind, token.value)
    if kind is not int and int not in get_args(kind):
        return convert(kind, tokens)
    text = tokens[0].value
    try:
        return int(text.replace(",", "") if _GROUPED.fullmatch(text) else text, 10)
    except ValueError:
        raise ValueError(f'"{text}" is not a whole number') from None


def _sentence(error: CycloptsError) -> str:
    """Return the error as one of our messages: lower case, no full stop, the offending argument in quotes."""
    unused = (error.unused_tokens or [""])[0]
    match error:
        case UnknownCommandError() if unused.startswith("-"):
            message = f'unknown option "{unused}" (see poker-actors --help)'
        case UnusedCliTokensError():
            message = f'unexpected argument "{unused}"'
        case MissingArgumentError(argument=argument) if argument is not None and argument.index is not None:
            command = " ".join(error.command_chain or ())
            shown = argument.parameter.metavar or argument.field_info.name.upper().replace("_", "-")
            message = f"{command} needs {shown} (see poker-actors {command} --help)"
        case ValidationError(argument=argument) if argument is not None and isinstance(argument.value, tuple):
            # cyclopts would show all values of the argument, as Python's tuple
            message = f"invalid value for {argument.name}: {error.exception_message}"
        case _:
            message = str(error).removesuffix(".")
            message = message[:1].lower() + message[1:]
    return message
