"""`poker-actors doctor` and `completion`: which extras are installed, a room's commands, and scripts for shells."""

from __future__ import annotations

import platform
import sys
from typing import Any, Literal

from poker_actors.cli.extras import Part, chosen, remarks
from poker_actors.cli.output import DONE, NO, console
from poker_actors.cli.values import JsonOption
from poker_actors.native import is_compiled

__all__ = ["completion", "doctor"]


def doctor(*extras: str, json: JsonOption = None) -> int:
    """Say which extras are installed, how to get the missing ones, and which commands a room has.

    With names of extras, only those are looked at, and the exit status is 1 unless all of them are complete.

    Args:
        extras: Extras to check; all by default.
    """
    shown = chosen(extras)
    if json is not None:
        json.write(
            {
                "python": platform.python_version(),
                "compiled": is_compiled(),
                "parts": [part.as_json() for part in shown],
                "commands": _commands(),
            }
        )
    if json is None or not json.is_stdout:
        _show(shown)
        if not extras:
            _show_commands()
    return DONE if not extras or all(part.complete for part in shown) else NO


def _commands() -> list[dict[str, Any]]:
    """Return the commands that callers can send to a room, from the list the documentation is made of."""
    from poker_actors.actors import commands

    return [
        {"call": one.call, "message": one.name, "refusals": list(one.refusals), "does": one.doc}
        for one in commands()
        if one.call
    ]


def _show_commands() -> None:
    calls: dict[str, list[str]] = {}
    for one in _commands():
        face, _, name = one["call"].partition(".")
        calls.setdefault(face, []).append(name)
    screen = console()
    screen.print("commands of a room, each also to await:")
    for face, names in calls.items():
        screen.print(f"  {face}: {', '.join(names)}", soft_wrap=True)


def _show(shown: list[Part]) -> None:
    from rich.table import Table

    table = Table("extra", "state", "packages", box=None, pad_edge=False)
    for part in shown:
        table.add_row(part.extra, part.state, ", ".join(map(str, part.packages)))
    screen = console()
    screen.print(table)
    for line in remarks(shown):
        screen.print(line, soft_wrap=True)


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script that completes commands and options in a shell.

    For good, in bash: `poker-actors completion bash > ~/.local/share/bash-completion/completions/poker-actors`;
    zsh reads `_poker-actors` in a directory of `$fpath`, fish `~/.config/fish/completions/poker-actors.fish`.

    Args:
        shell: The shell to complete in.
    """
    from poker_actors.cli.frame import program

    sys.stdout.write(program().generate_completion(shell=shell))
