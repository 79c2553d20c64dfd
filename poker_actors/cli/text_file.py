"""Read the text that a command takes from a file or stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from poker_actors.cli.json_target import STDOUT
from poker_actors.errors import BadSpec

__all__ = ["read_text"]


def read_text(place: str, most: int, what: str) -> str:
    """Return the text at `place`: the path of a file, or - for stdin.

    Raise `BadSpec` if it is not UTF-8 or has more than `most` bytes, as no `what` has; `OSError` if it cannot be read.
    """
    if place == STDOUT:
        raw = sys.stdin.buffer.read(most + 1)  # one byte too many shows that the text is too long
    else:
        with Path(place).open("rb") as file:
            raw = file.read(most + 1)
    if len(raw) > most:
        raise BadSpec(f"{place} has more than {most} bytes: it is no {what}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"{place} is no text in UTF-8: byte {raw[error.start]:#04x} at offset {error.start}"
        raise BadSpec(text) from None
