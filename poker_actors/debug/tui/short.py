"""Names as a small screen has room for them."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["short"]

_HAND_ID: Final = re.compile(r"[^\s]+/hand-([0-9]{9})")


def short(text: str) -> str:
    """Say `hand 3` for `main/hand-000000003`."""
    return _HAND_ID.sub(lambda found: f"hand {int(found[1])}", text)
