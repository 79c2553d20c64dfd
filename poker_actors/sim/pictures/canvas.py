"""What every picture shares (extra `plot`): a figure of its own, and colours."""

from __future__ import annotations

from typing import Any, Final

from poker_actors.errors import MissingExtra

__all__ = ["AROUND_ZERO", "COLOURS", "check_pictures", "figure"]

COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#7f7f7f", "#a6761d", "#1b1b1b",
)  # fmt: skip
"""Ten colours that stay apart for colour-blind eyes as well (Okabe and Ito's, and three more)."""

AROUND_ZERO: Final = "PuOr"
"""Purple above 0 and orange below: red and green are one to some eyes."""


def check_pictures() -> None:
    """Raise `MissingExtra` unless pictures can be drawn."""
    figure(1, 1)


def figure(width: float, height: float) -> Any:
    """Make a figure of `width` by `height` inches that no global state knows; raises `MissingExtra`."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra("plot", "matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")
