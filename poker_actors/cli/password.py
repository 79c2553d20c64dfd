"""Read a player's password from a file, the environment or the terminal."""

from __future__ import annotations

import getpass
import os
import sys
from typing import Final

from poker_actors.cli.text_file import read_text

__all__ = ["PASSWORD_VARIABLE", "read_password"]

LARGEST: Final = 65_536
"""The most bytes of a file whose first line is the password."""
PASSWORD_VARIABLE: Final = "POKER_ACTORS_PASSWORD"


def read_password(file: str | None, *, ask: bool = True) -> str:
    """Return the first line of `file`, else what the environment has, else what is typed on a terminal, else ""."""
    if file is not None:
        lines = read_text(file, LARGEST, "password").splitlines()
        return lines[0] if lines else ""
    given = os.environ.get(PASSWORD_VARIABLE, "")
    if not given and ask and sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return given
