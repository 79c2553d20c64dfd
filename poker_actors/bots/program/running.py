"""Run a program to its end, as a build does: bounded in time, output and what it leaves, in a cage or not."""

from __future__ import annotations

import os
import select
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from poker_actors.bots.program.starting import Program, Started
from poker_actors.errors import BadSpec

__all__ = ["Ran", "run"]

_READ: Final = 65536
_LOOK_SECONDS: Final = 0.1
"""Between two looks at what it has written."""
_BLOCK: Final = 512
_MOST_ENTRIES: Final = 20_000
"""Files and folders in the copy of a folder: each takes memory of the kernel's, empty or not."""
_DEEPEST: Final = 32
"""Folders within folders, each of which is open while it is read."""


@attrs.frozen
class Ran:
    """How a program ended: its exit status, negative for a signal and None if it was ended; what it printed.

    `output` is stdout and stderr as they came, cut at the limit. `full` says that it was ended for what it wrote, or that
    there was no room in its cage for more; else one that was ended had no time left.
    """

    status: int | None
    output: bytes
    full: bool = False


def run(program: Program, *, seconds: float, output: int, written: int | None = None) -> Ran:
    """Run `program` for at most `seconds` and keep the first `output` bytes of what it prints; the rest is dropped.

    It is ended when its folder holds more than `written` bytes on the disk, soon after it does, and when its cage's room
    is full. What it started ends with it. If its cage has room and the status is 0, its folder then holds what it left there;
    raises `BadSpec` for links, what is not a file, more than `room` bytes and folders too deep. Raises as `Started` does.
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
    """Replace the contents of `folder` by those of `workplace`; if that raises, `folder` keeps what it had."""
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
    """Copy what is in the directory `source`, which is closed, if it has at most `most` bytes; return how many are left.

    Each name is opened from the directory that it is in, and never as a link: a process that is about to end could put
    one in the place of a file that was looked at, and it would lead out of the cage.
    """
    if not deep:
        raise BadSpec(f"{place[:60]} is deeper than {_DEEPEST} folders")
    try:
        for name in sorted(os.listdir(source)):
            inside = f"{place}{name}"
            if stat.S_ISLNK(os.lstat(name, dir_fd=source).st_mode):
                raise BadSpec(f"{inside[:60]} is a link: a build leaves files and folders only")
            opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
            kept = os.fstat(opened)
            if stat.S_ISDIR(kept.st_mode):
                (target / name).mkdir()
                most = _copy(opened, target / name, f"{inside}/", most, deep - 1)
                continue
            with os.fdopen(opened, "rb") as file, (target / name).open("xb") as copy:
                most -= kept.st_size
                if not stat.S_ISREG(kept.st_mode):
                    raise BadSpec(f"{inside[:60]} is neither a file nor a folder: a build leaves those only")
                if most < 0:
                    raise BadSpec("what its build leaves has more bytes than there is room for")
                shutil.copyfileobj(file, copy)
            (target / name).chmod(0o755 if kept.st_mode & stat.S_IXUSR else 0o644)
        return most
    finally:
        os.close(source)
