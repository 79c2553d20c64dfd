"""After a failure: a trace is left behind, and the error says which command opens it at that message."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poker_actors.debug.session import Script, Stepper
from poker_actors.debug.trace import Trace

__all__ = ["leave_trace", "opening_command", "traced_on_failure"]


def opening_command(path: Path, position: int) -> str:
    """Give the command that opens a trace at a position."""
    return f"poker-actors debug --trace {shlex.quote(str(path))} --goto {position}"


def leave_trace(script: Script, path: Path, position: int, error: BaseException | str) -> str:
    """Write the trace of a script up to `position`, and why it ended; gives the command that opens it."""
    said = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    Trace.of(script, position, " ".join(said.split())[:400]).write(path)
    return opening_command(path, position)


@contextmanager
def traced_on_failure(stepper: Stepper, path: str | Path) -> Iterator[Stepper]:
    """Leave a trace at `path` when the block fails, in a test or anywhere, and note the command on the error.

    The trace ends where the session stood; the error goes on its way.
    """
    try:
        yield stepper
    except Exception as error:
        command = leave_trace(stepper.script, Path(path), stepper.position, error)
        error.add_note(f"the hand is in {path}; open it at this message: {command}")
        raise
