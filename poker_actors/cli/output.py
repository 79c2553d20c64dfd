"""Print a command's output, tables on stdout and the rest on stderr; map errors to exit statuses."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from poker_actors.errors import (
    BadInput,
    MissingExtra,
    MissingFeature,
    PokerError,
    Refused,
    RoomError,
    printable,
)

if TYPE_CHECKING:
    from rich.console import Console

DONE: Final = 0
NO: Final = 1
"""The answer is no, such as a replay that disagrees or a verification that fails. A command returns it."""
WRONG: Final = 2
"""Wrong arguments or input."""
LACKING: Final = 3
"""The machine lacks something: an extra, a free port, space on the disk."""
OUR_FAULT: Final = 70
"""A bug of ours; the number is EX_SOFTWARE of sysexits.h, so that it is not read as an answer."""
INTERRUPTED: Final = 130

LONGEST: Final = 400
"""The longest error line, in characters: enough for our messages, too short for a pasted file."""

_WRONG_PATH: Final = (FileNotFoundError, IsADirectoryError, NotADirectoryError, FileExistsError)
_WRONG_PATH_NUMBERS: Final = (errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP)
_REMEDIES: Final = {
    errno.EADDRINUSE: "stop what listens there, or choose another port",
    errno.EADDRNOTAVAIL: "choose an address of this machine",
    errno.EACCES: "choose a place you may use",
    errno.EPERM: "choose a place you may use",
    errno.EROFS: "choose a place that can be written",
    errno.ENOSPC: "make room, or choose another place",
    errno.EDQUOT: "make room, or choose another place",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ECONNREFUSED: "start the server, or check the address",
}


def verdict(error: Exception) -> tuple[int, str] | None:
    """Return exit status and message for an error, or None for a bug of ours."""
    from socket import EAI_AGAIN, gaierror

    match error:
        case MissingExtra() | MissingFeature() | RoomError():
            return LACKING, str(error)
        case BadInput() | Refused() | PokerError():
            return WRONG, str(error)
        case OSError() if isinstance(error, _WRONG_PATH) or error.errno in _WRONG_PATH_NUMBERS:
            return WRONG, _os_message(error)
        case gaierror() if error.errno != EAI_AGAIN:  # a name server that does not answer is no wrong address
            return WRONG, f"{_os_message(error)}; check the address"
        case OSError() if error.errno is not None:
            return LACKING, _os_message(error)
        case TimeoutError():
            return LACKING, "the server does not answer"
        case ConnectionError():
            return LACKING, str(error) or "the connection is lost"
        case _:
            return None


def one_line(message: str) -> str:
    """Return the message as one printable line of at most `LONGEST` characters."""
    flat = " ".join(message.split())
    shown = printable(flat)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _os_message(error: OSError) -> str:
    what = error.strerror or type(error).__name__
    place = f"{error.filename}: " if error.filename is not None else ""
    remedy = _REMEDIES.get(error.errno or 0)
    if isinstance(error, PermissionError) and place:
        remedy = "check its permissions"  # whether it was to be read or written
    return f"{place}{what[:1].lower()}{what[1:]}" + (f"; {remedy}" if remedy else "")


PIPE_WIDTH: Final = 120
"""Columns of a table without a terminal to bound it; `COLUMNS` overrides it."""

StreamName = Literal["stdout", "stderr"]

SPELLED: Final = "poker_actors.spelled"
"""The error handler of streams that cannot encode every character: `errors=SPELLED`."""
_SPELLINGS: Final = dict(zip("▁▂▃▄▅▆▇█±…—♠♥♦♣", [*"_.:-=+*#", "+-", "...", "-", *"shdc"], strict=True))


def spelled(error: UnicodeError) -> tuple[str, int]:
    """Spell the marks of our tables in ASCII and escape any other character, as a codec error handler."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    marks = error.object[error.start : error.end]
    text = "".join(_SPELLINGS.get(mark) or mark.encode("unicode_escape").decode() for mark in marks)
    return text, error.end


codecs.register_error(SPELLED, spelled)


def on_terminal(stream: StreamName) -> bool:
    """Return whether a person reads the stream, so that colour, boxes and progress make sense."""
    return bool(getattr(sys, stream).isatty()) and os.environ.get("TERM") != "dumb"


def draws(stream: StreamName = "stdout") -> bool:
    """Return whether the stream can encode the characters of a full screen; a Latin-1 terminal cannot."""
    try:
        "╭─╮█♠".encode(getattr(sys, stream).encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _closed() -> None:
    raise BrokenPipeError


def console(stream: StreamName = "stdout") -> Console:
    """Return a rich console on stdout or stderr, without colour in a pipe or with `NO_COLOR`.

    Text is printed verbatim: `[x]` in a bot's name is not markup. Style with `rich.text.Text` or the
    `style` arguments.
    """
    from rich.console import Console

    terminal = on_terminal(stream)
    plain = not terminal or bool(os.environ.get("NO_COLOR"))
    found = Console(
        file=getattr(sys, stream),
        force_terminal=terminal,
        color_system=None if plain else "auto",
        width=None if terminal or "COLUMNS" in os.environ else PIPE_WIDTH,
        markup=False,
        emoji=False,
        highlight=False,
    )
    # or rich would end the process with exit status 1: a reader who had enough is no error
    found.on_broken_pipe = _closed  # type: ignore[method-assign]  # a subclass would import rich at the top
    return found


def columns() -> int | None:
    """Return the width of the terminal, or the value of `COLUMNS`; None for a pipe without it."""
    if on_terminal("stdout") or "COLUMNS" in os.environ:
        import shutil

        return shutil.get_terminal_size().columns
    return None


def say(text: str) -> None:
    """Print lines on stdout, escaped as by `printable`; wrap those wider than the terminal between words."""
    width = columns()
    for line in printable(text).splitlines():
        if width is None or len(line) <= width:
            print(line)
        else:
            import textwrap

            print("\n".join(textwrap.wrap(line, width, break_on_hyphens=False)))


def note(text: str) -> None:
    """Print on stderr what is not a result: a drawn seed, the name of a file written."""
    sys.stdout.flush()  # where both lead to one pipe or file, in order
    print(printable(text), file=sys.stderr, flush=True)


def many(count: int, one: str, more: str | None = None) -> str:
    """Return a number with its noun: `1 hand`, `2,000 hands`."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal's stderr while the block runs; nothing elsewhere.

    Yields `advance(count)`; call it with the number of items done since the last call. It costs a few microseconds on a
    terminal: call it every hundred hands, not every hand.
    """
    if not on_terminal("stderr"):
        yield lambda count: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console("stderr"), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda count: bar.advance(task, count)
