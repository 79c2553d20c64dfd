"""The console script: run one command and turn its outcome, errors included, into an exit status."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import FrameType
from typing import Final, TextIO

from poker_actors.cli.commands import (
    FAMILIES,
    HELP_FLAGS,
    asks_help,
    current,
    first_steps,
    listing,
    more,
    named,
)
from poker_actors.cli.output import (
    DONE,
    INTERRUPTED,
    LACKING,
    OUR_FAULT,
    SPELLED,
    note,
    one_line,
    verdict,
)
from poker_actors.errors import MissingExtra, from_extra
from poker_actors.version import __version__

_ENDINGS: Final = ("SIGTERM", "SIGHUP")
"""Signals sent to end the process, and when its terminal closes; Windows has no SIGHUP."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `poker-actors` with the arguments `argv` (by default those of the process) and return the exit status.

    `poker_actors.cli.output` lists the statuses. An error is one line on stderr; a bug of ours also
    shows its traceback.
    """
    _prepare_streams()
    try:
        with _endings_interrupt():
            status = _run(sys.argv[1:] if argv is None else list(argv), ours=argv is None)
        sys.stdout.flush()  # here, where a closed pipe or a full disk still gets a status; at exit it would not
    except BrokenPipeError as error:  # the reader had enough, as `head` does, unless the pipe is another
        return DONE if _reader_has_gone() else _report(error)
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  the edge of the process: every error gets a status
        return _report(error)
    if status == DONE and getattr(sys.stdout, "lost", False):
        _complain("stdout is closed, and the output is lost; to discard it, use >/dev/null")
        return LACKING
    return status


def _run(arguments: list[str], *, ours: bool) -> int:
    if not arguments or arguments[0] in HELP_FLAGS:
        print(listing() if arguments else first_steps())
        return DONE
    if arguments[0] == "--version":
        print(__version__)
        return DONE
    if arguments[0] == "more" and all(one in HELP_FLAGS for one in arguments[1:]):
        print(more())
        return DONE
    if arguments[0] in FAMILIES and (len(arguments) == 1 or arguments[1] in HELP_FLAGS):
        print(listing(arguments[0]))
        return DONE
    arguments, renamed = current(arguments)
    if asks_help(arguments):
        from poker_actors.cli.commands import help_text

        print(help_text(named(arguments) or ""))
        return DONE
    try:
        with from_extra("cli", "cyclopts", "rich"):
            from poker_actors.cli.frame import run
            from poker_actors.cli.values import hide_from_programs
    except MissingExtra:
        if arguments[0] == "doctor" and not any(one.startswith("-") for one in arguments):
            from poker_actors.cli.extras import plain_report

            return plain_report(arguments[1:])  # what tells of a missing extra must not need one
        raise
    if ours:
        hide_from_programs(arguments)
    status = run(arguments)
    if renamed is not None:  # after the command: an error is still one line
        note(f"this command is now poker-actors {renamed}")
    return status


@contextmanager
def _endings_interrupt() -> Iterator[None]:
    """Turn signals that would end the process into an interrupt like Ctrl-C: what was played is shown and booked.

    A signal that is ignored stays ignored, as under nohup. Off the main thread this does nothing: only the main thread
    gets signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C would do now; the handler of SIGINT may be Python's, an event loop's or the screen's."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):  # a shell starts what runs in the background with SIGINT ignored
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def _report(error: Exception) -> int:
    found = verdict(error)
    if found is None:
        traceback.print_exception(error)
        _complain("this is a bug in poker_actors; please report it with the lines above")
        return OUR_FAULT
    status, message = found
    _complain(message)
    return status


def _complain(message: str) -> None:
    try:
        sys.stdout.flush()  # what was printed before comes first
    except (OSError, ValueError):  # the flush at exit would fail on it again
        _silence(sys.stdout)
    with suppress(OSError):  # stderr may be closed or full too, and the exit status still says what happened
        print(f"poker-actors: {one_line(message)}", file=sys.stderr, flush=True)


class _Closed(TextIOWrapper):
    """Stands for a stream that was closed when the process began: `lost` is whether anything was written to it."""

    lost = False

    def write(self, text: str, /) -> int:
        self.lost = self.lost or bool(text)
        return len(text)


def _prepare_streams() -> None:
    """Replace closed standard streams with empty ones, and spell out characters that a stream cannot encode.

    Python sets a stream to None if the process was started with it closed; using it would fail, and a server must go
    on. The null device takes the descriptor of each, since otherwise the next file opened would become that stream.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  lives as long as the process
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _Closed(open(os.devnull, "wb"), encoding="utf-8"))  # noqa: PTH123, SIM115  lives as long as the process
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=SPELLED)


def _reader_has_gone() -> bool:
    """Return whether stdout or stderr is a pipe that nobody reads any more; their buffered output is then dropped."""
    if not hasattr(select, "poll"):  # on Windows nothing tells, and hardly another pipe could be meant
        return True
    gone, poll = False, select.poll()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a stream in memory has no file, nor one that was closed
            poll.register(stream.fileno(), 0)
    for _number, event in poll.poll(0):
        gone = gone or bool(event & (select.POLLERR | select.POLLHUP))
    if gone:
        _silence(sys.stdout)
    return gone


def _silence(stream: TextIO) -> None:
    """Redirect a stream's file descriptor to the null device, so that the flush at exit cannot fail."""
    with suppress(OSError, ValueError):  # a stream in memory has no file, nor one that was closed
        number = stream.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, number)
        os.close(null)
