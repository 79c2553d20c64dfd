"""Differences between two plain states, path by path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs

__all__ = ["Difference", "differences"]

_NOTHING: Final = object()


@attrs.frozen
class Difference:
    """One changed value; `before` or `after` is None where there is none."""

    path: tuple[str, ...]
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{' / '.join(self.path)}: {_short(self.before)} -> {_short(self.after)}"


def differences(before: Any, after: Any) -> list[Difference]:
    """Compare two plain values; return every leaf that differs."""
    return list(_differences((), before, after))


def _differences(path: tuple[str, ...], before: Any, after: Any) -> Iterator[Difference]:
    if before == after:
        return
    old, new = _parts(before), _parts(after)
    if old is None or new is None:
        left = None if before is _NOTHING else before
        yield Difference(path, left, None if after is _NOTHING else after)
        return
    for key in [*old, *(key for key in new if key not in old)]:
        yield from _differences((*path, key), old.get(key, _NOTHING), new.get(key, _NOTHING))


def _parts(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return value
    # lists of plain numbers (stacks, bets, seats to act) read better whole
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return {str(place): item for place, item in enumerate(value)}
    return None


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict) and "type" in value:
        return str(value["type"])
    if isinstance(value, dict):
        return f"{{{', '.join(value)}}}"
    text = str(value)
    return text if len(text) <= 70 else text[:69] + "…"
