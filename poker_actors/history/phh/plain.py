"""A quick way through the TOML that hand histories are mostly made of.

One `key = value` a line, values of texts without escapes, whole numbers, decimals, or lists of
these. For any other text it gives up, and the library reads it: seven times slower, and the
judge of what is correct. A property test holds the two together.
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
_SINGLE: Final = re.compile("'([^']*)'")
_DOUBLE: Final = re.compile('"([^"]*)"')


@lru_cache(maxsize=1024)
def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text[1:-1].split(", ")))


def _decimals(text: str) -> list[Decimal | int]:
    return [Decimal(one) if "." in one else int(one) for one in text[1:-1].split(", ")]


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "texts": _SINGLE.findall,
    "double": _DOUBLE.findall,
    "numbers": lambda text: list(_numbers(text)),
    "decimals": _decimals,
    "text": str,
    "number": int,
    "decimal": Decimal,
    "truth": "true".__eq__,
}


def plain_table(text: str) -> dict[str, Any] | None:
    """Give the fields of a hand, a header line on top left out; None when the library must read it."""
    table: dict[str, Any] = {}
    match = _LINE.fullmatch
    lines = text.split("\n")
    first = lines[0]
    if first.startswith("[") and first.endswith("]") and first[1:-1].isdecimal() and first.isascii():
        lines[0] = ""
    for line in lines:
        if not line:
            continue
        found = match(line)
        if found is None:
            return None
        key = found["key"]
        kind = found.lastgroup
        if key in table or kind is None or kind == "key":
            return None
        table[key] = _READERS[kind](found[kind])
    return table
