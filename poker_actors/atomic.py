"""Files that are read and written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Final, Literal, Self, overload

from poker_actors.errors import BadSpec

__all__ = ["HeldFile", "check_directory", "file_to_replace", "read_whole", "replacing"]

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LARGEST: Final = 1 << 28
"""The most bytes read of a file: far more than any has, but a device may have no end."""


def read_whole(path: Path) -> bytes:
    """Return the bytes of a file or pipe; raise `BadSpec` for more than 256 megabytes, `OSError` like `open`."""
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)  # one byte too many shows that there are more
    if len(data) > _LARGEST:
        raise BadSpec(f"{path} has more than {_LARGEST} bytes, the most that are read")
    return data


_LINKS: Final = 40
"""Links followed from one to the next, as Linux does; `open` refuses a longer chain."""


@overload
def replacing(path: Path) -> AbstractContextManager[IO[str]]: ...
@overload
def replacing(path: Path, mode: Literal["wb"]) -> AbstractContextManager[IO[bytes]]: ...
@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Write to a temporary file and rename it to `path` at the end; after an error `path` is unchanged.

    Neither a reader nor a crash ever leaves half a file: the data is on disk before it gets the name. Links are
    followed and stay, and a file keeps its permissions. A device, a pipe and a descriptor such as ``/dev/stdout`` are
    written to directly, as a shell does. What UTF-8 cannot encode, as in the name of a file that is not text, is
    escaped, which JSON reads back. Raises `OSError` like `open`.
    """
    kept = file_to_replace(path)
    # two processes that write the same file must not write into each other's
    beside = path if kept is None else _part_of(kept)
    encoding, errors, newline = ("utf-8", "backslashreplace", "\n") if mode == "w" else (None, None, None)
    try:
        with beside.open(mode, encoding=encoding, errors=errors, newline=newline) as stream:
            if kept is not None and kept.exists():
                beside.chmod(stat.S_IMODE(kept.stat().st_mode))  # before the data, which may be secret
            yield stream
            stream.flush()
            if kept is not None:
                # before the new name: after a power cut a file could have it and be empty
                os.fsync(stream.fileno())
        if kept is not None:
            beside.replace(kept)
    except BaseException as error:
        if kept is not None:
            with suppress(OSError):
                beside.unlink()
        if isinstance(error, OSError) and error.errno in _NO_ROOM and error.filename is None:
            error.filename = str(path)  # a write does not say of which file
        raise


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def check_directory(path: Path) -> None:
    """Raise `BadSpec` unless the directory of a file to be written exists, `PermissionError` unless it is writable."""
    if not path.absolute().parent.is_dir():
        raise BadSpec(f"there is no directory {path.parent} to write {path.name} in")
    kept = file_to_replace(path)
    if kept is not None and not kept.parent.is_dir():
        raise BadSpec(f"there is no directory {kept.parent}, to which the link {path} leads")
    if kept is not None and not os.access(kept.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def file_to_replace(path: Path) -> Path | None:
    """Return the file that `path` leads to, existing or not; None for what can only be written to, never replaced."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    hop = path
    for _ in range(_LINKS):
        folder = hop.parent.resolve()
        # a descriptor that is open on a file: a new file of that name is not what the descriptor writes to
        if folder in (Path("/dev"), Path("/dev/fd")) or folder.is_relative_to("/proc"):
            return None
        if not hop.is_symlink():
            break
        hop = hop.parent / hop.readlink()
    return path.resolve()


class HeldFile:
    """A file that one process at a time may replace; the lock is held until the end of the `with` block.

    Raises `BadSpec` when another process holds it (`IN_USE` is the text) or when it cannot be written. The lock is
    on an empty file beside it, which stays, since the file itself is replaced. The system releases the lock when the
    process ends, even by SIGKILL.
    """

    IN_USE: ClassVar[str] = "is being written by another process"

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            with ExitStack() as stack:
                stream = stack.enter_context(self.path.with_name(f".{self.path.name}.lock").open("ab"))
                _lock(stream)
                stack.pop_all()
        except BlockingIOError:
            raise BadSpec(f"{self.path} {self.IN_USE}") from None
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be written: {error.strerror}") from error
        self._lock = stream
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._lock is not None, "opened by `with`"
        self._lock.close()


def _lock(stream: IO[bytes]) -> None:
    """Lock the file for this process; raises `BlockingIOError` when another process holds it."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # typed on Windows only
        except OSError:
            raise BlockingIOError from None
    else:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
