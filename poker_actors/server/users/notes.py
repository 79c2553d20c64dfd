"""Keep the server's own data beside the room's facts: texts by key, in the room's journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from poker_actors.store import Journal, Noted

__all__ = ["Notes"]

_AT_ONCE: Final = 1_000
"""Notes forgotten in one write."""


class Notes:
    """Texts by key: durable once `put` returns if there is a journal, else kept until the process ends.

    With a write-behind journal a text is durable when the journal says so. Calls may come from any thread.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.journal: Final = journal
        self._kept = {} if journal is None else journal.look(lambda image: dict(image.notes))

    def put(self, key: str, text: str | None) -> None:
        """Keep `text` under `key`, or forget the key for None. Raises `StorageFailed`, with nothing changed."""
        if self.journal is not None:
            self.journal.append(Noted(key, text))
        if text is None:
            self._kept.pop(key, None)
        else:
            self._kept[key] = text

    def forget(self, keys: Iterable[str]) -> None:
        """Forget the texts under these keys, in batches; raises `StorageFailed`."""
        rest = [key for key in keys if key in self._kept]
        for at in range(0, len(rest), _AT_ONCE):
            some = rest[at : at + _AT_ONCE]
            if self.journal is not None:
                self.journal.append(*[Noted(key, None) for key in some])
            for key in some:
                del self._kept[key]

    def under(self, prefix: str) -> dict[str, str]:
        """Return all texts whose key begins with `prefix`, by the rest of the key, in insertion order."""
        return {key[len(prefix) :]: text for key, text in self._kept.items() if key.startswith(prefix)}

    def __repr__(self) -> str:
        return f"<Notes: {len(self._kept)}>"
