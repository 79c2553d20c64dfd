"""`poker-actors repair`: look through a server's data, and mend it."""

from __future__ import annotations

from typing import Annotated

from poker_actors.cli.exits import NO
from poker_actors.cli.values import FILE, JsonOption, to_be_printed

__all__ = ["repair"]


def repair(data: Annotated[str, FILE], /, *, write: bool = False, json: JsonOption = None) -> int | None:
    """Say what is wrong with a server's data and, if asked, mend it.

    No process may have the data open. Without --write nothing is changed. With it, a copy is kept beside the data: no
    account and no chip is lost. The exit status is 1 when something is wrong that was not mended.

    Args:
        data: Where everything is kept: the server's SQLite file, or postgresql:// URL.
        write: Mend what is wrong.
    """
    from poker_actors.server.operator import repair as repaired

    found = repaired(data, write=write)
    if to_be_printed(json, found.plain()):
        for line in found.wrong:
            print(line)
        print(f"{found.place}: {found.users:,} users, {found.tables:,} tables, {found.chips:,} chips")
        if not found.wrong:
            print("nothing is wrong")
        elif found.copy:
            print(f"mended; as it was it is kept in {found.copy}")
        else:
            print("nothing is changed: mend it with --write")
    return NO if found.wrong and not found.copy else None
