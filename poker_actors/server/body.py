"""Read the body of a request."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["object_of"]


def object_of(body: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object in a body, or None for anything else."""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None
