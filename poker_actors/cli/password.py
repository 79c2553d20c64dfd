"""Where the password of somebody who plays on a server comes from."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

__all__ = ["read_password"]


def read_password(file: str | None) -> str:
    """Give the first line of `file`; without one ask on a terminal, and elsewhere there is none."""
    if file is not None:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
        return lines[0] if lines else ""
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Password (none: Enter): ")
    return ""
