"""Ask a running server at its operator's port, and debug the recent messages of its tables (`debug --attach`)."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from poker_actors.cli.reading import endpoint
from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json

if TYPE_CHECKING:
    from poker_actors.debug import Stepper

__all__ = [
    "Attachment",
    "ask_operator",
]


_SECONDS: Final = 30.0
"""Seconds allowed for one answer: the operator's commands write to the server's journal."""


def ask_operator(place: str, option: str, data: str | None, path: str, method: str = "GET") -> Any:
    """Ask at `place`, HOST:PORT as given by `option`; the secret is beside `data`, or in the environment.

    Raises `BadSpec` for a wrong secret, `TableRefusal` as the server refuses, `StorageFailed` for a server that is not there.
    """
    from poker_actors.server.operator import operator_secret

    host, port = endpoint(place, option)
    secret, _ = operator_secret(data, make=False)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request(method, path, headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise StorageFailed(f"{place}: {why.lower()}") from error
    finally:
        connection.close()
    if answer.status == 200:
        return parse_json(text)
    if text.startswith("{"):
        refused = parse_json(text)
        if answer.status in (404, 409):
            raise TableRefusal(refused["text"], code=refused["code"])
        text = refused["text"]
    raise BadSpec(f"{place} answers {answer.status}: {text.strip()[:200]}")


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
