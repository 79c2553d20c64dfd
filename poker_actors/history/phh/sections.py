"""Where one hand ends and the next begins in a `.phhs` file, without reading it as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from poker_actors.errors import BadHistory
from poker_actors.history.source import LONGEST_HAND, Chunk

__all__ = ["HEADER", "sections"]

HEADER: Final = re.compile(r"""\s*\[\s*(?:[A-Za-z0-9-][A-Za-z0-9_-]*|"[^"\n]*"|'[^'\n]*')\s*\]\s*(?:#.*)?$""")
"""A line that opens a hand. A table whose name begins with `_` is a field of a hand instead."""
_SHORT_STRINGS: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'")
_TOKENS: Final = re.compile(r'"""|' + r"'''" + r'|"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#|[\[\]{}]")
_ENDS: Final = {'"""': re.compile(r'(?:\\.|[^"\\]|"(?!""))*"""', re.DOTALL), "'''": re.compile(r".*?'''")}


class _Nesting:
    """Whether the end of a line is the end of a statement, or inside of a list or a long string."""

    __slots__ = ("depth", "quotes")

    def __init__(self) -> None:
        self.depth = 0
        self.quotes = ""

    @property
    def closed(self) -> bool:
        return not self.quotes and self.depth <= 0

    def read(self, line: str) -> None:
        if self.quotes or '"""' in line or "'''" in line:
            self._read_tokens(line)
        elif "[" in line or "]" in line or "{" in line or "}" in line:
            bare = _SHORT_STRINGS.sub("", line).partition("#")[0]
            self.depth += bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")

    def _read_tokens(self, line: str) -> None:
        place = 0
        while place < len(line):
            if self.quotes:
                end = _ENDS[self.quotes].match(line, place)
                if end is None:
                    return
                place, self.quotes = end.end(), ""
                continue
            found = _TOKENS.search(line, place)
            if found is None or found[0] == "#":
                return
            place = found.end()
            if found[0] in _ENDS:
                self.quotes = found[0]
            elif len(found[0]) == 1:
                self.depth += 1 if found[0] in "[{" else -1


def sections(lines: Iterable[str]) -> Iterator[Chunk]:
    """Cut the lines into hands: at headers such as `[1]`, or not at all in a `.phh` of one hand.

    Comments after a blank line belong to the hand that follows. Raises `BadHistory` for a hand above the
    limit.
    """
    held: list[str] = []
    first = 1
    size = 0
    several = begun = False
    leading = 0  # lines at the end of what is held, from a blank one on, that say nothing
    nesting = _Nesting()
    for number, line in enumerate(lines, start=1):
        bare = line.lstrip()
        if nesting.closed and bare.startswith("[") and HEADER.match(line):
            if begun and several:
                kept = len(held) - leading
                yield Chunk("".join(held[:kept]), first)
                held, first, size = held[kept:], number - leading, 0
                while held and not held[0].strip():
                    held, first = held[1:], first + 1
                begun = False
            several = several or not begun
        held.append(line)
        size += len(line)
        if size > LONGEST_HAND:
            raise BadHistory(f"line {first}: the hand is above the limit of {LONGEST_HAND} characters")
        if nesting.closed and not bare:
            leading += 1
        elif nesting.closed and bare.startswith("#"):
            leading += leading > 0 or not begun
        else:
            leading, begun = 0, True
            nesting.read(line)
            nesting.depth = max(nesting.depth, 0)
    if begun:
        yield Chunk("".join(held), first)
