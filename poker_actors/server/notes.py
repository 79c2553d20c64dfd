"""Keep the server's own data beside the room's facts: texts by key, in the room's journal."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store import Journal, Noted, RoomImage

T = TypeVar("T")

_log: Final = logging.getLogger("poker_actors.server")

_AT_ONCE: Final = 1_000
"""Notes forgotten in one write."""


class Notes:
    """Texts by key: durable once `put` returns if there is a journal, else kept until the process ends.

    With a write-behind journal a text is durable when the journal says so. Calls may come from any thread.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.journal: Final = journal
        self._kept = {} if journal is None else journal.look(lambda image: dict(image.notes))
        self._late: dict[str, str | None] = {}

    def put(self, key: str, text: str | None) -> None:
        """Keep `text` under `key`, or forget the key for None. Raises `StorageFailed`, with nothing changed."""
        self.put_all({key: text})

    def put_all(self, texts: Mapping[str, str | None]) -> None:
        """Keep or forget all of these texts in one write, all or none."""
        if self.journal is not None and texts:
            self.journal.append(*[Noted(key, text) for key, text in texts.items()])
        for key, text in texts.items():
            if text is None:
                self._kept.pop(key, None)
            else:
                self._kept[key] = text

    def keep(self, what: str, texts: Mapping[str, str | None]) -> None:
        """Keep these texts as well; if the journal fails, write them with the next call, so that they stay together."""
        self._late |= texts
        try:
            self.put_all(self._late)
        except StorageFailed as error:
            _log.warning("%s is kept in memory only: %s", what, error)
        else:
            self._late = {}

    def forget(self, keys: Iterable[str]) -> None:
        """Forget the texts under these keys, in batches; raises `StorageFailed`."""
        keys = set(keys)
        self._late = {key: text for key, text in self._late.items() if key not in keys}
        rest = [key for key in self._kept if key in keys]
        for at in range(0, len(rest), _AT_ONCE):
            some = rest[at : at + _AT_ONCE]
            if self.journal is not None:
                self.journal.append(*[Noted(key, None) for key in some])
            for key in some:
                del self._kept[key]

    def under(self, prefix: str) -> dict[str, str]:
        """Return all texts whose key begins with `prefix`, by the rest of the key, in insertion order."""
        return {key[len(prefix) :]: text for key, text in self._kept.items() if key.startswith(prefix)}

    def read(self, prefix: str, parse: Callable[[str, str], T]) -> dict[str, T]:
        """Return `parse(rest of the key, text)` of all texts under `prefix`; raises `StorageFailed`.

        A text that `parse` refuses, or cannot read, is set aside, so that the rest can be read.
        """
        found = {}
        for key, text in self.under(prefix).items():
            try:
                found[key] = parse(key, text)
            except BadJournal as error:
                self.set_aside(f"{prefix}{key}", error)
            except Exception as error:  # noqa: BLE001  whatever is wrong with one note, the others are read
                self.set_aside(f"{prefix}{key}", BadJournal(f"it cannot be read: {error!r:.80}"))
        return found

    def set_aside(self, key: str, why: BadJournal) -> None:
        """Move an unreadable text to a key under `SET_ASIDE`, and log it; raises `StorageFailed`."""
        kept, aside = self._kept[key], f"{RoomImage.SET_ASIDE}{key}"
        told = json.dumps({"why": str(why), "note": kept})
        if self.journal is not None:
            self.journal.append(Noted(aside, told), Noted(key, None))  # both or none
        self._kept[aside] = told
        del self._kept[key]
        _log.error("note %.60s is set aside: %s", key, why)

    @property
    def asides(self) -> list[str]:
        """Keys of texts set aside, including those set aside when the room started."""
        kept = self._kept if self.journal is None else self.journal.look(lambda image: dict(image.notes))
        return [key for key in kept if key.startswith(RoomImage.SET_ASIDE)]

    def __repr__(self) -> str:
        return f"<Notes: {len(self._kept)}>"
