"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar, Final, Literal, Self, overload

from poker_actors.errors import BadSpec

__all__ = ["HeldFile", "replacing"]


@overload
def replacing(path: Path) -> AbstractContextManager[IO[str]]: ...
@overload
def replacing(path: Path, mode: Literal["wb"]) -> AbstractContextManager[IO[bytes]]: ...
@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Write to a temporary file and rename it to `path` at the end; after an error `path` is unchanged.

    Neither a reader nor a crash ever leaves half a file: the data is on disk before it gets the name.
    Raises `OSError` like `open`.
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
            # before the new name: after a power cut a file could have it and be empty
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


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
