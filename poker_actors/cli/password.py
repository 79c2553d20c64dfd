"""Read a player's password from a file or the terminal."""

from __future__ import annotations

import getpass
import sys
from typing import Final

from poker_actors.cli.text_file import read_text

__all__ = ["read_password"]

LARGEST: Final = 65_536
"""The most bytes of a file whose first line is the password."""


def read_password(file: str | None) -> str:
    """Return the first line of `file`; without a file, ask on a terminal, or return "" off one."""
    if file is not None:
        lines = read_text(file, LARGEST, "password").splitlines()
        return lines[0] if lines else ""
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Password (none: Enter): ")
    return ""
