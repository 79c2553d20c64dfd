"""What is wrong with how a page looks: findings of axe-core, and what is wider than the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

import axe_playwright_python
from playwright.sync_api import Page

__all__ = ["SCHEMES", "SIZES", "Scheme", "findings", "too_wide"]

Scheme = Literal["dark", "light"]

SIZES: Final = {"desktop": (1280, 800), "phone": (390, 844)}
SCHEMES: Final[tuple[Scheme, ...]] = ("dark", "light")
_AXE: Final = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Page, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """What axe-core finds of these impacts."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run({resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in impacts
        for node in one["nodes"]
    ]


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than what it is seen through."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))
