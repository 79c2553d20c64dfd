"""Open copies of an older journal in processes that are killed at the first, second, third ... statement.

`test_migration_killed.py` runs `python killed_migration.py FOLDER COPY...`: FOLDER holds the files of the journal
`room.db`, and each COPY is a folder to make. It prints the exit code of each process.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from poker_actors.store import open_journal


def open_and_die(place: Path, at: int) -> None:
    """Open a journal and kill this process before SQL statement number `at`."""
    real = sqlite3.connect
    seen = 0

    def look(statement: str) -> None:
        nonlocal seen
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*arguments: Any, **settings: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **settings)
        connection.set_trace_callback(look)
        return connection

    sqlite3.connect = connect  # type: ignore[assignment]
    open_journal(place).close()


def main(source: Path, copies: list[Path]) -> None:
    """Make each copy and open it in a process of its own."""
    for at, copy in enumerate(copies, start=1):
        shutil.copytree(source, copy)
        child = os.fork()
        if not child:
            open_and_die(copy / "room.db", at)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
