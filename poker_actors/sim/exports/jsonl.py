"""Write hands as JSON lines, one hand a line."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from poker_actors.atomic import replacing

__all__ = ["JsonLines"]


class JsonLines:
    """Writes hands to a file, line by line; the file appears when all are written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._open = ExitStack()
        self._stream: IO[str] | None = None

    def __enter__(self) -> Self:
        self._stream = self._open.enter_context(replacing(self.path))
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write the next hands."""
        assert self._stream is not None, "opened by `with`"
        self._stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)
