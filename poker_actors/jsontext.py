"""Parse JSON that anybody may have written, and write ours without a space."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["compact_json", "parse_json"]

compact_json: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
"""Return a value as one line of JSON, without spaces. `json.dumps` would make an encoder for each value."""


def parse_json(text: str | bytes, **hooks: Any) -> Any:
    """Return what `json.loads` returns; raise `json.JSONDecodeError` for anything that is not JSON.

    For a thousand nested brackets `json.loads` raises `RecursionError`, which no reader of files or requests expects.
    `hooks` go to `json.loads`.
    """
    try:
        return json.loads(text, **hooks)
    except RecursionError:
        raise json.JSONDecodeError("lists within lists, too deep to read", "", 0) from None
