"""After a failure, write a trace and add a note to the error: the command that opens it at that message."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poker_actors.debug.session import Program, Script, Stepper
from poker_actors.debug.trace import Trace

__all__ = ["leave_trace", "opening_command", "traced_on_failure"]


def opening_command(path: Path, position: int) -> str:
    """Return the command that opens a trace at a position."""
    return f"poker-actors debug --trace {shlex.quote(str(path))} --goto {position}"


def leave_trace(
    script: Script | Program, path: Path, position: int | None, error: BaseException | str
) -> str:
    """Write a script's trace up to `position`, with the error; return the command that opens it there.

    Without a position, the script plays up to the message on which an actor crashes, and opens at
    that message. If no actor crashes, the fault lies outside the actors: the trace opens at its end,
    or, for a recorded hand that does not fail again, after its last action.
    """
    said = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    words = " ".join(said.split())[:400]
    trace = Trace.of(script, position, words, to_crash=position is None)
    crashed = position is None and trace.crashed
    if position is None and not crashed and script.actions is not None:
        trace = Trace.of(script, _after(script, len(script.actions)), words)
    trace.write(path)
    return opening_command(path, len(trace.steps) - crashed)


def _after(script: Script | Program, actions: int) -> int:
    """Return the position after `actions` actions."""
    with Stepper(script) as stepper:
        stepper.run(until=lambda one: one.hand is not None and len(one.hand.log) >= actions)
        return stepper.position


@contextmanager
def traced_on_failure(stepper: Stepper, path: str | Path) -> Iterator[Stepper]:
    """Write a trace to `path` when the block fails, and add the command that opens it as a note on the error.

    The trace ends where the session stood. The error propagates.
    """
    try:
        yield stepper
    except Exception as error:
        command = leave_trace(stepper.recorded(), Path(path), stepper.position, error)
        error.add_note(f"the hand is in {path}; open it at this message: {command}")
        raise
