"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["replacing"]


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """Write beside a file and move that into its place at the end; after an error the file is what it was.

    A reader never sees half of it, nor does anybody after a crash: the text is on the disk before it
    has the name. Raises `OSError` as `open` does.
    """
    # two processes that write the same file must not write into each other's
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
