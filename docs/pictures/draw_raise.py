"""Draw how an all-in travels from a bot to the payout: which file hands it to which, from a run of each driver.

`python docs/pictures/draw_raise.py`. A test runs the drivers again and compares the files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from types import FrameType
from typing import Any, Final

import poker_actors
from poker_actors.rules import Action, Fold, RaiseTo
from poker_actors.sim import simulate

HERE: Final = Path(__file__).parent
ROOT: Final = Path(poker_actors.__file__).parent
PICTURE: Final = "raise.svg"
LAST: Final = {"direct": "rules/payout.py", "stepper": "store/ledger.py"}
"""The last file of the way: where the pot is shared out, and where the room books it."""
WIDTH: Final = 1240
LEFT: Final = 250
ROW: Final = 18
STYLE: Final = (
    "text{font:12px sans-serif;fill:#1d2330}.head{font-weight:bold;font-size:14px}"
    ".way{fill:none;stroke:#2f6f9f;stroke-width:1.5}.row{stroke:#e3e8f0}"
)


def way(driver: str) -> list[str]:
    """Give the files an all-in and a fold pass through, from the bot's answer to the chips' new places."""
    passed: list[str] = []
    answered = False

    def watch(frame: FrameType, event: str, _: Any) -> None:
        there = frame if event == "call" else frame.f_back
        if answered and event in ("call", "return") and there is not None:
            path = Path(there.f_code.co_filename)
            if path.is_relative_to(ROOT):
                name = str(path.relative_to(ROOT))
                if passed[-1:] != [name]:
                    passed.append(name)

    def shove(view: Any) -> Action:
        nonlocal answered
        answered = True
        return RaiseTo(view.legal.max_raise_to)

    def folds(_: Any) -> Action:
        return Fold()

    simulate([shove, folds], hands=1, seed=1, driver=driver)  # what is loaded at first use is not on the way
    passed.clear()
    answered = False
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        simulate([shove, folds], hands=1, seed=1, driver=driver)
    finally:
        sys.setprofile(before)
    return passed[: _end(passed, LAST[driver])]


def _end(passed: list[str], last: str) -> int:
    """Give where the first visit to `last` ends: files that only call back into it belong to the visit."""
    end = passed.index(last)
    while last in passed[end + 1 : end + 8]:
        end = passed.index(last, end + 1)
    return end + 1


def files(passed: Iterable[str]) -> list[str]:
    """Give each file once, in the order in which the way first comes there."""
    return list(dict.fromkeys(passed))


def panel(driver: str, top: int) -> tuple[list[str], int]:
    """Draw one way: a line of files for each, and a step to the right for each change; gives its height, too."""
    passed = way(driver)
    rows = {name: top + 34 + ROW * number for number, name in enumerate(files(passed))}
    step = (WIDTH - LEFT - 20) / max(len(passed) - 1, 1)
    head = f"{driver} driver: {len(rows)} files, {len(passed) - 1} changes of file"
    parts = [f'<text class="head" x="10" y="{top + 14}">{escape(head)}</text>']
    for name, y in rows.items():
        parts.append(f'<text x="10" y="{y + 4}">{escape(name)}</text>')
        parts.append(f'<line class="row" x1="{LEFT}" y1="{y}" x2="{WIDTH - 20}" y2="{y}"/>')
    points = " ".join(f"{LEFT + step * number:.1f},{rows[name]}" for number, name in enumerate(passed))
    parts.append(f'<polyline class="way" points="{points}"/>')
    return parts, 34 + ROW * len(rows) + 16


def picture() -> str:
    """Draw all ways below each other, as SVG."""
    parts: list[str] = []
    height = 10
    for driver in LAST:
        drawn, tall = panel(driver, height)
        parts += drawn
        height += tall
    words = "How an all-in travels from a bot to the payout"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{words}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'
    )
    return "\n".join([head, *parts, "</svg>\n"])


def main() -> None:
    """Write the picture beside this file."""
    (HERE / PICTURE).write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
