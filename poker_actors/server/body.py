"""Read the body of a request."""

from __future__ import annotations

from typing import Any

from poker_actors.jsontext import parse_json

__all__ = ["object_of"]


def object_of(body: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object in a body, or None for anything else."""
    try:
        plain = parse_json(body)
    except ValueError:
        return None
    return plain if isinstance(plain, dict) else None
