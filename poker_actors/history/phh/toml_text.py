"""Write values as TOML text: the part of the language that hand histories use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Final

from poker_actors.errors import BadHistory

__all__ = ["key_text", "string_text", "value_text"]

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_NOT_LITERAL: Final = re.compile(r"['\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_ESCAPED: Final = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff]')
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def key_text(key: str) -> str:
    """Return a key, quoted if needed."""
    return key if _BARE_KEY.fullmatch(key) else string_text(key)


def string_text(text: str) -> str:
    """Return a string in single quotes, or with escapes in double ones.

    Raises `BadHistory` for a lone surrogate, which TOML cannot hold.
    """
    if _NOT_LITERAL.search(text) is None:
        return f"'{text}'"
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    mark = found[0]
    if ord(mark) >= 0xD800:
        raise BadHistory(f"the text holds {mark!r}, which is not a character")
    return _SHORT.get(mark) or f"\\u{ord(mark):04x}"


def value_text(found: object) -> str:
    """Return the value of a field as text; raise `BadHistory` for a type that TOML lacks."""
    match found:
        case bool():
            return "true" if found else "false"
        case str():
            return string_text(found)
        case int():
            return str(found)
        case Decimal() | float():
            return _number_text(Decimal(found) if isinstance(found, Decimal) else Decimal(repr(found)))
        case datetime() | date() | time():
            return found.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(value_text, found))}]"
        case Mapping():
            pairs = (f"{key_text(key)} = {value_text(one)}" for key, one in found.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            raise BadHistory(f"a {type(found).__name__} cannot be written as TOML")


def _number_text(number: Decimal) -> str:
    """Return a float with the digits it was read with."""
    if not number.is_finite():
        return {"Infinity": "inf", "-Infinity": "-inf"}.get(str(number), "nan")
    text = str(number).replace("E", "e")
    return text if "." in text or "e" in text else f"{text}.0"
