"""Run a program to its end, as a build does: bounded in time and output, in a cage or not."""

from __future__ import annotations

import os
import select
from time import monotonic
from typing import Final

import attrs

from poker_actors.bots.program.starting import Program, Started

__all__ = ["Ran", "run"]

_READ: Final = 65536


@attrs.frozen
class Ran:
    """How a program ended: its exit status, negative for a signal and None if its time was up; what it printed.

    `output` is stdout and stderr as they came, cut at the limit.
    """

    status: int | None
    output: bytes


def run(program: Program, *, seconds: float, output: int) -> Ran:
    """Run `program` for at most `seconds` and keep the first `output` bytes of what it prints; the rest is dropped.

    What it started ends with it. Raises as `Started` does.
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
        while (left := end - monotonic()) > 0:
            if not select.select([pipe], (), (), left)[0]:
                break
            read = os.read(pipe, _READ)
            if not read:
                return Ran(process.wait(max(0.0, end - monotonic()) + 1), kept)
            kept += read[: output - len(kept)]
        return Ran(None, kept)
    finally:
        started.end()
