"""The storages of a journal, which all must pass the same tests."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors.store import MemoryStorage, Storage

NAMES = itertools.count()

Change = Callable[[str], None]


def at(kind: str, request: pytest.FixtureRequest, folder: Path) -> str | Storage:
    if kind == "memory":
        return MemoryStorage()
    if kind == "sqlite":
        return str(folder / "room.db")
    url: str = request.getfixturevalue("postgres_server").url(f"journal_{next(NAMES)}")
    return url


@pytest.fixture(params=["sqlite", "memory", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Storage:
    """The place of a journal, for `open_journal`."""
    return at(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The place of a journal that another process can open, too."""
    found = at(request.param, request, tmp_path)
    assert isinstance(found, str)
    return found


@pytest.fixture
def change(lasting: str) -> Change:
    """A function that changes a closed journal by SQL; its tables are `record`, `snapshot` and `format`."""

    def run(statement: str) -> None:
        if lasting.startswith("postgresql"):
            import psycopg

            for table in ("record", "snapshot", "format"):
                statement = statement.replace(f" {table} ", f" poker_{table} ")
            with psycopg.connect(lasting) as db:
                db.execute(statement.encode())
            return
        file = sqlite3.connect(lasting)
        file.execute(statement.replace("UPDATE format SET version = ", "PRAGMA user_version = "))
        file.commit()
        file.close()

    return run
