"""The files that draw a table in a browser, singly or joined for a page in one file."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

__all__ = ["drawing_files", "drawing_script", "drawing_style"]

_MODULES: Final = ("dom", "words", "layout", "cards", "rows", "free-seat", "seats", "felt")
"""In the order of their imports: joined in one script, a name must be defined before its first use."""
_SHEETS: Final = ("shared", "felt", "seats", "rows")
_OUTSIDE: Final = re.compile(r"^import .*;\n|^export (?=const|function|class)", re.MULTILINE)


def drawing_files() -> Traversable:
    """Return the folder of the files, with modules in `js` and style sheets in `css`."""
    return files("poker_actors.browser") / "static"


def drawing_script() -> str:
    """Return all modules as one JavaScript expression, whose value is the class `Felt`.

    An inline script cannot import files, so the modules are joined in one function; no two may define the same name.
    """
    modules = "".join(_OUTSIDE.sub("", _read(f"js/{name}.js")) for name in _MODULES)
    return f"(() => {{\n{modules}return Felt;\n}})()"


def drawing_style() -> str:
    """Return all style sheets, joined."""
    return "".join(_read(f"css/{name}.css") for name in _SHEETS)


def _read(path: str) -> str:
    return (drawing_files() / path).read_text(encoding="utf-8")
