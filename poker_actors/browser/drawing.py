"""The files that draw a table in a browser, one by one or joined for a page that is one file."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

__all__ = ["drawing_files", "drawing_script", "drawing_style"]

_MODULES: Final = ("dom", "words", "layout", "cards", "rows", "free-seat", "seats", "felt")
"""Each after those that it imports."""
_SHEETS: Final = ("shared", "felt", "seats", "rows")
_OUTSIDE: Final = re.compile(r"^import .*;\n|^export (?=const|function|class)", re.MULTILINE)


def drawing_files() -> Traversable:
    """Return the folder of the files: modules in `js`, style sheets in `css`."""
    return files("poker_actors.browser") / "static"


def drawing_script() -> str:
    """Return the modules as one expression, whose value is the class `Felt`.

    A script within a page cannot import: the modules stand in one function instead, so no two have a name in common.
    """
    modules = "".join(_OUTSIDE.sub("", _read(f"js/{name}.js")) for name in _MODULES)
    return f"(() => {{\n{modules}return Felt;\n}})()"


def drawing_style() -> str:
    """Return the style sheets as one."""
    return "".join(_read(f"css/{name}.css") for name in _SHEETS)


def _read(path: str) -> str:
    return (drawing_files() / path).read_text(encoding="utf-8")
