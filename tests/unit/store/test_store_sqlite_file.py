"""A journal in a SQLite file: who may read it, what is wiped, and what damage to its bytes comes to."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.store import (
    ActionTaken,
    Booked,
    Fact,
    HandDealt,
    HandOver,
    Journal,
    RoomOpened,
    TableOpened,
    open_journal,
)

TABLE = TableOpened("main", 2, (1, 2, 0, 0, 0, 2), "holdem", None, 0, None, 0, True, 2)
CARDS = "AsKsQsJsTs9s8s7s6s"


def dealt(number: int) -> HandDealt:
    hand_id = f"main/hand-{number:09d}"
    return HandDealt("main", hand_id, number, 0, 0, 1, ("ann", "bob"), (50, 50), CARDS, "cd" * 32)


def taken(seq: int) -> ActionTaken:
    return ActionTaken("main/hand-000000000", seq, 16 + seq)


FACTS: list[Fact] = [
    RoomOpened(7),
    TABLE,
    Booked({"mint": -100, "escrow/main/hand-000000000/ann": 50, "escrow/main/hand-000000000/bob": 50}, ""),
    dealt(0),
    *[taken(seq) for seq in range(12)],
]
LAST = 3
"""Records the cuts go through."""


def text_of(journal: Journal) -> str:
    return journal.look(lambda image: image.to_json())


class Killed:
    """Copies of a journal's files as a process killed after each record would leave them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "room.db"
        self.wal = folder / "room.db-wal"
        journal = open_journal(self.path)
        self.texts = [text_of(journal)]
        self.sizes = [self.wal.stat().st_size]
        for fact in FACTS:
            journal.append(fact)
            self.texts.append(text_of(journal))
            self.sizes.append(self.wal.stat().st_size)
        self.database = self.path.read_bytes()
        self.log = self.wal.read_bytes()
        journal._storage.close()

    def open(self, log: bytes, database: bytes | None = None) -> tuple[str, str]:
        """Open such files; gives what they come to and what was cut off."""
        self.path.write_bytes(self.database if database is None else database)
        self.wal.write_bytes(log)
        journal = open_journal(self.path)
        text, torn = text_of(journal), journal.replayed.torn
        journal._storage.close()
        self.wal.unlink(missing_ok=True)
        return text, torn


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    # in memory where there is such a place: these tests write thousands of files
    place = Path("/dev/shm")
    folder = place / f"poker-actors-{os.getpid()}" if os.access(place, os.W_OK) else tmp_path / "killed"
    folder.mkdir()
    yield Killed(folder)
    shutil.rmtree(folder)


EVERY = [pytest.param(41, id="sampled"), pytest.param(1, id="every-byte", marks=pytest.mark.heavy)]


@pytest.mark.parametrize("step", EVERY)
def test_the_log_cut_at_every_byte_of_its_last_records_opens_at_the_last_whole_one_and_says_so(
    killed: Killed, step: int
) -> None:
    ends = killed.sizes[-1 - LAST :]
    assert len(set(ends)) == LAST + 1
    assert ends[-1] == len(killed.log)
    edges = {place + near for place in ends for near in (-25, -24, -1, 0, 1, 24, 25)}
    for cut in sorted({*range(ends[0], ends[-1] + 1, step), *edges} & {*range(ends[0], ends[-1] + 1)}):
        whole = sum(size <= cut for size in killed.sizes) - 1
        text, torn = killed.open(killed.log[:cut])
        assert text == killed.texts[whole], cut
        loose = cut - killed.sizes[whole]
        assert torn == (f"{loose} bytes of an unfinished write at the end of room.db-wal" if loose else "")


@pytest.mark.parametrize("step", EVERY)
def test_a_log_cut_after_its_pages_went_to_the_file_opens_at_some_whole_record_or_is_refused(
    killed: Killed, step: int
) -> None:
    killed.open(killed.log)
    killed.wal.write_bytes(killed.log)
    file = sqlite3.connect(killed.path)
    assert file.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0
    database, log = killed.path.read_bytes(), killed.wal.read_bytes()
    file.close()
    assert log == killed.log
    assert b'"seq":11' in database
    for cut in range(killed.sizes[-1 - LAST], len(log) + 1, step):
        text, torn = killed.open(log[:cut], database)
        assert text in killed.texts, cut
        assert torn or cut in killed.sizes, cut


@pytest.mark.parametrize("step", EVERY)
@pytest.mark.parametrize("bit", [0, 7])
def test_any_byte_of_the_last_record_flipped_cuts_it_off_and_says_so(
    killed: Killed, step: int, bit: int
) -> None:
    start, end = killed.sizes[-2:]
    for at in sorted({*range(start, end, step), *range(start, start + 24)}):
        log = bytearray(killed.log)
        log[at] ^= 1 << bit
        text, torn = killed.open(bytes(log))
        assert text == killed.texts[-2], at
        assert torn == f"{end - start} bytes of an unfinished write at the end of room.db-wal"


def test_a_flipped_byte_before_the_last_record_is_refused_and_names_the_first_record_lost(
    killed: Killed,
) -> None:
    for lost in range(3, len(FACTS)):
        start, end = killed.sizes[lost - 1 : lost + 1]
        for at in (start, start + 9, start + 20, start + 24, end - 1):
            log = bytearray(killed.log)
            log[at] ^= 16
            with pytest.raises(
                BadJournal, match=rf"record {lost} is damaged, in room.db-wal after \d+ whole"
            ):
                killed.open(bytes(log))
            # nothing was changed by looking
            assert killed.wal.read_bytes() == bytes(log)


@pytest.mark.parametrize("at", range(32))
def test_a_damaged_head_of_the_log_is_refused(killed: Killed, at: int) -> None:
    log = bytearray(killed.log)
    log[at] ^= 1
    with pytest.raises(BadJournal, match="damaged"):
        killed.open(bytes(log))


@pytest.mark.parametrize("step", [pytest.param(7, id="sampled"), EVERY[1]])
def test_any_byte_of_a_checkpointed_file_flipped_is_refused_or_makes_no_difference(
    killed: Killed, step: int
) -> None:
    killed.open(killed.log)
    file = sqlite3.connect(killed.path)
    assert file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    file.close()
    database = killed.path.read_bytes()
    page = database.rindex(b'"seq":11') // 1024 * 1024
    for at in [*range(0, 1024, step), *range(page, page + 1024, step)]:
        damaged = bytearray(database)
        damaged[at] ^= 4
        try:
            text, torn = killed.open(b"", bytes(damaged))
        except (BadJournal, StorageFailed):
            continue
        assert (text, torn) == (killed.texts[-1], ""), at


@pytest.mark.parametrize("step", [pytest.param(97, id="sampled"), EVERY[1]])
def test_a_checkpointed_file_cut_anywhere_is_refused(killed: Killed, step: int) -> None:
    killed.open(killed.log)
    file = sqlite3.connect(killed.path)
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    file.close()
    database = killed.path.read_bytes()
    for cut in range(1, len(database), step):
        with pytest.raises((BadJournal, StorageFailed)):
            killed.open(b"", database[:cut])


def test_a_killed_journal_without_its_log_is_refused(killed: Killed) -> None:
    killed.path.write_bytes(killed.database)
    killed.wal.unlink(missing_ok=True)
    with pytest.raises(BadJournal, match=r"write-ahead file room.db-wal is missing"):
        open_journal(killed.path)
    assert killed.path.read_bytes() == killed.database
    _, torn = killed.open(b"")
    assert "room.db-wal, which is empty" in torn, "somebody has decided to go on without it, and is told"


def test_a_log_that_cannot_be_read_is_no_fault_of_the_journal(killed: Killed) -> None:
    killed.path.write_bytes(killed.database)
    killed.wal.unlink(missing_ok=True)
    killed.wal.mkdir()
    with pytest.raises(StorageFailed, match=r"room.db-wal: is a directory"):
        open_journal(killed.path)


def test_a_log_that_is_missing_after_a_snapshot_is_noticed_too(tmp_path: Path) -> None:
    for kept in (2, 40):  # the last snapshot is in the main file, and what follows in the log
        folder = tmp_path / str(kept)
        folder.mkdir()
        journal = open_journal(folder / "room.db", snapshot_every=kept)
        for fact in FACTS:
            journal.append(fact)
        (folder / "copy.db").write_bytes((folder / "room.db").read_bytes())
        with pytest.raises(BadJournal, match="is missing"):
            open_journal(folder / "copy.db")
        journal.close()
        open_journal(folder / "room.db").close()
        assert not (folder / "room.db-wal").exists(), "whoever closes it leaves it whole in one file"


def test_a_log_of_an_older_version_that_is_missing_from_the_start_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "room.db"
    file = sqlite3.connect(path, isolation_level=None)  # as versions without a mark began a journal
    for statement in ("PRAGMA page_size=1024", "PRAGMA journal_mode=WAL", "CREATE TABLE record (seq)"):
        file.execute(statement)
    path.with_name("copy.db").write_bytes(path.read_bytes())
    file.close()
    with pytest.raises(BadJournal, match=r"copy\.db-wal is missing"):
        open_journal(path.with_name("copy.db"))


def test_a_file_of_0_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "room.db"
    path.touch()
    with pytest.raises(BadJournal, match="is empty, 0 bytes, and a journal never is: remove it"):
        open_journal(path)
    path.unlink()
    open_journal(path).close()
    assert [one.name for one in tmp_path.iterdir()] == ["room.db"]


def test_the_file_and_its_log_are_for_their_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        journal = open_journal(tmp_path / "room.db")
        journal.append(RoomOpened(1))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        journal.close()
    finally:
        os.umask(old)
    assert modes == {"room.db": 0o600, "room.db-wal": 0o600}


def test_a_file_others_can_read_is_warned_about(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "room.db"
    open_journal(path).close()
    path.chmod(0o640)
    with caplog.at_level(logging.WARNING):
        open_journal(path).close()
    assert "can be read by others (mode 640): it holds decks" in caplog.text


def test_cards_and_secrets_of_past_hands_are_gone_from_the_disk(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "room.db")
    for fact in FACTS:
        journal.append(fact)
    assert any(CARDS.encode() in path.read_bytes() for path in tmp_path.iterdir())
    other = HandDealt("main", "main/hand-000000001", 1, 0, 0, 1, ("ann", "bob"), (50, 50), CARDS[::-1], "")
    journal.append(HandOver("main/hand-000000000", voided=True))
    journal.append(other)
    journal.close()
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert CARDS.encode() not in files
    assert b"cdcdcdcd" not in files
    assert CARDS[::-1].encode() in files


@pytest.mark.parametrize("content", [b"not a database at all, but some text of a length", b"x" * 5000])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "room.db"
    path.write_bytes(content)
    with pytest.raises(BadJournal, match=r"room.db is not a journal, or is damaged"):
        open_journal(path)
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE record (seq INTEGER)")
    file.close()
    with pytest.raises(BadJournal, match="is a database, but not a poker_actors journal"):
        open_journal(path)


def test_a_place_that_cannot_be_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="no such file or directory"):
        open_journal(tmp_path / "nowhere" / "room.db")
    with pytest.raises(StorageFailed, match="is a directory"):
        open_journal(tmp_path)


def test_a_journal_of_format_1_is_migrated_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "room.db"
    file = sqlite3.connect(path)
    file.executescript((Path(__file__).parent / "journal_v1.sql").read_text(encoding="utf-8"))
    file.close()
    journal = open_journal(path)
    assert (journal.replayed.migrated_from, journal.replayed.last) == (1, 38)

    table = journal.look(lambda image: image.tables["main"])
    assert table.open_hand is not None
    assert table.open_hand.secret == ""
    assert table.seats == (None, ("one", False, 0), ("two", False, 0), ("three", False, 0), None, None)
    assert len(table.log) == 8
    assert journal.look(lambda image: image.ledger.minted) == 4000
    text = text_of(journal)
    journal.append(ActionTaken(table.open_hand.hand_id, 8, 17))
    journal.close()
    again = open_journal(path)
    assert again.replayed.migrated_from is None
    assert again.replayed.last == 39
    assert text_of(again) != text
    again.close()


def test_a_program_that_forgets_to_close_its_journal_finds_it_whole(tmp_path: Path) -> None:
    program = (
        "import sys; from poker_actors.store import RoomOpened, open_journal\n"
        "journal = open_journal(sys.argv[1])\n"
        "journal.append(RoomOpened(7))\n"
        "raise KeyboardInterrupt"
    )
    path = tmp_path / "room.db"
    ended = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=False)
    assert b"KeyboardInterrupt" in ended.stderr
    journal = open_journal(path)
    assert (journal.replayed.last, journal.replayed.torn) == (1, "")
    circle = [journal]
    circle.append(circle)  # type: ignore[arg-type]
    del journal, circle
    gc.collect()
    journal = open_journal(path)
    assert (journal.replayed.last, journal.replayed.torn) == (1, "")
    journal.close()
