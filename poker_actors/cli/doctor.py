"""`poker-actors doctor`, `games` and `completion`: extras, a room's commands, games, shell scripts."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING, Any, Literal

from poker_actors.cli.extras import Part, chosen, remarks
from poker_actors.cli.output import DONE, NO, console, note
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.native import is_compiled

if TYPE_CHECKING:
    from poker_actors.rules import Game


def doctor(*extras: str, json: JsonOption = None) -> int:
    """List installed extras, how to get the missing ones, and the commands of a room.

    With names of extras, check only those; the exit status is 1 unless all of them are complete.

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
    screen.print("commands of a room, each also awaitable:")
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

    To install it, in bash: `poker-actors completion bash > ~/.local/share/bash-completion/completions/poker-actors`;
    zsh reads `_poker-actors` in a directory of `$fpath`, fish `~/.config/fish/completions/poker-actors.fish`.

    Args:
        shell: The shell to complete in.
    """
    from poker_actors.cli.frame import program

    sys.stdout.write(program().generate_completion(shell=shell))


def games(*, json: JsonOption = None) -> None:
    """List every game, those of installed packages included, by name, PHH code, seats and betting.

    Your own game is a row in a file, `--game FILE.py:NAME`; docs/games.md shows one.
    """
    from poker_actors.rules.games import GAMES, games_of_packages

    others, refused = games_of_packages()
    rows = [_plain(name, game) for name, game in (GAMES | others).items()]
    for text in refused:
        note(f"poker-actors: {text}")
    if to_be_printed(json, rows):
        width = max(len(row["name"]) for row in rows)
        for row in rows:
            code, seats = row["code"] or "-", f"2-{row['max_seats']}"
            aliases = f" ({', '.join(row['aliases'])})" if row["aliases"] else ""
            print(
                f"{row['name']:<{width}}  {code:<6} {seats:<5} {row['betting']:<12} {row['title']}{aliases}"
            )
        print("in turn: horse, 8-game, dealers-choice, or names with + between, --game holdem+stud+badugi")
        print("your own: a row in a file, --game FILE.py:NAME")


def _plain(name: str, game: Game) -> dict[str, Any]:
    return {
        "name": name,
        "title": game.title,
        "code": game.code,
        "aliases": list(game.aliases),
        "max_seats": game.max_seats,
        "betting": "points" if game.open_face else game.betting.value,
        "streets": [street.name for street in game.streets],
        "hole_cards": game.hole_cards,
        "board_cards": game.board_cards,
        "boards": game.boards,
        "shares": [share.name for share in game.shares if share.name],
        "draws": game.draws,
        "stakes": str(game.stakes),
    }
