"""The page: a session to scrub through in any browser, in one file that asks nobody for anything."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from poker_actors.debug.export.whole import frames
from poker_actors.debug.session import Stepper
from poker_actors.debug.terminal import title

__all__ = ["page"]


def page(stepper: Stepper) -> str:
    """Give the page of a whole session, as its viewpoint shows it."""
    made = frames(stepper)
    pictures: dict[str, int] = {}
    positions = [
        {
            "said": list(frame.said),
            "picture": pictures.setdefault(frame.svg, len(pictures)),
            "mailbox": list(frame.mailbox),
            "changed": list(frame.changed),
        }
        for frame in made
    ]
    data = json.dumps({"pictures": list(pictures), "positions": positions}, separators=(",", ":"))
    template = files("poker_actors.debug.export").joinpath("page.html").read_text(encoding="utf-8")
    # `<` never ends the script element, whatever a player is called
    return template.replace("{{title}}", escape(title(stepper))).replace(
        "{{data}}", data.replace("<", "\\u003c")
    )
