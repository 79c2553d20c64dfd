"""A journal that writes behind: what is appended is seen at once, durable in batches, and gone if it cannot be written."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from poker_actors.errors import StorageFailed
from poker_actors.store import (
    Booked,
    Journal,
    MemoryStorage,
    Noted,
    RoomOpened,
    bank_account,
    house_account,
    open_journal,
)
from poker_actors.store.journal import Row, Snapshot, SQLiteStorage
from poker_actors.store.journal.record import FORMAT

SECONDS = 30


class GatedStorage(MemoryStorage):
    """Writes wait while the gate is shut."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.begun = threading.Semaphore(0)
        self.sizes: list[int] = []
        self.error: Exception | None = None
        self.snapshots = 0

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.begun.release()
        assert self.gate.wait(SECONDS)
        self.sizes.append(len(rows))
        if self.error is not None:
            raise self.error
        super().write(rows, after)

    def compact(self, snapshot: Snapshot, version: int) -> None:
        self.snapshots += 1
        super().compact(snapshot, version)


@pytest.fixture
def storage() -> GatedStorage:
    return GatedStorage()


@pytest.fixture
def journal(storage: GatedStorage) -> Iterator[Journal]:
    journal = open_journal(storage, behind=True)
    journal.append(RoomOpened(1))
    assert storage.begun.acquire(timeout=SECONDS)
    yield journal
    storage.gate.set()
    journal.close()


def note(number: int, text: str = "x") -> Noted:
    return Noted(f"note {number}", text)


def notes(journal: Journal) -> list[str]:
    return journal.look(lambda image: list(image.notes))


def test_the_first_record_is_waited_for_and_the_next_ones_are_not(
    storage: GatedStorage, journal: Journal
) -> None:
    assert (journal.appended, journal.durable) == (1, 1)
    storage.gate.clear()
    journal.append(note(1), note(2))
    assert notes(journal) == ["note 1", "note 2"]
    assert (journal.appended, journal.durable) == (3, 1)
    storage.gate.set()
    journal.wait()
    assert journal.durable == 3
    assert [row.seq for row in storage.rows] == [1, 2, 3]


def test_all_that_comes_during_a_write_is_in_the_next_one(storage: GatedStorage, journal: Journal) -> None:
    storage.gate.clear()
    journal.append(note(0))
    assert storage.begun.acquire(timeout=SECONDS)
    for number in range(1, 51):
        journal.append(note(number))
    storage.gate.set()
    journal.wait()
    assert storage.sizes == [1, 1, 50]


def test_what_belongs_together_is_not_queued_before_it_is_whole(
    storage: GatedStorage, journal: Journal
) -> None:
    writer = journal._writer
    assert writer is not None
    storage.gate.clear()
    with journal.together():
        journal.append(note(1))
        with journal.together():
            journal.append(note(2))
        assert writer._queue == []
        assert not storage.begun.acquire(blocking=False)
        journal.append(note(3))
    storage.gate.set()
    journal.wait()
    assert storage.sizes == [1, 3]


def test_progress_is_told_after_each_write_and_after_a_failure(
    storage: GatedStorage, journal: Journal
) -> None:
    told: list[tuple[int, bool]] = []
    heard = threading.Semaphore(0)

    def hear() -> None:
        told.append((journal.durable, journal.failed is not None))
        heard.release()

    journal.on_progress = hear
    journal.append(note(1))
    assert heard.acquire(timeout=SECONDS)
    storage.error = StorageFailed("memory: no space is left")
    journal.append(note(2))
    assert heard.acquire(timeout=SECONDS)
    assert told == [(2, False), (2, True)]
    with pytest.raises(StorageFailed, match="no space"):
        journal.wait()
    with pytest.raises(StorageFailed, match="no space"):
        journal.append(note(3))


@pytest.mark.parametrize("error", [StorageFailed("memory: no space is left"), RuntimeError("a bug")])
def test_what_was_durable_goes_on_and_what_failed_never_was(
    storage: GatedStorage, journal: Journal, error: Exception
) -> None:
    journal.append(note(1))
    journal.wait()
    storage.error = error
    journal.append(note(2))
    with pytest.raises(StorageFailed):
        journal.wait()
    again = journal.again()
    assert (notes(again), again.appended, again.durable) == (["note 1"], 2, 2)
    for _ in range(2):  # refused at once, and nothing has changed
        with pytest.raises((StorageFailed, RuntimeError)):
            again.append(note(3))
        assert (notes(again), again.failed) == (["note 1"], None)
    with pytest.raises(StorageFailed):
        journal.append(note(4))
    storage.error = None
    again.append(note(5))
    again.append(note(6))
    again.close()
    left = MemoryStorage()
    left.rows, left.snapshot = storage.rows, storage.snapshot
    assert notes(open_journal(left)) == ["note 1", "note 5", "note 6"]


def test_a_fact_that_cannot_be_spoils_the_room_and_not_the_journal(
    storage: GatedStorage, journal: Journal
) -> None:
    journal.append(note(1))
    with pytest.raises(Exception, match="impossible booking"):
        journal.append(note(2), Booked({"bank/ann": -1, "mint": 1}, ""))
    with pytest.raises(StorageFailed):
        journal.append(note(3))
    assert notes(journal) == ["note 1", "note 2"]
    assert notes(journal.again()) == ["note 1"]


def test_closing_writes_what_is_queued(storage: GatedStorage, journal: Journal) -> None:
    for number in range(10):
        journal.append(note(number))
    journal.close()
    left = MemoryStorage()
    left.rows, left.snapshot = storage.rows, storage.snapshot
    assert len(notes(open_journal(left))) == 10
    with pytest.raises(StorageFailed, match="closed"):
        journal.append(note(11))


def test_snapshots_are_of_what_is_durable_and_as_long_records_lie_between_them() -> None:
    storage = GatedStorage()
    journal = open_journal(storage, behind=True, snapshot_every=10)
    journal.append(RoomOpened(1))
    for number in range(400):
        journal.append(note(number, "x" * 100))
        journal.wait()
    assert storage.snapshot is not None
    assert 3 <= storage.snapshots <= 12, "each is twice as long as the one before it"
    assert len(storage.rows) + storage.snapshot.seq == 401
    journal.close()


@pytest.mark.parametrize(
    ("error", "words", "traced"),
    [
        (StorageFailed("memory: no space is left"), "memory: no space is left", False),
        (RuntimeError("a bug"), "writing has crashed: RuntimeError: a bug", True),
    ],
)
def test_a_write_that_fails_is_logged_once_with_a_traceback_where_it_is_a_bug(
    storage: GatedStorage,
    journal: Journal,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    words: str,
    traced: bool,
) -> None:
    storage.error = error
    journal.append(note(1))
    with pytest.raises(StorageFailed, match=words):
        journal.wait()
    (entry,) = caplog.records
    assert (entry.levelname, entry.getMessage()) == ("ERROR", f"nothing is written: {words}")
    assert bool(entry.exc_info) is traced


def test_a_snapshot_that_fails_is_logged_and_comes_again_a_quarter_later(
    storage: GatedStorage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def full(snapshot: Snapshot, version: int) -> None:
        tried.append(snapshot.seq)
        raise StorageFailed("memory: no space is left")

    monkeypatch.setattr(storage, "compact", full)
    journal = open_journal(storage, behind=True, snapshot_every=8)
    for number in range(15):
        journal.append(note(number) if number else RoomOpened(1))
        journal.wait()
    journal._storage.close()
    writer = journal._writer
    assert writer is not None
    writer.close()
    assert tried == [8, 10, 12, 14]
    assert caplog.messages == [f"no snapshot at record {seq}: memory: no space is left" for seq in tried]


def test_a_snapshot_made_behind_is_marked_with_the_format() -> None:
    storage = GatedStorage()
    versions: list[int] = []
    compact = storage.compact

    def noted(snapshot: Snapshot, version: int) -> None:
        versions.append(version)
        compact(snapshot, version)

    storage.compact = noted  # type: ignore[method-assign]
    journal = open_journal(storage, behind=True, snapshot_every=1)
    journal.append(RoomOpened(1))
    journal.close()
    assert set(versions) == {FORMAT}


def test_many_threads_may_append_while_one_writes(storage: GatedStorage, journal: Journal) -> None:
    def append(part: int) -> None:
        for number in range(100):
            journal.append(note(100 * part + number))

    threads = [threading.Thread(target=append, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    journal.wait()
    assert [row.seq for row in storage.rows] == list(range(1, 402))
    assert len(notes(journal)) == 400


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Journal]:
    """Opens a journal in a real store, which writes behind."""
    if request.param == "sqlite":
        return lambda: open_journal(tmp_path / "room.db", behind=True)
    url: str = request.getfixturevalue("postgres_server").url("behind")
    return lambda: open_journal(url, behind=True)


def test_real_stores_keep_batches_of_any_size(place: Callable[[], Journal]) -> None:
    journal = place()
    journal.append(RoomOpened(1))
    for batch in (1, 2, 199, 200, 201, 450):
        with journal.together():
            for number in range(batch):
                journal.append(note(number, f"'\\ \u2660 {batch}"))
        journal.wait()
    before = journal.look(lambda image: image.to_json())
    journal._storage.close()  # as a process that is killed leaves it
    again = place()
    assert again.look(lambda image: image.to_json()) == before
    assert again.replayed.records == 1 + 1 + 2 + 199 + 200 + 201 + 450
    again.close()
    writer = journal._writer
    assert writer is not None
    writer.close()


def test_what_a_disk_has_kept_of_a_write_that_failed_is_taken_away(tmp_path: Path) -> None:
    class Liar(SQLiteStorage):
        """Says that a write has failed that has not."""

        lies = False

        def write(self, rows: Sequence[Row], after: int) -> None:
            super().write(rows, after)
            if self.lies:
                self._unsure = True
                raise StorageFailed("the disk has gone away")

    storage = Liar(tmp_path / "room.db")
    journal = open_journal(storage, behind=True)
    journal.append(RoomOpened(1))
    storage.lies = True
    journal.append(note(1))
    with pytest.raises(StorageFailed):
        journal.wait()
    again = journal.again()
    storage.lies = False
    again.append(note(2))
    again.close()
    with_all = open_journal(tmp_path / "room.db")
    assert notes(with_all) == ["note 2"]
    with_all.close()


def test_a_snapshot_is_made_in_small_pieces_that_come_to_what_it_holds() -> None:
    """Whoever makes a snapshot keeps other threads from running for as long as one piece takes."""
    journal = open_journal(MemoryStorage())
    journal.append(RoomOpened(1), *[note(number, "x" * 200) for number in range(2_000)])
    journal.append(
        *[
            Booked({house_account("mint"): -1, bank_account(f"p{number}"): 1}, f"key {number}")
            for number in range(50)
        ]
    )
    pieces = journal.look(lambda image: list(image.pieces()))
    assert max(map(len, pieces)) < 1_000
    text = journal.look(lambda image: image.to_json())
    assert "".join(pieces) == text == json.dumps(json.loads(text), separators=(",", ":"))
