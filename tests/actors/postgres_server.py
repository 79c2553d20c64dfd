"""A PostgreSQL server that tests make, start, stop and remove."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest


def find_programs() -> Path | None:
    """Return the folder of initdb and pg_ctl; None if PostgreSQL is not installed."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return places[-1].parent if places else None


def missing() -> str | None:
    """Return why no server can be started here; None if one can."""
    try:
        import psycopg
    except ImportError:
        return "psycopg is not installed (extra [postgres])"
    del psycopg
    if find_programs() is None:
        return "PostgreSQL's server (initdb, pg_ctl) is not installed"
    if os.getuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            return "PostgreSQL does not run as root, and there is no user postgres"
    return None


class PostgresServer:
    """A cluster in a directory of its own, which listens only on a unix socket in there."""

    def __init__(self) -> None:
        reason = missing()
        if reason is not None:
            pytest.skip(reason)
        programs = find_programs()
        assert programs is not None
        self._programs = programs
        self._home = Path(tempfile.mkdtemp(prefix="pg"))
        if os.getuid() == 0:
            shutil.chown(self._home, "postgres")
        self._call("initdb", "-D", str(self._home / "data"), "-A", "trust", "-U", "room", "--no-sync")
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            cwd=self._home,
            user="postgres" if os.getuid() == 0 else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._home}"
        log = str(self._home / "log")
        self._call("pg_ctl", "-D", str(self._home / "data"), "-w", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._call("pg_ctl", "-D", str(self._home / "data"), "-w", "-m", mode, "stop")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._home)

    def url(self, schema: str) -> str:
        """Return the URL of a new journal, in a schema that separates it from others."""
        import psycopg

        with psycopg.connect(self.admin) as db:
            db.execute(f"CREATE SCHEMA {schema}".encode())
        return f"{self.admin}&options=-csearch_path%3D{schema}"

    @property
    def admin(self) -> str:
        return f"postgresql://room@/postgres?host={self._home}"


class ServerOfForks(PostgresServer):
    """A server that the forks of a test run share, as initdb takes longer than a hundred of their tests."""

    def url(self, schema: str) -> str:
        return super().url(f"{schema}_{os.getpid()}")  # forks number their schemas alike


shared: ServerOfForks | None = None
"""The server that the fixture returns, if set, instead of starting one."""
