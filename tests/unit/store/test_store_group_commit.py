"""Many who append at once share a write, and none of them waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store import Booked, MemoryStorage, RoomOpened, open_journal
from poker_actors.store.journal import Row


class SlowStorage(MemoryStorage):
    """A storage whose first write waits until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.sizes: list[int] = []
        self.crash = False

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.sizes.append(len(rows))
        if len(self.sizes) == 1:
            self.begun.set()
            assert self.go_on.wait(10)
        if self.crash:
            raise RuntimeError("a bug in the storage")
        super().write(rows, after)


def appending(storage: SlowStorage, count: int, wrong: int = -1) -> list[BaseException]:
    """Have one append wait in its write and `count` more in line, let them go, and give what was raised.

    The one numbered `wrong` cannot be booked.
    """
    journal = open_journal(storage)
    raised: list[BaseException] = []

    def append(number: int) -> None:
        try:
            journal.append(Booked({"mint": -1, f"bank/p{number}": 2 if number == wrong else 1}, ""))
        except (BadJournal, RuntimeError, StorageFailed) as error:
            raised.append(error)

    threads = [threading.Thread(target=append, args=(number,)) for number in range(count + 1)]
    threads[0].start()
    assert storage.begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(journal._line) < count:
        pass
    storage.go_on.set()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    storage.crash = False
    journal.append(RoomOpened(1))
    return raised


@pytest.mark.parametrize("count", [1, 5, 20])
def test_all_who_wait_during_a_write_are_in_the_next_one(count: int) -> None:
    storage = SlowStorage()
    assert appending(storage, count) == []
    assert storage.sizes == [1, count, 1]
    assert [row.seq for row in storage.rows] == list(range(1, count + 3))


def test_a_writer_that_crashes_leaves_nobody_waiting_and_the_journal_goes_on() -> None:
    storage = SlowStorage()
    storage.crash = True
    raised = appending(storage, 5)
    assert sorted(type(error).__name__ for error in raised) == ["RuntimeError"] * 2 + ["StorageFailed"] * 4
    assert [row.kind for row in storage.rows] == ["room"]


@pytest.mark.parametrize("behind", [False, True])
def test_nothing_to_write_writes_nothing_and_raises_nothing(behind: bool) -> None:
    storage = MemoryStorage()
    journal = open_journal(storage, behind=behind)
    journal.append()
    assert journal.appended == 0
    journal.append(RoomOpened(1))
    journal.append()
    journal.wait()
    assert (journal.appended, journal.durable) == (1, 1)
    journal.close()


def test_what_cannot_be_is_refused_alone_and_the_others_in_line_are_written() -> None:
    storage = SlowStorage()
    raised = appending(storage, 5, wrong=3)
    assert [type(one) for one in raised] == [BadJournal]
    assert storage.sizes == [1, 4, 1]
    balances = open_journal(storage).look(lambda image: image.ledger.balances())
    assert balances == {"mint": -5, **{f"bank/p{number}": 1 for number in range(6) if number != 3}}
