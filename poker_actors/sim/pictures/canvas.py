"""Shared by all pictures (extra `plot`): figures, and what tells bots apart: colours, strokes, markers, short names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

from poker_actors.errors import MissingExtra

__all__ = ["AROUND_ZERO", "COLOURS", "MARKERS", "STROKES", "check_pictures", "figure", "short_names"]

COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#7f7f7f", "#a6761d", "#1b1b1b",
)  # fmt: skip
"""Ten colours that colour-blind people can tell apart, too: Okabe and Ito's, and three more."""

STROKES: Final[tuple[Any, ...]] = (
    "-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)),
    (0, (10, 3)), (0, (2, 3)), (0, (8, 2, 3, 2)), (0, (5, 1, 1, 1)), (0, (1, 4)),
)  # fmt: skip
"""Ten kinds of lines, in points on and off, for who sees no colour, or prints in grey."""

MARKERS: Final = "osD^vPX*<>"
"""Ten kinds of points, for the same reason."""

LONGEST_NAME: Final = 14
"""Letters of a name in a picture; the tables have it whole."""

AROUND_ZERO: Final = "PuOr"
"""Purple above 0 and orange below: colour-blind people cannot tell red from green."""


def check_pictures() -> None:
    """Raise `MissingExtra` unless pictures can be drawn."""
    figure(1, 1)


def figure(width: float, height: float) -> Any:
    """Make a figure of `width` by `height` inches outside pyplot's global state; raise `MissingExtra`."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra("plot", "matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")


def short_names(bots: Sequence[str]) -> list[str]:
    """Return a name of at most 14 letters for each bot, different for all: a function for FILE.py:FUNCTION, where that is enough.

    >>> short_names(["bots/mine.py:mine", "tight", "tight"])
    ['mine', 'tight 1', 'tight 2']
    """
    names = [_last_part(bot) for bot in bots]
    common = Counter(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        number = f" {seen[name]}" if common[name] > 1 else ""
        found.append(_cut(name, LONGEST_NAME - len(number)) + number)
    return found


def _last_part(bot: str) -> str:
    """Return what names the bot best: without folders, and of FILE.py:FUNCTION the function."""
    front, colon, last = bot.rpartition(":")
    if colon and front.endswith(".py"):
        return last
    return bot if colon else PurePath(bot).name or bot


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
