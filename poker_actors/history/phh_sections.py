"""Cut a `.phhs` file into hands, line by line, without reading it as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from poker_actors.errors import BadHistory
from poker_actors.history.source import LONGEST_HAND, Chunk

HEADER: Final = re.compile(r"""\s*\[\s*(?:[A-Za-z0-9-][A-Za-z0-9_-]*|"[^"\n]*"|'[^'\n]*')\s*\]\s*(?:#.*)?$""")
"""A header line, which opens a hand. A table whose name begins with `_` is a field of a hand instead."""
_SHORT_STRINGS: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'")
_TOKENS: Final = re.compile(r'"""|' + r"'''" + r'|"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#|[\[\]{}]")
_ENDS: Final = {'"""': re.compile(r'(?:\\.|[^"\\]|"(?!""))*"""', re.DOTALL), "'''": re.compile(r".*?'''")}


class _Nesting:
    """Tracks whether a line ends a statement or ends inside a list, a table or a long string."""

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

    Comments after a blank line belong to the hand that follows. Raises `BadHistory` for a hand of more
    than `LONGEST_HAND` characters.
    """
    cutter = _Cutter()
    for number, line in enumerate(lines, start=1):
        # most lines are fields: holding them here saves a call per line
        if cutter.closed and line[0] not in _NO_FIELD:
            cutter.held.append(line)
            cutter.size += len(line)
            cutter.leading = 0
            cutter.begun = True
            if "[" in line or "{" in line or "'''" in line or '"""' in line:
                cutter.nest(line)
        else:
            done = cutter.other(line, number)
            if done is not None:
                yield done
        if cutter.size > LONGEST_HAND:
            limit = f"the hand is above the limit of {LONGEST_HAND} characters"
            raise BadHistory(f"line {cutter.first}: {limit}")
    if cutter.begun:
        yield Chunk("".join(cutter.held), cutter.first)


_NO_FIELD: Final = frozenset("[#\n\r\t ]{}\"',")
"""First characters of lines that may be something else than a field."""


class _Cutter:
    """The lines of a hand so far, and whether the last one ended a statement."""

    __slots__ = ("begun", "closed", "first", "held", "leading", "nesting", "several", "size")

    def __init__(self) -> None:
        self.held: list[str] = []
        self.first = 1
        self.size = 0
        self.several = False
        """whether hands have headers"""
        self.begun = False
        """whether the lines hold more than comments"""
        self.leading = 0
        """blank lines and comments at the end, from a blank line on: they go to the next hand"""
        self.closed = True
        self.nesting = _Nesting()

    def other(self, line: str, number: int) -> Chunk | None:
        """Hold a line that may not be a field; return the hand that it ends if it is a header."""
        done = None
        bare = line.lstrip()
        if self.closed and bare.startswith("[") and HEADER.match(line):
            if self.begun and self.several:
                done = self._cut(number)
            self.several = self.several or not self.begun
        self.held.append(line)
        self.size += len(line)
        if self.closed and not bare:
            self.leading += 1
        elif self.closed and bare.startswith("#"):
            self.leading += self.leading > 0 or not self.begun
        else:
            self.leading, self.begun = 0, True
            self.nest(line)
        return done

    def nest(self, line: str) -> None:
        """Track whether a line leaves a list or a text open."""
        if self.closed and line.endswith("]\n") and line.count("[") == 1 and line.count("]") == 1:
            return  # a list on one line, the common case: skip the slow scan
        nesting = self.nesting
        nesting.read(line)
        nesting.depth = max(nesting.depth, 0)
        self.closed = nesting.closed

    def _cut(self, number: int) -> Chunk:
        kept = len(self.held) - self.leading
        done = Chunk("".join(self.held[:kept]), self.first)
        rest = self.held[kept:]
        blank = next((place for place, line in enumerate(rest) if line.strip()), len(rest))
        self.held, self.first, self.size = rest[blank:], number - len(rest) + blank, 0
        self.begun = False
        return done


_LINE: Final = re.compile(
    r"""
    (?P<key>[A-Za-z0-9_-]+)[ ]=[ ](?:
        (?P<texts>\[(?:'[^'\x00-\x08\x0a-\x1f\x7f]*'(?:,[ ]'[^'\x00-\x08\x0a-\x1f\x7f]*')*)?\])
      | (?P<double>\[(?:"[^"\\\x00-\x08\x0a-\x1f\x7f]*"(?:,[ ]"[^"\\\x00-\x08\x0a-\x1f\x7f]*")*)?\])
      | (?P<numbers>\[(?:(?:0|[1-9][0-9]{0,17})(?:,[ ](?:0|[1-9][0-9]{0,17}))*)\])
      | (?P<decimals>\[-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?
          (?:,[ ]-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?)*\])
      | '(?P<text>[^'\x00-\x08\x0a-\x1f\x7f]*)'
      | (?P<number>0|[1-9][0-9]{0,17})
      | (?P<decimal>(?:0|[1-9][0-9]{0,17})\.[0-9]{1,18})
      | (?P<truth>true|false)
    )
    """,
    re.VERBOSE,
)


def _numbers(text: str) -> list[int]:
    return list(map(int, text[1:-1].split(", ")))


def _decimals(text: str) -> list[Decimal | int]:
    return [Decimal(one) if "." in one else int(one) for one in text[1:-1].split(", ")]


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "texts": lambda text: text[2:-2].split("', '") if len(text) > 2 else [],
    "double": lambda text: text[2:-2].split('", "') if len(text) > 2 else [],
    "numbers": _numbers,
    "decimals": _decimals,
    "text": str,
    "number": int,
    "decimal": Decimal,
    "truth": "true".__eq__,
}


_NEW_IN_EACH_HAND: Final = ("actions", "finishing_stacks", "winnings", "hand", "time")


def plain_table(text: str) -> dict[str, Any] | None:
    """Return the fields of a hand without its header line; None if `tomllib` must read it."""
    table: dict[str, Any] = {}
    lines = text.split("\n")
    first = lines[0]
    if first.startswith("[") and first.endswith("]") and first[1:-1].isdecimal() and first.isascii():
        lines[0] = ""
    for line in lines:
        if not line:
            continue
        found = _field(line) if line.startswith(_NEW_IN_EACH_HAND) else _field_again(line)
        if found is None or found[0] in table:
            return None
        key, held = found
        table[key] = held.copy() if type(held) is list else held  # a list may come from the cache below
    return table


def _field(line: str) -> tuple[str, Any] | None:
    """Return the key and value of a line; None if `tomllib` must read it."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    kind = found.lastgroup
    assert kind is not None
    return found["key"], _READERS[kind](found[kind])


_field_again: Final = lru_cache(maxsize=1024)(_field)
"""Cached, since most lines of a hand recur in the next: the game, the blinds, the players."""
