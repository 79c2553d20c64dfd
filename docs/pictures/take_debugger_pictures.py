"""Take the pictures of the debugger's page: drive the full screen at 80 by 24 and export what it shows as SVG.

Run it from anywhere with the extra `tui`: `python docs/pictures/take_debugger_pictures.py`.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from poker_actors.debug import Stepper
from poker_actors.debug.tui import DebugApp

HERE = Path(__file__).parent
SIZE = (80, 24)

# name -> whose viewpoint, and the keys to press
PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "debug-stepping": ("god", ("s", "a", "a")),
    "debug-why": ("god", ("a", "a", "w")),
    "debug-fork": ("god", ("a", "colon", *"fork", "space", *"fold", "enter", "escape", "n")),
}


async def take(viewpoint: str, keys: tuple[str, ...]) -> str:
    """Press the keys and give the screen."""
    with Stepper(seed=7, bots=["caller", "random", "tight"], viewpoint=viewpoint) as stepper:
        app = DebugApp(stepper)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            return app.export_screenshot(title="poker-actors debug")


def without_network(svg: str) -> str:
    """Take away the fonts that the library would have fetched, and the name that changes with the content."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


def main() -> None:
    """Take all of them."""
    for name, (viewpoint, keys) in PICTURES.items():
        svg = without_network(asyncio.run(take(viewpoint, keys)))
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
