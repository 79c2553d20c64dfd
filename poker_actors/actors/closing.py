"""Shut tables: deal no more hands, and finish or stop those being played, within one time limit."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from poker_actors.actors.hand.messages import DealtHand
from poker_actors.actors.runtime import Runtime
from poker_actors.actors.table.face import Table
from poker_actors.actors.table.messages import Shut
from poker_actors.errors import AskTimeout, RoomError

__all__ = ["shut_tables"]

_log: Final = logging.getLogger("poker_actors.room")


def shut_tables(runtime: Runtime, tables: Sequence[Table], finish: float, end: float, *, keep: bool) -> None:
    """Stop dealing, wait for hands until `finish`, then stop the rest, all before `end`.

    Both are times on the runtime's clock. With `keep`, stopped hands stay in the journal, to be continued.
    """
    left = _each(runtime, Shut(void=False), tables, end)
    if finish > runtime.now():
        left = [(table, live) for table, live in left if not _is_over(runtime, live, finish)]
    for _, live in _each(runtime, Shut(void=True, keep=keep), [table for table, _ in left], end):
        _is_over(runtime, live, end)


def _each(
    runtime: Runtime, command: Shut, tables: Sequence[Table], end: float
) -> list[tuple[Table, DealtHand]]:
    """Ask all tables at once; return those with a hand being played, if they answer before `end`."""
    words = []
    for table in tables:
        word = runtime.word()
        table.address.ask_into(command, word)
        words.append((table, word))
    playing: list[tuple[Table, DealtHand]] = []
    for table, word in words:
        try:
            live = word.get(max(end - runtime.now(), 0.0), table.address.name)
        except Exception as error:  # noqa: BLE001  a table that crashes here must not keep the others open
            _log.warning("table %s did not shut cleanly: %s", table.name, error)
        else:
            playing += [] if live is None else [(table, live)]
    return playing


def _is_over(runtime: Runtime, live: DealtHand, end: float) -> bool:
    """Wait for a hand until `end`; return whether it is over, or left to the journal."""
    try:
        live.result.get(max(end - runtime.now(), 0.0), live.hand_id)
    except AskTimeout:
        return False
    except RoomError:
        pass  # it will not be booked in this process
    return True
