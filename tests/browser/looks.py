"""Find faults in a page's looks: by axe-core, wider than the screen, or controls out of reach."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import axe_playwright_python
from playwright.sync_api import Page

__all__ = [
    "SCHEMES",
    "SIZES",
    "SMALL",
    "Look",
    "Looks",
    "Scheme",
    "findings",
    "out_of_reach",
    "pairs",
    "product",
    "too_wide",
]

Scheme = Literal["dark", "light"]

SIZES: Final = {"desktop": (1280, 800), "phone": (390, 844)}
SMALL: Final = {
    "small phone": (320, 568),
    "phone across": (844, 390),
    "small phone across": (568, 320),
    "wall": (2560, 1440),
}
"""More sizes in which no control may be out of reach; the docs have no pictures of them."""
SCHEMES: Final[tuple[Scheme, ...]] = ("dark", "light")
Look = tuple[str, int, int, Scheme]
"""The name of a size, its width and height, and a theme."""
Looks = Callable[[Mapping[str, tuple[int, int]]], list[Look]]
_AXE: Final = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def pairs(sizes: Mapping[str, tuple[int, int]]) -> list[Look]:
    """Every size once and every theme in turn: what is wrong in one theme or one size is seen."""
    return [
        (name, width, height, scheme)
        for (name, (width, height)), scheme in zip(sizes.items(), itertools.cycle(SCHEMES), strict=False)
    ]


def product(sizes: Mapping[str, tuple[int, int]]) -> list[Look]:
    """Every size in every theme."""
    return [(name, width, height, scheme) for name, (width, height) in sizes.items() for scheme in SCHEMES]


def findings(page: Page, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """Return the violations that axe-core finds, of these impacts."""
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
    """Return by how many pixels the page is wider than the window."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))


_REACH: Final = """() => [...document.querySelectorAll('.controls .act, .controls .prompt, .controls .preset')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      if (!box.width) return false;
      const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
      const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return !inside || !(one.contains(seen) || seen?.contains(one));
    }).map((one) => one.textContent)"""


def out_of_reach(page: Page) -> list[str]:
    """Return the player's controls that are partly off the screen or covered."""
    return list(page.evaluate(_REACH))
