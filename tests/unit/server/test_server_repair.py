"""`poker-actors repair` finds what is wrong with a server's data, and mends it without losing an account or a chip."""

from __future__ import annotations

import copy
import itertools
import json
import logging
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cli import main
from poker_actors.errors import BadJournal, StorageFailed
from poker_actors.jsontext import parse_json
from poker_actors.server import Notes, Passwords, Users
from poker_actors.server.hspe import Lobby, NamedAction, Order
from poker_actors.server.live import (
    Announcement,
    Hands,
    HookPlan,
    Hooks,
    Results,
    Sessions,
    Shares,
    Tournaments,
)
from poker_actors.server.operator import _silent, lost_accounts, repair
from poker_actors.store import ActionTaken, Journal, MemoryStorage, Noted, RoomImage, Storage, open_journal
from poker_actors.store.journal.record import Snapshot
from poker_actors.store.journal.sqlite import SQLiteStorage
from poker_actors.store.journal.wal import overlaid
from tests.unit.server.conftest import House

NAMES = itertools.count()
ODD = ("null", "true", "-1", "1e400", '""', '"x"', "[]", "[null]", '["x"]', "{}", '{"x": 1}', "[[1]]")
"""What nobody has written in any place of a note."""
SHORT = ["note", "book", "deal", "act", "player", "seats", "table", "over", "room"]


@pytest.fixture(params=["sqlite", "postgresql"])
def data(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The data of a server killed in a hand of two, another game beside it: all records are there."""
    place = str(tmp_path / "room.db")
    if request.param == "postgresql":
        place = request.getfixturevalue("postgres_server").url(f"repair_{next(NAMES)}")
    evening(place)
    return place


def evening(place: str) -> None:
    """Play some hands at two tables, and die without a word: a journal that is closed makes a snapshot."""
    journal = open_journal(place)
    house = House(journal)
    game, (ann, _) = house.game_of("ann", "bob")
    for _ in range(3):
        assert game.turn is not None
        game.act(game.turn.user, Order(None))
        house.run()
    house.game_of("cid", "dan")
    house.lobby.make(ann)
    if "://" in place:
        journal._storage.close()
        return
    for suffix in ("", "-wal"):
        shutil.copy(f"{place}{suffix}", f"{place}.dead{suffix}")
    journal._storage.close()
    for suffix in ("", "-wal"):
        shutil.move(f"{place}.dead{suffix}", f"{place}{suffix}")


def whole(place: str) -> RoomImage:
    """What the data comes to as far as it reads; nothing is written."""
    found = Journal.salvage(place)
    found.storage.close()
    return found.image


def mended(place: str) -> RoomImage:
    """What the room comes to that starts on the data, its chips counted."""
    with Room(StepRuntime(), store=place) as room:
        assert room.audit().conserved
        assert room._journal is not None
        return room._journal.look(lambda image: image.copy())


def change(place: str, statement: str, *values: object) -> None:
    """Change records as an accident would."""
    if "://" in place:
        import psycopg

        with psycopg.connect(place) as server:
            server.execute(statement.replace("record", "poker_record").replace("?", "%s").encode(), values)
        return
    db = sqlite3.connect(place, isolation_level=None)
    db.execute(statement, values)
    db.execute(
        "UPDATE used SET now = 0"
    )  # closing removes the write-ahead file, which a journal in use must have
    db.close()


def records(place: str) -> list[tuple[int, str, str]]:
    stored: Storage = Journal.salvage(place).storage
    rows = [(row.seq, row.kind, row.payload) for row in stored.salvage().rows]
    stored.close()
    return rows


def owned(image: RoomImage) -> dict[str, int]:
    """The chips of each player, wherever they lie, and those of the house."""
    chips: dict[str, int] = {}
    for account, count in image.ledger.balances().items():
        owner = account.rpartition("/")[2]
        chips[owner] = chips.get(owner, 0) + count
    return chips


def accounts(image: RoomImage) -> list[str]:
    return sorted(key for key in image.notes if key.startswith("user/"))


def test_nothing_is_wrong_with_the_data_of_a_server_that_was_killed(data: str) -> None:
    found = repair(data, write=True)
    assert (found.wrong, found.copy, found.users, found.tables, found.chips) == ((), "", 4, 3, 50_000)


@pytest.mark.parametrize("kind", SHORT)
def test_a_record_with_a_bit_flipped_is_restored_by_its_checksum(kind: str, data: str) -> None:
    before, luck = whole(data).to_json(), random.Random(kind)
    seq, _, payload = luck.choice([row for row in records(data) if row[1] == kind])
    at = luck.randrange(len(payload))
    wrong = payload[:at] + chr(ord(payload[at]) ^ 1 << luck.randrange(3)) + payload[at + 1 :]
    change(data, "UPDATE record SET payload = ? WHERE seq = ?", wrong, seq)
    found = repair(data)
    assert found.wrong == (f"record {seq} ({kind}) is damaged: one byte, restored by its checksum",)
    with pytest.raises(BadJournal, match=f"record {seq} .* is damaged: its checksum differs"):
        open_journal(data)  # nothing was changed
    assert repair(data, write=True).copy
    assert repair(data).wrong == ()
    assert whole(data).to_json() == before
    mended(data)


def test_a_checksum_that_is_wrong_itself_is_made_anew(data: str) -> None:
    before = whole(data).to_json()
    change(data, "UPDATE record SET checksum = ? WHERE seq = 5", bytes(16))
    assert repair(data, write=True).wrong[0].startswith("record 5 ")
    assert whole(data).to_json() == before


def test_every_record_may_be_lost_and_no_chip_is_but_its_own(data: str) -> None:
    """One record after another is deleted, from the last: those after it still stand on theirs."""
    before = whole(data)
    for seq, kind, payload in reversed(records(data)):
        change(data, "DELETE FROM record WHERE seq = ?", seq)
        found = Journal.salvage(data)
        found.storage.close()
        image = found.image
        assert not sum(image.ledger.balances().values())
        if kind == "book" and '"mint"' in payload:
            continue
        lost = set(accounts(before)) - set(accounts(image))
        assert not lost or (kind == "note" and len(lost) == 1), (seq, kind)
        before = image
    assert repair(data, write=True).wrong == ()


@pytest.mark.parametrize("kind", ["book", "seats", "player", "table", "deal", "over", "act"])
def test_a_room_that_lost_a_record_starts_and_owes_nobody(kind: str, data: str) -> None:
    before = whole(data)
    seq = next(seq for seq, one, _ in records(data) if one == kind)
    change(data, "DELETE FROM record WHERE seq = ?", seq)
    found = repair(data, write=True)
    assert found.wrong[0] == f"record {seq} is missing"
    after = mended(data)
    assert accounts(after) == accounts(before)
    missing = {name: chips - owned(after).get(name, 0) for name, chips in owned(before).items()}
    assert all(
        chips <= 0 for name, chips in missing.items() if "/" not in name and name not in ("mint", "forfeit")
    )


def test_a_ledger_still_comes_to_zero_whichever_booking_was_lost() -> None:
    storage = MemoryStorage()
    house = House(open_journal(storage))
    game, (ann, bob) = house.game_of("ann", "bob", private=True, ledger=True)
    for _ in range(6):
        assert game.turn is not None
        game.act(game.turn.user, Order(None))
        house.run()
    game.leave(bob.id)
    house.run(20)
    for row in [None, *[row for row in storage.rows if row.kind == "book"]]:
        damaged = MemoryStorage()
        damaged.rows = [one for one in storage.rows if one is not row]
        accounts = Journal.salvage(damaged).image.ledger.accounts(game.id)
        assert accounts is not None
        assert {one.player for one in accounts} == {ann.id, bob.id}
        assert sum(one.net for one in accounts) == 0, row


@pytest.mark.parametrize("what", ["cut", "flipped"])
def test_a_write_ahead_file_cut_or_flipped_anywhere_is_mended(what: str, tmp_path: Path) -> None:
    evening(str(tmp_path / "whole.db"))
    before, luck = whole(str(tmp_path / "whole.db")), random.Random(what)
    log = (tmp_path / "whole.db-wal").read_bytes()
    for number in range(12):
        place = tmp_path / f"{number}.db"
        shutil.copy(tmp_path / "whole.db", place)
        data, at = bytearray(log), luck.randrange(32, len(log))
        data[at] ^= 1 << luck.randrange(8)
        place.with_name(f"{place.name}-wal").write_bytes(log[:at] if what == "cut" else bytes(data))
        files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        repair(str(place))
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == files, (
            "looking changes nothing"
        )
        found = repair(str(place), write=True)
        after = mended(str(place))
        assert bool(found.copy) == bool(found.wrong)
        if what == "flipped":
            assert after.ledger.balances() == before.ledger.balances()
            assert accounts(after) == accounts(before)
        for suffix in ("", "-wal"):
            if found.copy:
                assert Path(f"{found.copy}{suffix}").read_bytes() == files[f"{place.name}{suffix}"]


@pytest.mark.parametrize("length", [9, 32, 33, 56, 600])
def test_a_write_ahead_file_cut_in_its_first_frame_holds_nothing(
    length: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    log = place.with_name("room.db-wal")
    log.write_bytes(log.read_bytes()[:length])
    loose = length if length < 32 else length - 32
    told = f"{loose} bytes of an unfinished write at the end" if loose else "whatever was in"
    assert main(["repair", str(place)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"the next start will cut off {told}")
    assert out[1:] == [f"{place}: 0 users, 0 tables, 0 chips", "no damage found"]
    assert mended(str(place)).notes == {}


def test_a_write_ahead_file_that_is_missing_is_said_and_done_without(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    place.with_name("room.db-wal").unlink()
    with pytest.raises(BadJournal, match=r"its write-ahead file room\.db-wal is missing"):
        open_journal(str(place))
    found = repair(str(place), write=True)
    assert found.wrong == ("its write-ahead file room.db-wal is missing, with what was written last",)
    assert mended(str(place)).notes == {}


def test_a_frame_whose_page_is_out_of_range_is_said_to_be_left_out(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    log = place.with_name("room.db-wal")
    data = bytearray(log.read_bytes())
    step = 24 + int.from_bytes(data[8:12], "big")
    for number, page in enumerate((0x7F000101, 0x70FFFF00)):
        at = 32 + (5 + 3 * number) * step
        data[at : at + 4] = page.to_bytes(4, "big")
    log.write_bytes(data)
    said = "2 damaged frames in the write-ahead file: 2 left out, as the number of its page is out of range"
    assert said in repair(str(place)).wrong[0]


def test_of_a_words_highest_bit_the_records_tell_which_word_is_wrong(tmp_path: Path) -> None:
    """SQLite's sums cannot: of a third of a page's words they would be the same."""
    evening(str(tmp_path / "whole.db"))
    before, luck = whole(str(tmp_path / "whole.db")).to_json(), random.Random(1)
    log, place = (tmp_path / "whole.db-wal").read_bytes(), tmp_path / "room.db"
    for _ in range(8):
        shutil.copy(tmp_path / "whole.db", place)
        data, at = bytearray(log), luck.randrange(32 + 24, len(log))
        data[at - at % 4 + 3] ^= 0x80  # the words are little-endian
        place.with_name("room.db-wal").write_bytes(data)
        assert whole(str(place)).to_json() == before, at


def test_no_way_of_several_is_taken_on_a_guess(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    mended(str(place))
    change(str(place), "INSERT INTO record SELECT seq + 1, 'note', '', checksum FROM snapshot")
    ways = []
    for statement in (
        "UPDATE record SET kind = 'book'",
        "UPDATE record SET kind = 'deal'",
        "DELETE FROM record",
    ):
        ways.append(overlaid(place.read_bytes(), b"", 0))
        change(str(place), statement)
    storage = SQLiteStorage(place)
    with pytest.raises(BadJournal, match="so nothing is repaired"):
        storage._best(ways)
    assert storage._best([*ways, b"no database", overlaid(place.read_bytes(), b"", 0), ways[0]]) == 4


def test_a_snapshot_with_a_bit_flipped_is_restored(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    mended(str(place))  # closing makes a snapshot
    before, data = whole(str(place)).to_json(), bytearray(place.read_bytes())
    data[data.index(b'"balances"') + 2] ^= 4
    place.write_bytes(bytes(data))
    found = repair(str(place), write=True)
    assert [line.partition(":")[2] for line in found.wrong] == [" restored by its checksum"]
    assert whole(str(place)).to_json() == before


def test_each_account_lost_with_the_end_of_a_snapshot_is_named_where_a_name_is_left(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    journal = open_journal(str(place))
    house = House(journal, make=Hands)
    game, (ann, bob) = house.game_of("ann", "bob")
    for _ in range(3):
        assert game.turn is not None
        game.act(game.turn.user, Order(None))
        house.run()
    _, (cid, dan) = house.game_of("cid", 'dan \\ "d"')
    for user in (ann, cid, bob, dan):  # written again, after the hands of ann and bob
        house.users.set_digest(user, user.digest)
    journal.close()
    with Room(StepRuntime(), store=str(place)):  # closing makes a snapshot
        pass
    text = whole(str(place)).to_json()

    def lost(key: str, more: int = 0) -> list[str]:
        """What is said of accounts where the snapshot breaks off with the last `key`, and so many characters."""
        storage = MemoryStorage()
        storage.snapshot = Snapshot(50, bytes(16), text[: text.rindex(key) + len(key) + more], b"")
        found = Journal.salvage(storage)
        return [line.partition("; ")[0] for line in lost_accounts(found.image, found.broken)]

    said = "the account of {} is lost, with its password".format
    nameless = "the account whose name is in no record is lost, with its password"
    assert lost('"user/bob"') == [said("bob"), nameless]
    assert lost('"user/bob":"{\\"id') == [said("bob"), nameless]
    named = 'dan \\ "d"'
    assert lost(json.dumps(f"user/{named}")[:-1]) == [nameless]
    assert lost(json.dumps(f"user/{named}")) == [nameless]
    assert lost(json.dumps(f"user/{named}"), 1) == [nameless]
    assert lost(json.dumps(f"user/{named}"), 2) == [said(named)]
    assert lost(json.dumps(f"user/{named}"), 70) == [said(named)]
    assert lost('"user/cid"', 2) == [said("bob"), nameless, nameless, "one of the lost accounts is cid's"]
    assert lost('"user/cid"', 70) == [said("bob"), said("cid"), nameless]
    assert lost_accounts(RoomImage(), '"user/a\\q":"{') == lost_accounts(RoomImage(), '"user/a\1":"{') == []


@pytest.mark.parametrize("harm", ["type", "zeros", "no row"])
def test_a_journal_whose_page_of_use_is_damaged_is_mended(harm: str, tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    mended(str(place))
    before = whole(str(place)).to_json()
    if harm == "no row":
        change(str(place), "DELETE FROM used")
    else:
        with closing(sqlite3.connect(place)) as db:
            page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'used'").fetchone()[0]
        file, at = place.read_bytes(), 1024 * (page - 1)
        broken = b"\x17" if harm == "type" else bytes(1024)
        place.write_bytes(file[:at] + broken + file[at + len(broken) :])
    with pytest.raises(BadJournal):
        open_journal(place)
    assert repair(str(place), write=True).wrong == ("the page that says whether it was closed is damaged",)
    assert whole(str(place)).to_json() == before
    mended(str(place))


def test_a_note_that_is_left_out_is_named(data: str) -> None:
    payload = next(payload for seq, _, payload in records(data) if seq == 3)
    change(data, "UPDATE record SET payload = ? WHERE seq = 3", f"{payload[:-1]}]]")
    (wrong, left, *_) = repair(data).wrong
    assert (wrong, left.partition(" is ")[0]) == (
        "record 3 (note) is damaged: taken as it stands",
        "record 3 (note user/bob)",
    )


@pytest.mark.parametrize("closed", [True, False])
def test_a_file_whose_end_is_cut_off_starts_with_what_is_left(closed: bool, tmp_path: Path) -> None:
    """As a copy that ended early: closed, it is a snapshot, else records."""
    evening(str(tmp_path / "whole.db"))
    if closed:
        mended(str(tmp_path / "whole.db"))
    else:
        change(str(tmp_path / "whole.db"), "UPDATE used SET times = 0")  # takes all records into the file
    before, luck = whole(str(tmp_path / "whole.db")), random.Random(closed)
    last = max([seq for seq, _, _ in records(str(tmp_path / "whole.db"))], default=0)
    file, found_all = (tmp_path / "whole.db").read_bytes(), 0
    for cut in [*(luck.randrange(5 * 1024, len(file)) for _ in range(12)), len(file) - 1]:
        place = tmp_path / f"{cut}.db"
        place.write_bytes(file[:cut])
        with pytest.raises((BadJournal, StorageFailed)):
            open_journal(place)
        found = repair(str(place), write=True)
        assert "at the end of the file are missing, and records after" in found.wrong[0]
        after = mended(str(place))
        assert repair(str(place)).wrong == ()
        assert set(after.notes) <= {
            *before.notes,
            *(key for key in after.notes if key.startswith("set aside/")),
        }
        said = " ".join(found.wrong)
        for name, table in before.tables.items():
            gone = name not in after.tables
            noted = any(key.endswith(f"game/{name}") for key in after.notes)
            assert not gone or name in said or " tables " in said or not noted
            assert gone or len(after.tables[name].seats) == len(table.seats)
        lost = accounts(before) != accounts(after)
        assert not lost or "notes" in said or f"records after {last}" not in said, "what is lost is named"
        found_all += after.ledger.balances() == before.ledger.balances()
    assert 0 < found_all < 13, "pages that hold nothing cost nothing"


def test_a_head_that_counts_its_pages_wrongly_has_them_counted_again(tmp_path: Path) -> None:
    place = tmp_path / "room.db"
    evening(str(place))
    mended(str(place))
    before, file = whole(str(place)).to_json(), place.read_bytes()
    for bit in range(32):
        count = int.from_bytes(file[28:32], "big") ^ 1 << bit
        place.write_bytes(file[:28] + count.to_bytes(4, "big") + file[32:])
        found = repair(str(place), write=True)
        assert found.wrong == ("the number of pages in the file's header is wrong",)
        assert whole(str(place)).to_json() == before


def test_a_table_of_an_application_with_the_name_of_a_game_is_left_alone(tmp_path: Path) -> None:
    name, place = "0f8fad5b-d9cb-469f-a165-70867728950e", str(tmp_path / "app.db")
    with Room(StepRuntime(), store=place) as room:
        room.open_table(name)
    found = repair(place, write=True)
    assert (found.wrong, found.tables) == ((), 1)


def test_a_table_that_cannot_be_restored_is_set_aside_and_its_chips_go_back(
    data: str, caplog: pytest.LogCaptureFixture
) -> None:
    journal = open_journal(data)
    hands = journal.look(lambda image: [table.open_hand for table in image.tables.values() if not table.log])
    (dealt,) = [hand for hand in hands if hand is not None][:1]
    name = dealt.table
    journal.append(ActionTaken(dealt.hand_id, 0, 15))
    journal.close()
    before = whole(data)
    caplog.clear()
    said = f"table {name} is set aside, its 20,000 chips go back to their owners: the records of {name}/hand-"
    assert repair(data).wrong[0].startswith(said)
    assert "set aside" not in caplog.text, "nothing is done yet"
    assert whole(data).to_json() == before.to_json()
    repair(data, write=True)
    after = mended(data)
    assert name not in after.tables
    assert owned(after) == owned(before)
    assert accounts(after) == accounts(before)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, itself first."""
    yield place
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*place, key))


def with_in(value: Any, place: tuple[Any, ...], other: str) -> str:
    """The JSON of a value with another text in one of its places."""
    value = held = {"": copy.deepcopy(value)}
    for key in ("", *place[:-1]) if place else ():
        held = held[key]
    held[place[-1] if place else ""] = "here"
    return json.dumps(value[""]).replace('"here"', other)


def everything(lobby: Lobby) -> Tournaments:
    """All that keeps notes."""
    tournaments = Tournaments(lobby)
    Hands(lobby, tournaments)
    Results(lobby)
    Hooks(lobby, HookPlan("https://poker.example", anywhere=True), lambda _: False)
    Sessions(lobby.users, lobby.notes, lobby.now)
    Shares(lobby.notes)
    return tournaments


def test_a_server_starts_whatever_stands_in_one_of_its_notes() -> None:
    luck, storage = random.Random(7), MemoryStorage()
    house = House(open_journal(storage), make=everything)
    game, (ann, bob) = house.game_of("ann", "bob", turn_seconds=86_400.0, time_bank=30)
    for _ in range(2):
        assert game.turn is not None
        game.take(game.turn.user, NamedAction("fold"), game.turn.key)
        house.run(40)
    house.notes.put_all({f"hook/{ann.id}": "https://a.example/", f"board/{ann.id}": "listed"})
    house.notes.put(f"told/{game.id}", json.dumps([game.hand_id, 0]))
    tournaments: Any = house.made
    for players in (2, 3):
        tournaments.enter(bob, tournaments.make(ann, Announcement(players=players)))
        house.run()
    rows, tried = [*storage.rows], set()
    for key, text in house.notes._kept.items():
        value = parse_json(text) if text[0] in "[{" else text
        cases = [(place, other) for place in places(value) for other in ODD]
        for place, other in luck.sample(cases, 12):
            tried.add(key.partition("/")[0])
            storage = MemoryStorage()
            storage.rows = [*rows]
            journal = open_journal(storage)
            journal.append(Noted(key, with_in(value, place, other)))
            Lobby.set_bad_games_aside(Users(Notes(journal), Passwords(argon2=False, scrypt_cost=2)))
            again = House(journal, make=everything)
            again.run(60)
            for forget in again.lobby.on_clear_up:
                forget()
            again.room.close()
    assert tried == {
        "user",
        "game",
        "taken",
        "due",
        "hands",
        "results",
        "hook",
        "board",
        "told",
        "tournaments",
    }


def test_only_what_a_start_in_memory_says_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with _silent():
        logging.getLogger("poker_actors.room").error("of the start")
        logging.getLogger("poker_actors.store").error("of the disk")
        logging.getLogger("application").error("of others")
        other = threading.Thread(
            target=logging.getLogger("poker_actors.room").error, args=["of another room"]
        )
        other.start()
        other.join()
    logging.getLogger("poker_actors.room").error("afterwards")
    assert caplog.messages == ["of the disk", "of others", "of another room", "afterwards"]


@pytest.mark.parametrize("place", ["", ".", ".."])
def test_a_folder_holds_no_data(place: str) -> None:
    with pytest.raises(StorageFailed, match="is a directory"):
        repair(place)


def test_data_that_a_process_has_open_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "room.db")
    script = "import sys; from poker_actors.store import open_journal; kept = open_journal(sys.argv[1]); print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        with pytest.raises(StorageFailed, match="another process has this journal open"):
            repair(place)
        process.communicate(b"\n")


def test_a_start_at_a_port_that_is_taken_says_which_and_leaves_the_data_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    place = str(tmp_path / "room.db")
    evening(place)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        assert main(["serve", "--http", where, "--data", place]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"poker-actors: {where}: address already in use; stop what listens there, or choose another port"
    )
    assert not [one for one in caplog.messages if "stops" in one], "no game has come to its end"
    assert main(["repair", place]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no damage found"


def test_the_command_says_what_is_wrong_and_mends_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "room.db")
    assert main(["repair", place]) == 2
    assert capsys.readouterr().err == f"poker-actors: {place} does not exist\n"
    evening(place)
    change(place, "UPDATE record SET payload = '[' || substr(payload, 2) WHERE seq = 5")
    assert main(["serve", "--http", "127.0.0.1:0", "--data", place]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].endswith("; poker-actors repair shows what can be kept"), "what to do next"
    assert main(["repair", place]) == 1
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(" (")[0] for line in out] == [
        "record 5", f"{place}: 4 users, 3 tables, 50,000 chips", "nothing was changed: repair it with --write",
    ]  # fmt: skip
    assert main(["repair", place, "--write"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"repaired; the original is kept in {place}.before-1"
    assert main(["repair", place]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no damage found"
    (tmp_path / "other.db").write_text("no journal")
    assert main(["repair", str(tmp_path / "other.db"), "--write"]) == 2
