"""Records that are easily distinguished, for tests of storages."""

from __future__ import annotations

from poker_actors.store.journal import Row

__all__ = ["row"]


def row(seq: int, text: str = "") -> Row:
    """Return a record with number `seq`; `text` distinguishes two with the same number."""
    return Row(seq, "note", f'{{"key":"{text}"}}', f"{seq}{text}".encode())
