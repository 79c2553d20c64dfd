"""The thread that writes behind, by itself: in which order it stores, what becomes of what fails, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from poker_actors.errors import StorageFailed
from poker_actors.store import MemoryStorage, Noted, RoomImage
from poker_actors.store.journal import Row, Snapshot
from poker_actors.store.journal import behind as module
from poker_actors.store.journal.behind import Due, Queued, WriteBehind
from poker_actors.store.journal.record import FORMAT, GENESIS, sealed
from tests.unit.store.rows import row

SECONDS = 30


class Watched(MemoryStorage):
    """Notes what it is asked to write, waits at its gate, and fails as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[list[int], int]] = []
        self.versions: list[tuple[Snapshot, int]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.inside = threading.Semaphore(0)
        self.error: BaseException | None = None

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.asked.append(([one.seq for one in rows], after))
        self.inside.release()
        assert self.gate.wait(SECONDS)
        if self.error is not None:
            raise self.error

    def compact(self, snapshot: Snapshot, version: int) -> None:
        self.versions.append((snapshot, version))


class Behind:
    """A writer with what it tells of itself, begun after record 4."""

    def __init__(self, every: int = 1000) -> None:
        self.storage = Watched()
        self.told: list[tuple[int, bytes, list[str], str]] = []
        self.writer = WriteBehind(self.storage, RoomImage(), 4, GENESIS, Due(every), self._tell)

    def _tell(self) -> None:
        writer = self.writer
        self.told.append((writer.seq, writer.chain, list(writer.image.notes), str(writer.failure or "")))


@pytest.fixture
def behind() -> Iterator[Behind]:
    made = Behind()
    yield made
    made.storage.gate.set()
    made.writer.close()


def entries(*numbers: int) -> list[Queued]:
    return [(Noted(f"note {number}", "x"), row(number)) for number in numbers]


def test_what_is_put_is_written_in_order_after_what_was_there_and_told_once_a_batch(behind: Behind) -> None:
    behind.storage.gate.clear()
    behind.writer.put(entries(5, 6))
    assert behind.storage.inside.acquire(timeout=SECONDS)
    behind.writer.put(entries(7))
    behind.writer.put(entries(8, 9))
    assert (behind.writer.seq, behind.told) == (4, [])
    behind.storage.gate.set()
    behind.writer.wait(9)
    behind.writer.close()
    assert behind.storage.asked == [([5, 6], 4), ([7, 8, 9], 6)]
    notes = [f"note {number}" for number in range(5, 10)]
    assert behind.told == [(6, b"6", notes[:2], ""), (9, b"9", notes, "")]


def test_the_thread_has_a_name_and_keeps_no_process_alive(behind: Behind) -> None:
    (thread,) = [one for one in threading.enumerate() if one.name == "journal"]
    assert thread.daemon is True
    behind.writer.close()
    assert not thread.is_alive()


def test_what_is_closed_writes_what_is_queued_and_takes_nothing_more(behind: Behind) -> None:
    behind.storage.gate.clear()
    behind.writer.put(entries(5))
    assert behind.storage.inside.acquire(timeout=SECONDS)
    behind.writer.put(entries(6))
    behind.storage.gate.set()
    behind.writer.close()
    assert (behind.writer.seq, behind.writer.failure) == (6, None)
    with pytest.raises(StorageFailed, match=r"^the journal is closed$"):
        behind.writer.put(entries(7))
    assert behind.writer.seq == 6
    behind.writer.close()


def test_a_failure_reaches_who_waits_who_asks_and_who_puts_and_what_was_queued_is_gone(
    behind: Behind,
) -> None:
    behind.writer.put(entries(5))
    behind.writer.wait(5)
    behind.storage.gate.clear()
    behind.storage.error = StorageFailed("no space is left")
    behind.storage.inside.acquire()
    behind.writer.put(entries(6))
    assert behind.storage.inside.acquire(timeout=SECONDS)
    behind.writer.put(entries(7))
    behind.storage.gate.set()
    refusals: list[Callable[[], None]] = [
        lambda: behind.writer.wait(6),
        lambda: behind.writer.wait(7),
        behind.writer.check_open,
        lambda: behind.writer.put(entries(8)),
    ]
    for refused in refusals:
        with pytest.raises(StorageFailed, match=r"^no space is left$"):
            refused()
    behind.writer.wait(5)  # what is durable stays so
    behind.writer.close()
    assert behind.storage.asked == [([5], 4), ([6], 5)]
    assert behind.told == [(5, b"5", ["note 5"], ""), (5, b"5", ["note 5"], "no space is left")]


def test_a_crash_is_told_as_one(behind: Behind) -> None:
    behind.storage.error = ZeroDivisionError("by nothing")
    behind.writer.put(entries(5))
    with pytest.raises(StorageFailed, match=r"^writing has crashed: ZeroDivisionError: by nothing$"):
        behind.writer.wait(5)
    behind.writer.close()
    assert behind.told == [(4, GENESIS, [], "writing has crashed: ZeroDivisionError: by nothing")]


def test_who_dooms_it_has_what_is_queued_written_first(behind: Behind) -> None:
    behind.storage.gate.clear()
    behind.writer.put(entries(5))
    assert behind.storage.inside.acquire(timeout=SECONDS)
    behind.writer.put(entries(6))
    behind.writer.doom(ValueError("the image is spoilt"))
    with pytest.raises(StorageFailed, match=r"^the image is spoilt$"):
        behind.writer.put(entries(7))
    behind.storage.gate.set()
    behind.writer.wait(6)
    behind.writer.close()
    assert str(behind.writer.failure) == "writing has crashed: ValueError: the image is spoilt"
    assert [numbers for numbers, _ in behind.storage.asked] == [[5], [6]]


def test_an_idle_writer_that_is_doomed_fails_at_once(behind: Behind) -> None:
    behind.writer.doom(StorageFailed("enough"))
    with pytest.raises(StorageFailed, match=r"^enough$"):
        behind.writer.wait(5)
    assert behind.storage.asked == []


def test_who_puts_into_a_full_queue_waits_until_there_is_room(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_QUEUED", 2)
    behind.storage.gate.clear()
    behind.writer.put(entries(5))
    assert behind.storage.inside.acquire(timeout=SECONDS)
    behind.writer.put(entries(6))
    behind.writer.put(entries(7))
    waited: list[bool] = []
    wait_for = behind.writer._changed.wait_for

    def noted(done, timeout=None):  # type: ignore[no-untyped-def]  # as the condition's own
        waited.append(done())
        behind.storage.gate.set()
        return wait_for(done, timeout)

    monkeypatch.setattr(behind.writer._changed, "wait_for", noted)
    behind.writer.put(entries(8))
    assert waited[0] is False
    behind.writer.wait(8)
    assert behind.storage.asked[:2] == [([5], 4), ([6, 7], 5)]


def test_a_snapshot_is_of_what_is_durable_with_its_number_and_the_format() -> None:
    made = Behind(every=2)
    made.writer.put(entries(5))
    made.writer.wait(5)
    made.writer.put(entries(6))
    made.writer.close()
    assert made.storage.versions == [(sealed(6, b"6", made.writer.image.to_json()), FORMAT)]


def test_a_snapshot_is_due_after_enough_records_as_long_as_the_last_one() -> None:
    due = Due(4)
    assert [due.count([row(1), row(2), row(3)]), due.count([row(4)])] == [False, True]
    assert due.records == 4
    due.made(Snapshot(4, b"", "x" * (4 * len(row(1).payload)), b""))
    assert due.records == 0
    assert due.count([row(1), row(2), row(3)]) is False
    assert due.count([row(4)]) is True, "as long as the last one"
    due.put_off()
    assert due.records == 3
    due.made(Snapshot(8, b"", "x" * (4 * len(row(1).payload) + 1), b""))
    assert due.count([row(1), row(2), row(3), row(4)]) is False, "a character shorter"
    assert due.count([row(5)]) is True
