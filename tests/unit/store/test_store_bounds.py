"""The edges of the journal's small parts: pages of a write-ahead file, patience with a server, a journal opened again."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from poker_actors.errors import StorageFailed
from poker_actors.store import MemoryStorage, Noted, open_journal
from poker_actors.store.journal import postgres, wal

SIZE = 512


def frame(page: int, fill: int) -> bytes:
    """A frame of a write-ahead file, with that page."""
    return page.to_bytes(4, "big") + bytes(20) + bytes([fill]) * SIZE


def test_frames_are_laid_over_their_pages_in_whatever_order_they_come() -> None:
    log = (
        bytes(8) + SIZE.to_bytes(4, "big") + bytes(20) + frame(4, 4) + frame(2, 2) + frame(1, 1) + frame(3, 3)
    )
    pages = [bytes([fill]) * SIZE for fill in range(5)]
    first = bytearray(pages[0])
    first[18:20] = b"\x01\x01"
    assert wal.overlaid(pages[0], log, 2) == bytes(first) + pages[2] + pages[0] + pages[4]
    last = bytearray(pages[1])
    last[18:20] = b"\x01\x01"
    assert wal.overlaid(pages[0], log, 4) == bytes(last) + pages[2] + pages[3] + pages[4]


def test_a_piece_with_both_salts_changed_is_older_and_a_shorter_one_is_ours() -> None:
    data, older = bytes(24), bytes(8) + b"saltsalt"
    assert wal._is_older(older, data)
    assert not wal._is_older(older[:15], data)
    assert not wal._is_older(bytes(8) + b"salt" + bytes(4), data)
    assert not wal._is_older(bytes(12) + b"salt", data)


def test_an_error_is_its_first_line_or_its_name() -> None:
    assert postgres._words(OSError(" gone\nfor good")) == "gone"
    assert postgres._words(KeyboardInterrupt()) == "KeyboardInterrupt"  # type: ignore[arg-type]  # any error


class Clock:
    """Time that passes by sleeping only."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_a_server_that_is_away_is_waited_for_once_and_then_asked_once_a_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Gone(Exception):
        pass

    info = SimpleNamespace(conninfo_to_dict=lambda _: {})
    monkeypatch.setitem(sys.modules, "psycopg", SimpleNamespace(Error=Gone, conninfo=info))
    clock = Clock()
    monkeypatch.setattr(postgres, "time", clock)
    storage = postgres.PostgresStorage("postgresql://")
    asked: list[float] = []

    def connected() -> Any:
        asked.append(clock.now)
        if clock.now < 200:
            raise Gone
        return None

    monkeypatch.setattr(storage, "_connected", connected)
    with pytest.raises(StorageFailed, match=r": Gone$"):
        storage._persist(lambda _: None)
    waits = len(clock.slept)
    assert clock.now >= 100 + postgres.PATIENCE > clock.now - postgres._PAUSE
    assert set(clock.slept) == {postgres._PAUSE}
    with pytest.raises(StorageFailed):
        storage._persist(lambda _: None)
    assert (len(clock.slept), len(asked)) == (waits, waits + 2)
    clock.now = 300
    storage._persist(lambda _: None)
    clock.now = 100
    with pytest.raises(StorageFailed):
        storage._persist(lambda _: None)
    assert len(clock.slept) == 2 * waits, "it has been there again"


def test_a_journal_opened_again_goes_on_as_it_was_opened() -> None:
    storage = MemoryStorage()
    journal = open_journal(storage, snapshot_every=2)
    again = journal.again()
    for number in range(3):
        again.append(Noted("note", str(number) * 5_000))  # longer than the snapshot before
    assert storage.snapshot is not None
    assert storage.snapshot.seq >= 2
    behind = open_journal(MemoryStorage(), behind=True).again()
    assert behind.behind is True
    behind.close()
