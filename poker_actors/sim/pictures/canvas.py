"""Shared by all pictures (extra `plot`): figures and colours."""

from __future__ import annotations

from typing import Any, Final

from poker_actors.errors import MissingExtra

__all__ = ["AROUND_ZERO", "COLOURS", "check_pictures", "figure"]

COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#7f7f7f", "#a6761d", "#1b1b1b",
)  # fmt: skip
"""Ten colours that colour-blind people can tell apart, too: Okabe and Ito's, and three more."""

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
