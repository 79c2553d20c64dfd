"""A journal: what opening says, what follows a snapshot, who is told what when writing fails, and what an interrupt leaves."""

from __future__ import annotations

import dis
import gc
import itertools
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import attrs
import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store import Booked, Journal, MemoryStorage, Noted, open_journal
from poker_actors.store.journal import Row, Snapshot, Stored, journal
from poker_actors.store.journal.record import chained
from tests.actors.postgres_server import PostgresServer


class Storage(MemoryStorage):
    """A storage that fails while `why` is not empty, counts its snapshots, and may be found torn."""

    def __init__(self) -> None:
        super().__init__()
        self.why = ""
        self.no_snapshots = ""
        self.compacted = 0
        self.torn = ""

    def load(self) -> Stored:
        return attrs.evolve(super().load(), torn=self.torn)

    def write(self, rows: Sequence[Row], after: int) -> None:
        if self.why:
            raise StorageFailed(self.why)
        super().write(rows, after)

    def compact(self, snapshot: Snapshot, version: int) -> None:
        if self.no_snapshots:
            raise StorageFailed(self.no_snapshots)
        self.compacted += 1
        super().compact(snapshot, version)


@pytest.fixture
def storage() -> Storage:
    return Storage()


def noted(journal: Journal, *values: str) -> None:
    """Append a record for each value."""
    for value in values:
        journal.append(Noted("note", value))


def test_records_after_a_snapshot_are_chained_to_it(storage: Storage) -> None:
    journal = open_journal(storage)
    noted(journal, "1", "2")
    journal.close()
    assert storage.snapshot is not None
    noted(open_journal(storage), "3")  # and the process dies
    again = open_journal(storage)
    assert again.look(lambda image: image.notes) == {"note": "3"}
    assert (again.replayed.snapshot, again.replayed.records, again.replayed.last) == (2, 1, 3)


def test_without_a_snapshot_replaying_begins_at_0(storage: Storage) -> None:
    noted(open_journal(storage), "1", "2")
    replayed = open_journal(storage).replayed
    assert (replayed.name, replayed.snapshot, replayed.records, replayed.last) == ("memory", 0, 2, 2)


def test_what_is_damaged_is_said_with_the_journals_name(storage: Storage) -> None:
    noted(open_journal(storage), "1", "2")
    sound = storage.rows[1]
    kind = "a kind of twenty-six letters"
    storage.rows[1] = attrs.evolve(sound, kind=kind)
    with pytest.raises(BadJournal) as damage:
        open_journal(storage)
    assert str(damage.value) == f"memory: record 2 ({kind[:20]}) is damaged: its checksum differs"


def test_a_record_that_cannot_follow_is_said_with_its_number(storage: Storage) -> None:
    noted(open_journal(storage), "1")
    text = '{"player":"zoe"}'
    storage.rows.append(Row(2, "gone", text, chained(storage.rows[0].checksum, 2, "gone", text)))
    with pytest.raises(BadJournal, match=r"^memory: record 2: "):
        open_journal(storage)


def test_a_torn_end_is_warned_about_with_name_number_and_what_was_cut_off(
    storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    noted(open_journal(storage), "1", "2")
    storage.torn = "17 bytes"
    assert open_journal(storage).replayed.torn == "17 bytes"
    assert caplog.messages == ["memory ends with record 2: cut off 17 bytes"]


def test_a_journal_opened_again_takes_the_place_of_the_one_before(storage: Storage) -> None:
    before = open_journal(storage)
    noted(before, "1")
    after = before.again()
    with pytest.raises(StorageFailed, match=r"^memory has been reopened$"):
        noted(before, "lost")
    noted(after, "2")
    before.close()
    assert storage.compacted == 0, "a journal that has been replaced knows nothing of what came after it"
    after.close()
    assert storage.compacted == 1
    assert open_journal(storage).look(lambda image: image.notes) == {"note": "2"}


def test_closing_makes_a_snapshot_only_of_what_is_new(storage: Storage) -> None:
    journal = open_journal(storage)
    journal.close()
    assert storage.compacted == 0
    journal = open_journal(storage)
    noted(journal, "1")
    journal.close()
    open_journal(storage).close()
    assert storage.compacted == 1


def test_a_journal_that_could_not_write_behind_makes_no_snapshot_at_the_end(storage: Storage) -> None:
    journal = open_journal(storage, behind=True)
    noted(journal, "1")
    storage.why = "the disk is full"
    noted(journal, "2")
    with pytest.raises(StorageFailed, match="the disk is full"):
        journal.wait()
    journal.close()
    assert storage.compacted == 0


def test_before_its_first_record_a_journal_that_writes_behind_fails_at_once(storage: Storage) -> None:
    journal = open_journal(storage, behind=True)
    storage.why = "the disk is full"
    with journal.together():
        pass
    with pytest.raises(StorageFailed, match="the disk is full"):
        noted(journal, "1")
    assert (journal.appended, journal.failed) == (0, None)
    storage.why = ""
    noted(journal, "1")
    journal.wait()
    assert journal.durable == 1
    journal.close()


def test_a_snapshot_that_fails_is_a_warning_and_made_later(
    storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    journal = open_journal(storage, snapshot_every=4)
    storage.no_snapshots = "the disk is full"
    noted(journal, *"1234")
    assert caplog.messages == ["no snapshot at record 4: the disk is full"]
    storage.no_snapshots = ""
    noted(journal, "5")
    assert storage.compacted == 1


class Slow(Storage):
    """A storage whose first write waits until it is let go; with `crash`, all others have a bug."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.crash = False

    def write(self, rows: Sequence[Row], after: int) -> None:
        if not self.begun.is_set():
            self.begun.set()
            assert self.go_on.wait(60)
            MemoryStorage.write(self, rows, after)
        elif self.crash:
            raise RuntimeError("a bug in the storage")
        else:
            super().write(rows, after)


def told_in_line(journal: Journal, storage: Slow) -> list[str]:
    """Have one thread write and two more wait in line; return what those two are told if it fails."""
    told: list[str] = []

    def append(number: int) -> None:
        try:
            noted(journal, str(number))
        except (RuntimeError, StorageFailed) as error:
            told.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=append, args=(number,)) for number in range(3)]
    threads[0].start()
    assert storage.begun.wait(60)
    for thread in threads[1:]:
        thread.start()
    while len(journal._line) < 2:
        pass
    storage.go_on.set()
    for thread in threads:
        thread.join(60)
    return sorted(told)


def test_of_a_writer_that_crashes_the_others_in_line_are_told() -> None:
    storage = Slow()
    storage.crash = True
    assert told_in_line(open_journal(storage), storage) == [
        "RuntimeError: a bug in the storage",
        "StorageFailed: the thread that wrote for this command has crashed",
    ]


def test_all_in_line_are_told_why_nothing_was_written(caplog: pytest.LogCaptureFixture) -> None:
    storage = Slow()
    storage.why = "the disk is full"
    assert told_in_line(open_journal(storage), storage) == ["StorageFailed: the disk is full"] * 2
    assert caplog.messages == ["nothing is written: the disk is full"]


def test_who_waited_while_another_began_to_write_behind_is_written_behind() -> None:
    storage = Slow()
    journal = open_journal(storage, behind=True)
    assert told_in_line(journal, storage) == []
    journal.wait()
    assert len(storage.rows) == 3
    journal.close()


STORE = str(Path(journal.__file__).parent.parent)
TWO = (Noted("note", "2"), Booked({"mint": -2, "bank/ada": 2}, ""))
LOOKED_AT = ("CALL", "RESUME", "JUMP_BACKWARD", "POP_JUMP_BACKWARD")
"""Instructions at whose end CPython looks whether a signal has come."""


def interrupted(call: Callable[[], None], after: int) -> bool:
    """Call, with a Ctrl-C after so many of the store's instructions that look for one; return whether one came."""
    left = itertools.count(after, -1)
    last: dict[FrameType, str] = {}

    def enter(frame: FrameType, what: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(STORE):
            return None
        frame.f_trace_opcodes = True
        if what == "opcode":
            if last.get(frame, "").startswith(LOOKED_AT) and next(left) == 0:
                raise KeyboardInterrupt
            last[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
        return enter

    before = sys.gettrace()
    gc.disable()  # it might free what an earlier test has left
    sys.settrace(enter)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
        gc.enable()
    return False


def goes_on_after_an_interrupt(place: Any, every: int, after: int) -> bool:
    """Interrupt a write, write once more, and compare with what another process finds; false past its end."""
    one = open_journal(place, snapshot_every=every)
    ledger = one.look(lambda image: image.ledger)
    noted(one, "1")
    came = interrupted(lambda: one.append(*TWO), after)
    noted(one, "3")
    seen = one.look(lambda image: image.to_json())
    balances = ledger.balances()
    one._storage.close()  # it dies
    found = open_journal(place)
    assert found.look(lambda image: image.to_json()) == seen
    assert found.look(lambda image: image.ledger.balances()) == balances, "who holds the ledger sees the same"
    assert balances in ([{}, {"mint": -2, "bank/ada": 2}] if came else [{"mint": -2, "bank/ada": 2}])
    assert found.replayed.last == (4 if balances else 2)
    found._storage.close()
    return came


@pytest.mark.parametrize("every", [1, 4_000], ids=["with a snapshot", "without"])
def test_an_interrupt_anywhere_in_a_write_leaves_it_whole_or_not_at_all(tmp_path: Path, every: int) -> None:
    for place in (lambda _: MemoryStorage(), lambda after: tmp_path / str(after)):
        tried = itertools.count()
        while goes_on_after_an_interrupt(place(after := next(tried)), every, after):
            pass
        assert after > 40


@pytest.fixture
def schemas(postgres_server: PostgresServer) -> Callable[[int], str]:
    """Names a new database for each number."""
    return lambda number: postgres_server.url(f"interrupted_{number}")


def test_an_interrupt_in_postgresql_leaves_a_write_whole_or_not_at_all(schemas: Callable[[int], str]) -> None:
    tried = itertools.count()
    while goes_on_after_an_interrupt(schemas(after := next(tried)), 1, after):
        pass
    assert after > 40


def test_an_interrupt_while_writing_behind_leaves_a_write_whole_or_a_journal_to_be_opened_again() -> None:
    came, after = True, 0
    while came:
        storage = MemoryStorage()
        one = open_journal(storage, behind=True)
        noted(one, "1")
        came = interrupted(lambda one=one: one.append(*TWO), after)  # type: ignore[misc]
        try:
            noted(one, "3")
            one.wait()
        except StorageFailed:
            one = one.again()
            noted(one, "3")
            one.wait()
        found = open_journal(storage)
        assert found.look(lambda image: image.to_json()) == one.look(lambda image: image.to_json())
        assert found.replayed.last in ((2, 4) if came else (4,))
        one.close()
        after += 1
    assert after > 40


class Busy(MemoryStorage):
    """A storage in whose next write as many threads as it has line up."""

    journal: Journal
    threads: Sequence[threading.Thread] = ()

    def write(self, rows: Sequence[Row], after: int) -> None:
        threads, self.threads = self.threads, ()
        for thread in threads:
            thread.start()
        while len(self.journal._line) < len(threads):
            pass
        super().write(rows, after)


def test_whoever_is_in_line_behind_an_interrupted_write_is_served() -> None:
    came, after = True, 0
    while came:
        storage = Busy()
        storage.journal = one = open_journal(storage)
        threads = [threading.Thread(target=noted, args=(one, number), daemon=True) for number in "013"]
        storage.threads = threads
        came = interrupted(lambda one=one: one.append(*TWO), after)  # type: ignore[misc]
        for thread in threads if not storage.threads else ():
            thread.join(60)
            assert not thread.is_alive()
        assert len(storage.rows) in ((0, 3, 5) if came else (5,))
        after += 1
    assert after > 40


def test_who_gives_up_in_line_leaves_the_lead_to_the_next() -> None:
    storage = Slow()
    one = open_journal(storage)
    first, last = (threading.Thread(target=noted, args=(one, name)) for name in ("first", "last"))
    first.start()
    assert storage.begun.wait(60)

    with pytest.MonkeyPatch.context() as patch:

        def give_up(ticket: Any) -> bool:
            patch.undo()
            last.start()
            while len(one._line) < 2:
                pass
            raise KeyboardInterrupt

        patch.setattr(journal._Ticket, "wait", give_up)
        with pytest.raises(KeyboardInterrupt):
            noted(one, "given up")
    storage.go_on.set()
    first.join(60)
    last.join(60)
    assert one.look(lambda image: image.notes) == {"note": "last"}
    assert len(storage.rows) == 2
