"""The table of commands and the program built from it."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs
from cyclopts import App, CycloptsError, Parameter, convert
from cyclopts.exceptions import UnknownCommandError, UnusedCliTokensError

from poker_actors.cli.exits import DONE
from poker_actors.cli.output import console, on_terminal
from poker_actors.errors import BadInput
from poker_actors.version import __version__

__all__ = ["COMMANDS", "Command", "program", "run"]

_GROUPED: Final = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")
"""A whole number with its thousands set off."""

ABOUT: Final = (
    "A poker room of actors you can embed, run a million hands through, and stop at any single message."
)


@attrs.frozen
class Command:
    """One command: the function `name` of the module `name` in `poker_actors.cli`, and a line to try.

    A name with a hyphen has an underscore in Python.
    """

    name: str
    example: str

    @property
    def target(self) -> str:
        """Where the function is, as `module:function`; it is imported when the command is used."""
        word = self.name.replace("-", "_")
        return f"poker_actors.cli.{word}:{word}"


COMMANDS: Final = (
    Command("simulate", "poker-actors simulate --bot tight --bot maniac --hands 1000"),
    Command("tournament", "poker-actors tournament --format mtt --players 60 --seats 6 --seed 2"),
    Command("chaos", "poker-actors chaos --seed 1 --hands 500"),
    Command("eval", 'poker-actors eval "Ah 7c Jd As 7h"'),
    Command("equity", "poker-actors equity AsKs QhQd --board Ts9s2d"),
    Command("replay", "poker-actors replay hands.phhs --json"),
    Command("convert", "poker-actors convert hands.phhs hands.txt --to pokerstars"),
    Command("play", "poker-actors play --players 4 --bot tight --bot loose"),
    Command("debug", "poker-actors debug --seed 7"),
    Command("console", "poker-actors console --seed 11 --difficulty easy"),
    Command("serve", "poker-actors serve --http 127.0.0.1:8080 --data room.db"),
    Command("join", "poker-actors join http://127.0.0.1:8080 --user ann --bot tight"),
    Command("opp", "poker-actors opp 127.0.0.1:55006 --user ann --bot pot-odds"),
    Command("opp-dump", "poker-actors opp-dump session.hex"),
    Command("acpc-dealer", "poker-actors acpc-dealer --game holdem.nolimit.2p --hands 1000 --log match.log"),
    Command("acpc-client", "poker-actors acpc-client 127.0.0.1:18791 --bot tight"),
    Command("verify", "poker-actors verify record.json --commitment 5f2c..."),
    Command("doctor", "poker-actors doctor stats plot"),
    Command("completion", "poker-actors completion bash"),
)


def run(arguments: list[str]) -> int:
    """Parse `arguments`, run the command they name and return its exit status.

    Raises `BadInput` for arguments that do not parse, and what the command raises.
    """
    try:
        app = program()
        if not arguments or arguments[0] in app.help_flags:
            # the list of commands shows each one's first sentence
            for command in COMMANDS:
                app[command.name]
        status = app(arguments, verbose=False)
    except CycloptsError as error:
        raise BadInput(_sentence(error)) from None
    return DONE if status is None else int(status)


def program() -> App:
    """The cyclopts program: it raises instead of printing, and returns what the command returns."""
    app = App(
        name="poker-actors",
        help=ABOUT,
        help_epilogue="`poker-actors COMMAND --help` says more about a command and shows an example.",
        help_formatter="default" if on_terminal("stdout") else "plain",
        version=__version__,
        console=console(),
        default_parameter=Parameter(negative=(), converter=_strictly),
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for order, command in enumerate(COMMANDS):
        app.command(
            command.target,
            name=command.name,
            sort_key=order,
            help_epilogue=f"Example: `{command.example}`",
        )
    return app


def _strictly(kind: type[Any], tokens: Any) -> Any:
    """Convert as cyclopts does, but refuse 1.5 as a whole number and take 1,000, as we print it."""
    if kind is not int:
        return convert(kind, tokens)
    text = tokens[0].value
    try:
        return int(text.replace(",", "") if _GROUPED.fullmatch(text) else text, 10)
    except ValueError:
        raise ValueError(f'"{text}" is not a whole number') from None


def _sentence(error: CycloptsError) -> str:
    """The error in our words: `name the thing, the value and the limit`."""
    unused = (error.unused_tokens or [""])[0]
    match error:
        case UnknownCommandError() if unused.startswith("-"):
            message = f'unknown option "{unused}" (see poker-actors --help)'
        case UnusedCliTokensError():
            message = f'unexpected argument "{unused}"'
        case _:
            message = str(error).removesuffix(".")
            message = message[:1].lower() + message[1:]
    return message
