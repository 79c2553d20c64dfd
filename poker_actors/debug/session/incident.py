"""Incidents: what went wrong in a session, with the actor, the reason, the place in the code and the state."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Final, Literal

import attrs

from poker_actors.actors import runtime
from poker_actors.debug.state import HIDDEN
from poker_actors.debug.viewpoint import GOD, Viewpoint

__all__ = ["KINDS", "Incident", "Kind", "fault_kinds", "place_of", "place_of_code"]

Kind = Literal["fault", "refused", "crash", "late", "void", "promise"]

KINDS: Final[tuple[Kind, ...]] = ("fault", "refused", "crash", "late", "void", "promise")
"""A bot's fault, a refused action or command, an actor's crash, a timeout, a voided hand, a broken promise."""


def fault_kinds(kind: str) -> tuple[Kind, ...]:
    """Return the kinds of incident for one kind of fault in `bots.Faults`."""
    special: dict[str, tuple[Kind, ...]] = {"illegal": ("refused", "fault"), "late": ("late", "fault")}
    return special.get(kind, ("fault",))


@attrs.frozen(eq=False)
class Incident:
    """Something that went wrong in a step; `str` describes it in one line.

    A bot's illegal action is `refused`, and one that came too late is `late`. Both are also the
    bot's `fault`, so `kinds` may hold several.
    """

    kinds: tuple[Kind, ...]
    who: str
    """name of the actor"""
    text: str
    place: str = ""
    """FILE:LINE of the code that failed, if known"""
    seat: int | None = None
    """the seat whose cards the text or the traceback may reveal; None for all seats"""
    error: BaseException | None = attrs.field(default=None, repr=False)
    trace: TracebackType | None = attrs.field(default=None, repr=False)
    state: dict[str, Any] = attrs.field(factory=dict, repr=False)
    """the actor's state when it failed, as plain values, with all cards"""
    kept_trace: str = attrs.field(default="", repr=False)
    """the traceback as text, when there is no exception object, as in a recording"""

    @property
    def kind(self) -> Kind:
        """The main kind: the first of `kinds`."""
        return self.kinds[0]

    def shown(self, viewpoint: Viewpoint = GOD) -> str:
        """Describe it in one line, without what the viewpoint may not see."""
        if not self.seen(viewpoint):
            return f"{self.kind}: {self.who}"
        place = f" ({self.place})" if self.place else ""
        return f"{self.kind}: {self.who} {self.text}{place}"

    def seen(self, viewpoint: Viewpoint) -> bool:
        """Tell whether a viewpoint may see the text, the traceback and the state."""
        return viewpoint.god or (self.seat is not None and viewpoint.sees(self.seat))

    def traceback(self, viewpoint: Viewpoint = GOD, *, local: bool = False) -> list[str]:
        """Return the lines of the traceback; with `local`, also the local variables of each frame."""
        if self.error is None and not self.kept_trace:
            return []
        if not self.seen(viewpoint):
            return [HIDDEN]
        if self.error is None:
            return self.kept_trace.rstrip("\n").split("\n")
        made = traceback.TracebackException(type(self.error), self.error, self.trace, capture_locals=local)
        made.stack[:] = [frame for frame in made.stack if Path(frame.filename).parent not in _OURS]
        return [line for text in made.format() for line in text.rstrip("\n").split("\n")]

    def __str__(self) -> str:
        return self.shown()


_OURS: Final = (Path(__file__).parent, Path(runtime.__file__).parent)
"""Folders whose frames are left out: the session and the runtime are not what is being debugged."""


def place_of(trace: TracebackType | None, file: str | None = None) -> str:
    """Return FILE:LINE of an exception: its deepest frame in `file`, or else its deepest frame; "" without one."""
    frames = list(_frames(trace))
    inside = [frame for frame in frames if frame[0] == file]
    chosen = (inside or frames)[-1:]
    return f"{_short(chosen[0][0])}:{chosen[0][1]}" if chosen else ""


def place_of_code(code: CodeType | None) -> str:
    """Return FILE:LINE of the start of a function; "" for None."""
    return "" if code is None else f"{_short(code.co_filename)}:{code.co_firstlineno}"


def _frames(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _short(file: str) -> str:
    """Shorten a path below the current directory to a relative one."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file
