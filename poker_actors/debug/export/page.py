"""The page: a session to scrub through in a browser, in one self-contained HTML file."""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from typing import Any

from poker_actors.browser import drawing_script, drawing_style
from poker_actors.debug.session import Step, Stepper
from poker_actors.debug.state import delivery_words, differences
from poker_actors.debug.terminal import title
from poker_actors.errors import PokerError

__all__ = ["page"]


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


class _Book:
    """The page's data: each line, path, seat and picture once, and for each position its changes."""

    def __init__(self) -> None:
        self.lines, self.paths, self.seats, self.pictures = _Table(), _Table(), _Table(), _Table()
        self.positions: list[dict[str, Any]] = []
        self.reasons: list[dict[str, Any]] = []
        self._before: dict[str, Any] = {}

    def add(self, stepper: Stepper, step: Step | None) -> None:
        """Add the session's current position."""
        viewpoint = stepper.viewpoint
        state = stepper.state()["actors"]
        changes = [[self.paths.place(list(one.path)), one.after] for one in differences(self._before, state)]
        self._before = state
        picture = stepper.picture().to_dict()
        picture["seats"] = [self.seats.place(seat) for seat in picture["seats"]]
        position: dict[str, Any] = {
            "said": [] if step is None else [self._said(one, stepper) for one in step.handled],
            "picture": self.pictures.place(picture),
            "mailbox": [
                self.lines.place(delivery_words(one, viewpoint, arrived=False)) for one in stepper.pending
            ],
            "changes": changes,
        }
        if step is not None and step.incidents:
            position["wrong"] = [[one.shown(viewpoint), *one.traceback(viewpoint)] for one in step.incidents]
        self.positions.append(position)

    def _said(self, one: Any, stepper: Stepper) -> list[Any]:
        words = self.lines.place(delivery_words(one.delivery, stepper.viewpoint))
        return [words, one.depth, one.outcome] if one.depth or one.outcome else [words]

    def explain(self, stepper: Stepper) -> None:
        """Add the explanations of the pot and the winner of the hand that ends here."""
        reasons: dict[str, Any] = {"end": stepper.position}
        for what in ("pot", "winner"):
            try:
                found = stepper.why(what)
            except PokerError:
                continue
            reasons[what] = [[link.step, str(link)] for link in found.links]
        if len(reasons) > 1:
            self.reasons.append(reasons)

    def to_dict(self) -> dict[str, Any]:
        """Return the data as a JSON object."""
        return {
            "lines": self.lines.values,
            "paths": self.paths.values,
            "seats": self.seats.values,
            "pictures": self.pictures.values,
            "positions": self.positions,
            "reasons": self.reasons,
        }


class Page(str):
    """The HTML of a page; a notebook displays it in a frame, with a slider to step through the session."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width: 100%; height: 46rem; border: 0"></iframe>'


def page(stepper: Stepper, *, served: bool = False) -> str:
    """Return the HTML page of a whole session, as its viewpoint sees it; a notebook displays it.

    With `served`, for a debugger that answers the page's commands, the page opens at the session's
    position.
    """
    book = _Book()
    with Stepper(stepper.recorded(), viewpoint=stepper.viewpoint) as other:
        step = None
        while True:
            book.add(other, step)
            hand = other.hand
            over = hand is not None and hand.over
            step = other.step()
            if step is None or (over and type(step.delivery.message).__name__ == "Deal"):
                # a deal replaces the hand that `why` explains: explain the finished one a step earlier
                _explain_before(book, other, step)
            if step is None:
                break
    data = json.dumps(book.to_dict(), separators=(",", ":"))
    filled = {
        "title": escape(title(stepper)),
        "sources": "; connect-src 'self'" if served else "",
        "at": str(stepper.position if served else 0),
        "style": drawing_style(),
        "drawing": drawing_script(),
        # only in a served page: a page sent as a file has no server to ask
        "form": _part("commands.html") if served else "",
        "commands": _part("commands.js") if served else "",
        # without it a player named `</script>` could inject markup
        "data": data.replace("<", "\\u003c"),
    }
    return Page(re.sub(r"\{\{(\w+)\}\}", lambda field: filled[field[1]], _part("page.html")))


def _part(name: str) -> str:
    return files("poker_actors.debug.export").joinpath(name).read_text(encoding="utf-8")


def _explain_before(book: _Book, stepper: Stepper, step: Step | None) -> None:
    """Explain a finished hand at the last position where it is still the session's hand."""
    if step is None:
        book.explain(stepper)
        return
    here = stepper.position
    stepper.back(1)
    book.explain(stepper)
    stepper.goto(here)
