"""The places a journal can be in; each passes the same tests."""

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
    """Where to open a journal, the same one each time."""
    return at(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to open a journal that others can open as well."""
    found = at(request.param, request, tmp_path)
    assert isinstance(found, str)
    return found


@pytest.fixture
def change(lasting: str) -> Change:
    """Change a closed journal behind its back, by SQL; `record`, `snapshot` and `format` are its tables."""

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
