"""The seed of a command: typed, read from a file or drawn, and hidden from the programs that the command starts."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from poker_actors.cli.text_file import read_text
from poker_actors.errors import BadSpec

__all__ = ["hide_seed", "typed_seed"]

_LONGEST: Final = 4096
"""Bytes of a file of a seed at most: Python refuses longer numbers."""
_ARGUMENTS_START: Final = 45
"""Place in /proc/self/stat, counted after the name of the program, of where its arguments begin in memory; proc(5) 48."""


def typed_seed(seed: int | None, file: Path | None) -> int | None:
    """Return the seed given by `--seed` or in `--seed-file`; None for one to be drawn.

    A seed among the arguments is hidden: `hide_seed`. Raises `BadSpec` for both, and for a file that holds no whole
    number.
    """
    if file is None:
        hide_seed()
        return seed
    if seed is not None:
        raise BadSpec("--seed and --seed-file are two places of the seed: choose one")
    text = read_text(str(file), _LONGEST, "seed").strip()
    try:
        return int(text)
    except ValueError:
        raise BadSpec(f"{file} holds no seed: {text[:20]!r} is not a whole number") from None


def hide_seed() -> None:
    """Write stars over the value of `--seed` where the system shows this process's arguments to others (Linux).

    A program that plays runs as the same user, and would read it in /proc or in `ps`.
    """
    if not any(word.split("=")[0] == "--seed" for word in sys.argv):
        return
    with suppress(OSError, ValueError, IndexError):  # no such files elsewhere: the arguments stay as they are
        words = Path("/proc/self/cmdline").read_bytes().split(b"\0")
        start = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[_ARGUMENTS_START])
        for place, word in enumerate(words):
            value = word.removeprefix(b"--seed=") if words[place - 1] != b"--seed" else word
            if value != word or words[place - 1] == b"--seed":
                before = sum(len(one) + 1 for one in words[:place]) + len(word) - len(value)
                ctypes.memset(start + before, ord("*"), len(value))
