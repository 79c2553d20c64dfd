"""For programs around a room's tables: bookings and notes, where the chips are, how the actors do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from poker_actors.actors.bank import Bank, Book
from poker_actors.actors.recovery import last_hand
from poker_actors.actors.table.messages import Table
from poker_actors.rules import Hand
from poker_actors.store import Journal, Noted

__all__ = ["Audit", "Books", "Health"]


@attrs.frozen
class Audit:
    """Where the chips are. They are conserved if `minted` equals the sum of the rest."""

    minted: int
    """all chips in the room, lent ones included"""
    bank: int
    tables: int
    hands: int
    forfeit: int = 0
    """given up by players to the house"""
    rake: int = 0
    """taken out of pots by the house"""

    @property
    def conserved(self) -> bool:
        """Whether no chip has appeared or vanished."""
        return self.minted == self.bank + self.tables + self.hands + self.forfeit + self.rake


@attrs.frozen
class Health:
    """The health of a room: actors alive and down, restarts so far, messages waiting and dropped."""

    alive: tuple[str, ...]
    restarts: int
    failed: tuple[str, ...]
    waiting: int
    lost: int


class Books:
    """Bookings and notes in the same ledger and journal as the tables'; see `Room.books`."""

    def __init__(
        self, bank: Bank, tables: Mapping[str, Table], journal: Journal | None, let_go: Callable[[], None]
    ) -> None:
        self._bank = bank
        self._tables = tables
        self._journal = journal
        self._let_go = let_go

    def book(self, deltas: Mapping[str, int], notes: Mapping[str, str]) -> None:
        """Make one balanced booking and keep `notes`, in one write.

        `deltas` are chips added to each account of the ledger; empty for notes alone. Notes (key -> text)
        are kept in the journal, if there is one. Raises `TableRefusal` (`insufficient_funds`), `StorageFailed`.
        """
        facts = tuple(Noted(key, text) for key, text in notes.items())
        self._bank.ask(Book(deltas, facts=facts))

    def notes(self, prefix: str = "") -> dict[str, str]:
        """Return the notes whose keys begin with `prefix`, in the order kept."""
        if self._journal is None:
            return {}
        return self._journal.look(
            lambda image: {key: text for key, text in image.notes.items() if key.startswith(prefix)}
        )

    def last_hand(self, table: str) -> tuple[int, Hand | None] | None:
        """Return the number and the hand a table played last, from the journal; the hand is None if it is void.

        Returns None while a hand is being played, before the first one, and in a room without a journal.
        """
        if self._journal is None or table not in self._tables:
            return None
        config = self._tables[table].config
        return self._journal.look(lambda image: last_hand(image.tables[table], config))

    def abandon(self) -> None:
        """Abandon a room on a stepper as it is: nobody is stopped, told or paid, and nothing is written.

        This is for a room that will be opened again from its journal, which stays open.
        """
        self._let_go()
