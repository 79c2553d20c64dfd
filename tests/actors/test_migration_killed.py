"""An older journal survives SIGKILL at any statement of its migration."""

from __future__ import annotations

import gzip
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from poker_actors.errors import BadJournal
from poker_actors.store import open_journal

FILES = Path(__file__).parents[1] / "fixtures" / "d333bcd"
SCRIPT = Path(__file__).parent / "killed_migration.py"
STATEMENTS = 40
"""More than a migration has; the last processes end by themselves."""


def unpacked(folder: Path) -> Path:
    folder.mkdir()
    for name in ("room.db", "room.db-wal"):
        (folder / name).write_bytes(gzip.decompress((FILES / f"{name}.gz").read_bytes()))
    return folder


def image_of(place: Path) -> str:
    journal = open_journal(place)
    try:
        return journal.look(lambda image: image.to_json())
    finally:
        journal.close()


def version_of(place: Path) -> int:
    with sqlite3.connect(place) as connection:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return version


def test_a_migration_that_is_killed_at_any_statement_is_made_again(tmp_path: Path) -> None:
    source = unpacked(tmp_path / "source")
    wanted = image_of(unpacked(tmp_path / "wanted") / "room.db")
    copies = [tmp_path / f"killed-{number}" for number in range(STATEMENTS)]
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(source), *map(str, copies)],
        capture_output=True,
        text=True,
        check=True,
    )
    ends = [int(line) for line in run.stdout.split()]
    killed = ends.count(-signal.SIGKILL)
    assert ends == [-signal.SIGKILL] * killed + [0] * (STATEMENTS - killed)
    assert killed > 5
    for copy in copies:
        assert image_of(copy / "room.db") == wanted, copy.name


def test_a_newer_journal_is_refused_with_both_versions(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    open_journal(place).close()
    present = version_of(place)
    with sqlite3.connect(place) as connection:
        connection.execute(f"PRAGMA user_version={present + 1}")
    connection.close()
    with pytest.raises(BadJournal, match=f"format {present + 1}: this version reads up to {present}"):
        open_journal(place)
