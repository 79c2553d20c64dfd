"""Hands as JSONL: one JSON value a line, one line a hand."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

__all__ = ["JsonLines"]


class JsonLines:
    """Writes hands to a file, line by line; the file appears when all are written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._beside = self.path.with_name(f".{self.path.name}.part")
        self._stream: IO[str] | None = None

    def __enter__(self) -> Self:
        self._stream = self._beside.open("w", encoding="utf-8")
        return self

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write the next hands."""
        assert self._stream is not None, "opened by `with`"
        self._stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._stream is not None, "opened by `with`"
        self._stream.close()
        if kind is None:
            self._beside.replace(self.path)
        else:
            self._beside.unlink(missing_ok=True)
