"""Run a program to its end, as a build does: bounded in time and output, in a cage or not."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from poker_actors.bots.program.starting import Program, Started

__all__ = ["Ran", "run"]

_READ: Final = 65536
_LOOK_SECONDS: Final = 0.25
"""Between two looks at what a folder holds: a disk takes some hundred megabytes in it."""
_BLOCK: Final = 512


@attrs.frozen
class Ran:
    """How a program ended: its exit status, negative for a signal and None if its time was up; what it printed.

    `output` is stdout and stderr as they came, cut at the limit.
    """

    status: int | None
    output: bytes
    full: bool = False
    """whether it was ended for what it wrote into its folder"""


def run(program: Program, *, seconds: float, output: int, written: int | None = None) -> Ran:
    """Run `program` for at most `seconds` and keep the first `output` bytes of what it prints; the rest is dropped.

    It is ended when its folder holds more than `written` bytes. What it started ends with it. Raises as `Started` does.
    """
    started = Started(program, joined=True)
    process = started.process
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.close()
        kept = b""
        end = monotonic() + seconds
        pipe = process.stdout.fileno()
        look = monotonic()
        while (left := end - monotonic()) > 0:
            if written is not None and program.folder is not None and monotonic() >= look:
                if _size_of(program.folder) > written:
                    return Ran(None, kept, full=True)
                look = monotonic() + _LOOK_SECONDS
            if not select.select([pipe], (), (), left if written is None else min(left, _LOOK_SECONDS))[0]:
                continue
            read = os.read(pipe, _READ)
            if not read:
                return Ran(process.wait(max(0.0, end - monotonic()) + 1), kept)
            kept += read[: output - len(kept)]
        return Ran(None, kept)
    finally:
        started.end()


def _size_of(folder: Path) -> int:
    """Return the bytes that a folder takes on the disk, as far as it can be read while somebody writes there."""
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_blocks * _BLOCK  # noqa: PTH118  of many files, quickly
    return size
