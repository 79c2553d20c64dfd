"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal, overload

__all__ = ["held", "replacing"]


@overload
def replacing(path: Path) -> AbstractContextManager[IO[str]]: ...
@overload
def replacing(path: Path, mode: Literal["wb"]) -> AbstractContextManager[IO[bytes]]: ...
@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Write beside a file and move that into its place at the end; after an error the file is what it was.

    A reader never sees half of it, nor does anybody after a crash: the text is on the disk before it
    has the name. Raises `OSError` as `open` does.
    """
    # two processes that write the same file must not write into each other's
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        plain = mode == "w"
        with beside.open(
            mode, encoding="utf-8" if plain else None, newline="\n" if plain else None
        ) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def held(path: Path) -> IO[bytes]:
    """Hold a file for this process until what is given is closed, or the process ends in whatever way.

    Raises `BlockingIOError` when another process holds it, `OSError` as `open` does. An empty file beside it is
    locked, since the file itself is replaced; it stays.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(path.with_name(f".{path.name}.lock").open("ab"))
        _lock(stream)
        stack.pop_all()
    return stream


def _lock(stream: IO[bytes]) -> None:
    """Take the file for this process; raises `BlockingIOError` when another has it."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            raise BlockingIOError from None
    else:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
