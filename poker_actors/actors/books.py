"""The books of a room: what a program around its tables, a server or a tournament, keeps with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from poker_actors.actors.bank.face import Bank
from poker_actors.actors.bank.messages import Book
from poker_actors.actors.recovery import last_hand
from poker_actors.actors.table.face import Table
from poker_actors.rules import Hand
from poker_actors.store import Journal, Noted

__all__ = ["Books"]


class Books:
    """Bookings and notes beside those of the tables, in the same ledger and journal; `Room.books`."""

    def __init__(
        self, bank: Bank, tables: Mapping[str, Table], journal: Journal | None, let_go: Callable[[], None]
    ) -> None:
        self._bank = bank
        self._tables = tables
        self._journal = journal
        self._let_go = let_go

    def book(self, deltas: Mapping[str, int], notes: Mapping[str, str]) -> None:
        """Make one balanced booking for a program around the tables, and keep `notes`, in one write.

        `deltas` are chips added to each account of the ledger, none at all for notes alone. Notes
        (key -> text) are kept in the journal, if there is one. Raises `TableRefusal` (`insufficient_funds`), `StorageFailed`.
        """
        facts = tuple(Noted(key, text) for key, text in notes.items())
        self._bank.ask(Book(deltas, facts=facts))

    def notes(self, prefix: str = "") -> dict[str, str]:
        """Return what `book` has kept under keys that begin with `prefix`, in the order kept."""
        if self._journal is None:
            return {}
        return self._journal.look(
            lambda image: {key: text for key, text in image.notes.items() if key.startswith(prefix)}
        )

    def last_hand(self, table: str) -> tuple[int, Hand | None] | None:
        """Return number and hand of what a table played last, from the journal; no hand if it is void.

        None while a hand is played, before the first one, and in a room without a journal.
        """
        if self._journal is None or table not in self._tables:
            return None
        config = self._tables[table].config
        return self._journal.look(lambda image: last_hand(image.tables[table], config))

    def abandon(self) -> None:
        """Abandon a room on a stepper as it is: nobody is stopped, told or paid, and nothing is written.

        For a room that will be opened again from its journal, which stays open.
        """
        self._let_go()
