"""One process of a program: it exchanges lines by deadlines, or runs to its end with limits on what it leaves."""

from __future__ import annotations

import os
import select
import shutil
import signal
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from poker_actors.bots.faults import BotFault
from poker_actors.bots.program.starting import Program, Started
from poker_actors.errors import BadSpec

_STDERR_KEPT: Final = 4096
"""Bytes of stderr kept, from its end; the rest is read and dropped, as a full pipe would block the program."""
_READ: Final = 65536
_LAST_WORDS_SECONDS: Final = 0.25
"""Seconds for a process that closed its output to exit and say why on stderr."""
_GOODBYE_SECONDS: Final = 0.5
"""Seconds for a program to exit after its stdin ends; then it is killed."""


class Child:
    """A running program, in its own session and process group, so that its children can be killed with it.

    `longest` is the bytes of a line. Once greeted, a process in a cage runs only from `go_on` to `stop`. Raises
    as `Started` does.
    """

    def __init__(self, program: Program, longest: int) -> None:
        self._started = Started(program)
        self._process = self._started.process
        self._end = self._started.end
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = [pipe.fileno() for pipe in pipes if pipe is not None]
        os.set_blocking(self._in, False)  # a program that does not read must not block us past the deadline
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._open = {self._out, self._err}
        self._longest = longest
        self._buffer = b""
        self._cpu_seconds = program.cpu_seconds
        self._stderr = b""
        self.pid: Final = self._process.pid
        self.started: Final = monotonic()

    def stop(self) -> None:
        """If the program is in a cage, pause it soon, with all it started, until `go_on`."""
        if self._started.watch is not None:
            self._started.watch.stop()

    def go_on(self) -> None:
        """Let the program run, to hear and to answer."""
        if self._started.watch is not None:
            self._started.watch.go_on()

    def check_quiet(self) -> None:
        """Raise `BotFault` (`flooded`) if there is output before a question: it would be taken for the next answer."""
        if not self._buffer:
            for fd, _ in self._poll.poll(0):
                self._read(fd)
        if self._buffer:
            raise BotFault("flooded", f"wrote more than its answer: {self._buffer[:40]!r}")

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line by `deadline` (monotonic clock, seconds); raises `BotFault` (`late`, `died`)."""
        rest = memoryview(line)
        try:
            while rest:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    self._wait_to_write(deadline)
        except BrokenPipeError:
            raise self._death() from None

    def _wait_to_write(self, deadline: float) -> None:
        left = deadline - monotonic()
        if left <= 0 or not select.select((), (self._in,), (), left)[1]:
            raise BotFault("late", "did not read its question")

    def receive(self, deadline: float) -> bytes:
        """Return the next line by `deadline` (monotonic clock); raises `BotFault` (`late`, `died`, `flooded`)."""
        while True:
            line, found, rest = self._buffer.partition(b"\n")
            if found:
                self._buffer = rest
                return line
            if len(line) > self._longest:
                raise BotFault("flooded", f"wrote more than {self._longest} bytes without an end of line")
            if self._out not in self._open:
                raise self._death()
            left = deadline - monotonic()
            ready = self._poll.poll(left * 1000) if left > 0 else ()
            if not ready:
                raise BotFault("late", "no answer in time")
            for fd, _ in ready:
                self._read(fd)

    def _read(self, fd: int) -> None:
        read = os.read(fd, _READ)
        if not read:
            self._poll.unregister(fd)
            self._open.discard(fd)
        elif fd == self._out:
            self._buffer += read
        else:
            self._stderr = (self._stderr + read)[-_STDERR_KEPT:]

    def _death(self) -> BotFault:
        """Return a fault that tells how it ended, with the last line of its stderr; its output is closed already."""
        deadline = monotonic() + _LAST_WORDS_SECONDS
        while self._open and (left := deadline - monotonic()) > 0:
            ready = self._poll.poll(left * 1000)
            for fd, _ in ready:
                self._read(fd)
            self._buffer = self._buffer[-self._longest :]
        self.kill()
        status = self._process.returncode
        words = f"ended with exit status {status}" if status >= 0 else f"was killed by {_signal(-status)}"
        if status == -getattr(signal, "SIGXCPU", 0):
            words += f", after {self._cpu_seconds} s of processor time"
        last = self.stderr.strip().rpartition("\n")[2]
        return BotFault("died", f"{words}: {last}" if last else words)

    @property
    def stderr(self) -> str:
        """Return the last part of its stderr."""
        return self._stderr.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the program's stdin, give it time to exit, then kill it."""
        if self._end.alive and self._process.stdin is not None:
            self.go_on()
            with suppress(BrokenPipeError):  # it has exited already
                self._process.stdin.close()
            deadline = monotonic() + _GOODBYE_SECONDS
            while self._out in self._open and (left := deadline - monotonic()) > 0:
                for fd, _ in self._poll.poll(left * 1000):
                    self._read(fd)
                self._buffer = b""
        self.kill()

    def kill(self) -> None:
        """Kill the program and all processes it started, and reap it, so that no zombie remains."""
        self._end()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_LOOK_SECONDS: Final = 0.1
"""Seconds between two looks at what it has written."""
_BLOCK: Final = 512
_MOST_ENTRIES: Final = 20_000
"""The most files and folders in the copy of a folder: each takes kernel memory, empty or not."""
_DEEPEST: Final = 32
"""Folders within folders, each of which is open while it is read."""


@attrs.frozen
class Ran:
    """How a program ended: its exit status, negative for a signal and None if it was killed here; what it printed.

    `output` is stdout and stderr as they came, cut at the limit. `full` says that it was killed for writing too much,
    or that its cage had no more room; if a killed program was not `full`, its time was up.
    """

    status: int | None
    output: bytes
    full: bool = False


def run(program: Program, *, seconds: float, output: int, written: int | None = None) -> Ran:
    """Run `program` for at most `seconds` and keep the first `output` bytes of what it prints; the rest is dropped.

    It is killed soon after its folder holds more than `written` bytes on the disk, and when its cage's room is full.
    What it started ends with it. If its cage has room and the status is 0, its folder then holds what it left there;
    raises `BadSpec` for links, special files, more than `room` bytes, and folders too deep. Raises as `Started` does.
    """
    started = Started(program, joined=True)
    try:
        folder = None if written is None else program.folder
        ran = _watched(
            started, monotonic() + seconds, output, lambda: _is_full(started, folder, written or 0)
        )
        started.end()
        if ran.status == 0 and started.workplace is not None:
            assert program.cage is not None
            assert program.cage.folder is not None
            _take(started.workplace, program.cage.folder, program.cage.room)
        return ran
    finally:
        started.end()
        if started.workplace is not None:
            os.close(started.workplace)


def _watched(started: Started, end: float, output: int, is_full: Callable[[], bool]) -> Ran:
    process = started.process
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    kept = b""
    pipe = process.stdout.fileno()
    look = 0.0
    while (left := end - monotonic()) > 0:
        if monotonic() >= look:
            if is_full():
                return Ran(None, kept, full=True)
            look = monotonic() + _LOOK_SECONDS
        if not select.select([pipe], (), (), min(left, _LOOK_SECONDS))[0]:
            continue
        read = os.read(pipe, _READ)
        if not read:
            status = process.wait(max(0.0, end - monotonic()) + 1)
            return Ran(status, kept, full=status != 0 and is_full())
        kept += read[: output - len(kept)]
    return Ran(None, kept)


def _is_full(started: Started, folder: Path | None, most: int) -> bool:
    if started.workplace is None:
        return folder is not None and _size_of(folder) > most
    found = os.fstatvfs(started.workplace)
    return not found.f_bavail or found.f_files - found.f_ffree > _MOST_ENTRIES


def _size_of(folder: Path) -> int:
    """Return the bytes that a folder takes on the disk, as far as it can be read while somebody writes there."""
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_blocks * _BLOCK  # noqa: PTH118  of many files, quickly
    return size


# -- the room of a cage ----------------------------------------------------------------------------


def _take(workplace: int, folder: Path, most: int) -> None:
    """Replace the contents of `folder` with those of `workplace`; if that raises, `folder` keeps what it had."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    try:
        _copy(os.dup(workplace), new, "", most, _DEEPEST)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(folder)
    new.rename(folder)


def _copy(source: int, target: Path, place: str, most: int, deep: int) -> int:
    """Copy what is in the directory `source`, then close it, if it has at most `most` bytes; return how many are left.

    Each name is opened from its own directory, and never as a link: a process about to end could replace a checked file
    by a link that leads out of the cage.
    """
    if not deep:
        raise BadSpec(f"{place[:60]} is deeper than {_DEEPEST} folders")
    try:
        for name in sorted(os.listdir(source)):
            inside = f"{place}{name}"
            if stat.S_ISLNK(os.lstat(name, dir_fd=source).st_mode):
                raise BadSpec(f"{inside[:60]} is a link: a build may leave only files and folders")
            opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
            kept = os.fstat(opened)
            if stat.S_ISDIR(kept.st_mode):
                (target / name).mkdir()
                most = _copy(opened, target / name, f"{inside}/", most, deep - 1)
                continue
            with os.fdopen(opened, "rb") as file, (target / name).open("xb") as copy:
                most -= kept.st_size
                if not stat.S_ISREG(kept.st_mode):
                    raise BadSpec(
                        f"{inside[:60]} is neither a file nor a folder: a build may leave only those"
                    )
                if most < 0:
                    raise BadSpec("its build leaves more bytes than there is room for")
                shutil.copyfileobj(file, copy)
            (target / name).chmod(0o755 if kept.st_mode & stat.S_IXUSR else 0o644)
        return most
    finally:
        os.close(source)
