"""Short names for a small screen."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["short"]

_HAND_ID: Final = re.compile(r"[^\s]+/hand-([0-9]{9})")


def short(text: str) -> str:
    """Return the text with `hand 3` for `main/hand-000000003`."""
    return _HAND_ID.sub(lambda found: f"hand {int(found[1])}", text)
