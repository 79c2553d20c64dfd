"""A fast reader for the subset of TOML that most hand histories use.

One `key = value` a line; the values are texts without escapes, whole numbers, decimals or lists of
these. It gives up on any other text, which `tomllib` then reads: seven times slower, and
authoritative for what is valid. A property test checks that both read the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

__all__ = ["plain_table"]

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
