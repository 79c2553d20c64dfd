"""The comments of a file, each with its field or its item of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from poker_actors.history.hand_history import Note

__all__ = ["notes_of"]

_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""+'
    r"|'''.*?'''+"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<equals>=)|(?P<line>\n)"
    r"|(?P<bare>[^\s\"'\#\[\]{},=]+)",
    re.DOTALL,
)


def notes_of(text: str) -> tuple[Note, ...]:
    """Return the comments in the text of one hand, which must be valid TOML."""
    return tuple(_notes(text))


def _notes(text: str) -> Iterator[Note]:
    key = ""
    depth = items = 0
    fresh = True  # whether the line is empty so far
    after_comma = False
    waiting: list[str] = []  # comments on lines of their own, which belong to the next field
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "line":
            fresh = True
            key = key if depth else ""
            continue
        if kind == "comment":
            words = token[0][1:].strip()
            if depth == 0 and not key:
                waiting.append(words)
            elif depth == 0:
                yield Note(key, -1, words, own_line=False)
            else:
                # after a comma on the same line, it belongs to the item before the comma
                yield Note(key, items - (after_comma and not fresh), words, own_line=fresh)
            continue
        if depth == 0 and kind in ("bare", None) and not key:
            key = token[0].strip("\"'")
            yield from (Note(key, -1, words, own_line=True) for words in waiting)
            waiting, items, after_comma = [], 0, False
        elif kind == "open":
            # the bracket of a header such as [1] opens no list
            depth += bool(depth or key)
        elif kind == "close":
            depth -= bool(depth)
        elif kind == "comma" and depth == 1:
            items += 1
        fresh = False
        after_comma = kind == "comma"
    yield from (Note("", -1, words, own_line=True) for words in waiting)
