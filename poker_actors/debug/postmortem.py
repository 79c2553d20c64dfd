"""After a failure, write a trace and add a note to the error: the command that opens it at that message."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poker_actors.debug.session import Program, Script, Stepper, open_playback
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
    crash = _crash(script) if position is None else None
    if position is None and crash is None and isinstance(script, Script) and script.actions is not None:
        position = _after(script, len(script.actions))
    limit = position if crash is None else crash + 1
    trace = Trace.of(script, limit, " ".join(said.split())[:400])
    trace.write(path)
    return opening_command(path, len(trace.steps) if crash is None else crash)


def _after(script: Script, actions: int) -> int:
    """Return the position after `actions` actions."""
    with Stepper(script) as stepper:
        stepper.run(until=lambda one: one.hand is not None and len(one.hand.log) >= actions)
        return stepper.position


def _crash(script: Script | Program) -> int | None:
    """Return the first step on which an actor crashes; None when none does."""
    playback = open_playback(script)
    try:
        while (step := playback.advance()) is not None:
            if any(one.outcome.startswith("crashed: ") for one in step.handled):
                return step.number
        return None
    finally:
        playback.close()


@contextmanager
def traced_on_failure(stepper: Stepper, path: str | Path) -> Iterator[Stepper]:
    """Write a trace to `path` when the block fails, and add the command that opens it as a note on the error.

    The trace ends where the session stood. The error propagates.
    """
    try:
        yield stepper
    except Exception as error:
        command = leave_trace(stepper.script, Path(path), stepper.position, error)
        error.add_note(f"the hand is in {path}; open it at this message: {command}")
        raise
