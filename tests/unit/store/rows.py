"""Records that are told apart at a glance, for tests of storages."""

from __future__ import annotations

from poker_actors.store.journal import Row

__all__ = ["row"]


def row(seq: int, text: str = "") -> Row:
    """Give a record with that number; `text` tells two with the same number apart."""
    return Row(seq, "note", f'{{"key":"{text}"}}', f"{seq}{text}".encode())
