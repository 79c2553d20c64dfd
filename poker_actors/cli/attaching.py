"""`poker-actors debug --attach`: debug the recent messages of a table on a running server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from poker_actors.cli.operator_port import ask_operator
from poker_actors.errors import BadSpec, PokerError

if TYPE_CHECKING:
    from poker_actors.debug import Stepper

__all__ = ["Attachment"]


class Attachment:
    """A table of the server whose operator's port is `place`; `table` may be None if there is only one.

    Raises what `ask_operator` raises, and `BadSpec` if `table` is None and there is not exactly one table.
    """

    def __init__(self, place: str, table: str | None, data: str | None) -> None:
        self._place = place
        self._data = data
        self._table = self._only() if table is None else table
        self.lost: PokerError | None = None
        """why the last request to the server failed; None if it did not"""

    def open(self) -> Stepper:
        """Return a stepper at the end of the table's recent messages."""
        from poker_actors.debug import Stepper

        return Stepper.of_recording(self._recording(), self._recording)

    def _recording(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._ask(f"/recent/{quote(self._table, safe='')}")
        except PokerError as error:
            self.lost = error
            raise
        self.lost = None
        return found

    def _ask(self, path: str) -> Any:
        return ask_operator(self._place, "--attach", self._data, path)

    def _only(self) -> str:
        tables: list[str] = self._ask("/tables")
        if len(tables) != 1:
            there = ", ".join(tables[:20]) or "none yet"
            raise BadSpec(f"--attach {self._place}: say which --table it is; there are {there:.300}")
        return tables[0]
