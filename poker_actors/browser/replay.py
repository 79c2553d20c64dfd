"""Draw a table in a browser, and make the page that replays hands: one file, without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

_MODULES: Final = ("dom", "words", "layout", "cards", "rows", "free-seat", "seats", "felt")
"""Modules in an order that defines each name before its first use, once they are joined in one script."""
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


class _Table:
    """Values stored once each, and referred to by index."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.values: list[Any] = []

    def place(self, value: Any) -> int:
        """Return the index of a value; add it if it is new."""
        key = value if isinstance(value, str) else json.dumps(value)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = len(self.values)
            self.values.append(value)
        return found


class Book:
    """The page's data of a hand or a session: each line, path, seat and picture once, and every position.

    With `room` the page also shows the room: messages on their way, the state of actors, reasons.
    """

    def __init__(self, *, room: bool = False, name: str | None = None, title: str | None = None) -> None:
        self._lines, self._paths, self._seats, self._pictures = _Table(), _Table(), _Table(), _Table()
        self._positions: list[dict[str, Any]] = []
        self._about = {"room": room, "name": name, "title": title}
        self.reasons: list[dict[str, Any]] = []
        """explanations up to a position, as `{"end": POSITION, WHAT: [[STEP, TEXT], ...]}`"""

    def add(
        self,
        picture: dict[str, Any],
        said: Iterable[Sequence[Any]],
        *,
        mailbox: Iterable[str] = (),
        changes: Iterable[tuple[Sequence[str], Any]] = (),
        wrong: Sequence[Sequence[str]] = (),
    ) -> None:
        """Add a position: a picture in the form of the table's script, and lines, each with its depth and outcome."""
        seats = [self._seats.place(seat) for seat in picture["seats"]]
        position: dict[str, Any] = {
            "said": [[self._lines.place(line), *more] for line, *more in said],
            "picture": self._pictures.place({**picture, "seats": seats}),
            "mailbox": [self._lines.place(line) for line in mailbox],
            "changes": [[self._paths.place(list(path)), value] for path, value in changes],
        }
        if wrong:
            position["wrong"] = wrong
        self._positions.append(position)

    def to_dict(self) -> dict[str, Any]:
        """Return the data as a JSON object."""
        return {
            **{key: value for key, value in self._about.items() if value},
            "lines": self._lines.values,
            "paths": self._paths.values,
            "seats": self._seats.values,
            "pictures": self._pictures.values,
            "positions": self._positions,
            "reasons": self.reasons,
        }


def replay_page(
    title: str,
    books: Iterable[Book],
    *,
    at: int = 0,
    back: tuple[str, str] | None = None,
    sought: str = "a player, an action, cards",
    form: str | None = None,
    commands: str = "",
) -> str:
    """Return the page for one or more books, opened at a position; `#3` at the end of its address opens the third.

    `back` is the address and name of a page to link to. A page served with a `form` may ask its server `commands`.
    """
    data = json.dumps([book.to_dict() for book in books], separators=(",", ":"))
    filled = {
        "title": escape(title),
        "sources": "" if form is None else "; connect-src 'self'",
        "back": "" if back is None else f'<nav><a href="{escape(back[0])}">{escape(back[1])}</a></nav>',
        "sought": escape(sought),
        "at": str(at),
        "style": drawing_style(),
        "drawing": drawing_script(),
        "form": form or "",
        "commands": commands,
        # without it a player named `</script>` could inject markup
        "data": data.replace("<", "\\u003c"),
    }
    template = files("poker_actors.browser").joinpath("replay.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda field: filled[field[1]], template)
