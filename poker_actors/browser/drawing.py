"""The files that draw a table in a browser."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["drawing_files"]


def drawing_files() -> Traversable:
    """Give the folder of the files: modules in `js`, style sheets in `css`."""
    return files("poker_actors.browser") / "static"
