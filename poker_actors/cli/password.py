"""Where a player's password comes from."""

from __future__ import annotations

import getpass
import sys
from typing import Final

from poker_actors.cli.text_file import read_text

__all__ = ["read_password"]

LARGEST: Final = 65_536
"""Bytes of a file with a password in its first line."""


def read_password(file: str | None) -> str:
    """Return the first line of `file`; without one ask on a terminal, and elsewhere there is none."""
    if file is not None:
        lines = read_text(file, LARGEST, "password").splitlines()
        return lines[0] if lines else ""
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Password (none: Enter): ")
    return ""
