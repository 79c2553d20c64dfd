"""The arguments of this process, as other processes see them."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

__all__ = ["hide_from_programs"]

_ARGUMENTS_AT: Final = 47
"""Place of arg_start in /proc/self/stat, counted from 0; arg_end follows (see proc(5))."""


def hide_from_programs(arguments: Sequence[str]) -> None:
    """Blank the arguments after the command's name, if there are bots or a seed among them.

    Whatever runs on the machine may read them, programs that play as well, and the seed leads to the decks. Only Linux
    shows where they lie.
    """
    stat = Path("/proc/self/stat")
    if not any(argument.startswith(("--bot", "--seed")) for argument in arguments) or not stat.exists():
        return
    # the second field is the program's name in brackets, which may hold blanks
    fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    start, end = (int(field) for field in fields[_ARGUMENTS_AT - 2 : _ARGUMENTS_AT])
    shown = sys.orig_argv[: len(sys.orig_argv) - len(arguments) + 1]
    blanked = start + sum([len(word.encode(errors="surrogateescape")) + 1 for word in shown])
    if start and blanked < end:
        ctypes.memset(blanked, 0, end - blanked)
