"""Parse JSON that anybody may have written."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["parse_json"]


def parse_json(text: str | bytes, **hooks: Any) -> Any:
    """Return what `json.loads` returns; raise `json.JSONDecodeError` for anything that is not JSON.

    A thousand nested brackets are JSON to `json.loads`, and a `RecursionError`, which no reader of files or
    requests expects. `hooks` go to `json.loads`.
    """
    try:
        return json.loads(text, **hooks)
    except RecursionError:
        raise json.JSONDecodeError("lists within lists, too deep to read", "", 0) from None
