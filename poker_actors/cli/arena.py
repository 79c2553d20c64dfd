"""`poker-actors arena`: run a competition of bots in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poker_actors.cli.output import columns, note, progress, say
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.arena import Board


def arena(
    folder: Path,
    /,
    *,
    workers: int | None = None,
    address: str | None = None,
    recheck: bool = False,
    site: Annotated[Path | None, Parameter(metavar="FOLDER")] = None,
    json: JsonOption = None,
) -> None:
    """Run a competition of bots: build, check, cage and rate the entrants in a folder, and resume after a crash.

    Each sub-folder is an entrant: a commands.json with its build and run commands, a program that begins with #!, or a
    bot.py with a function `bot`. The file arena.toml says what is played; see docs/arena.md. Everything is kept in its
    folder .arena: the command, run again, plays only what is missing. A new version of an entrant plays its matches
    again.

    Args:
        folder: The folder of the arena.
        workers: Processes to play on: all processors if not given.
        address: Address of the Ray cluster, local to start one here: its machines play, and must share the folder.
        site: Write the board as pages into this folder, for any browser: index.html is the first.
        recheck: Check refused entrants again, for example if a compiler was missing, and replay void matches.
    """
    from poker_actors.arena import Arena, board_text

    chosen = processors() if workers is None else workers
    if site is not None and site.exists() and not site.is_dir():
        raise BadSpec(f"--site {site} is a file, not a folder")
    if chosen < 1:
        raise BadSpec(f"--workers {chosen} is below the minimum of 1")
    found = Arena(folder, chosen, address)
    pages = 0

    def publish(board: Board) -> None:
        nonlocal pages
        from poker_actors.arena import write_site

        if site is not None:
            pages = write_site(found, board, site)

    with progress("checks and matches", found.steps) as advance:
        board = found.run(advance, recheck=recheck, publish=publish)
    if to_be_printed(json, board.to_dict()):
        say(board_text(board, columns()))
    if site is not None:
        note(f"wrote {pages:,} pages into {site}")
    note(f"logs, hands and errors of every match are in {found.kept}")


def processors() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
