"""A store that cannot be written: the command is refused, nothing is half-done, and the room goes on."""

from __future__ import annotations

import itertools
import resource
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import Refusal, Room, StepRuntime
from poker_actors.errors import PokerError, StorageFailed
from poker_actors.rules import Fold, Stakes
from poker_actors.store import Journal, MemoryStorage, open_journal
from poker_actors.store.journal import Row
from tests.actors.durable_evening import (
    CLOSING,
    ENDS,
    EVENING,
    HAND,
    HANDS,
    OPENING,
    FailingStorage,
    Step,
    act,
    check_ends,
)
from tests.actors.small_disk import fill


def seen(room: Room) -> object:
    """Everything that a refused command must leave as it was."""
    tables = {name: (table.state(), table.live()) for name, table in room.tables.items()}
    hands = {name: live.state() if live else None for name, (_, live) in tables.items()}
    states = {name: state for name, (state, _) in tables.items()}
    image = "" if room._journal is None else room._journal.look(lambda image: image.to_json())
    return states, hands, list(room.players), room.audit(), dict(room._ledger.balances()), image


def refuse(room: Room, step: Step) -> None:
    """Have a command refused, and nothing changed."""
    before = seen(room)
    with pytest.raises(StorageFailed) as error:
        step(room)
    assert error.value.code == "storage_failed"
    assert seen(room) == before


def asked(step: Step) -> bool:
    """Whether somebody waits for the command's answer."""
    return step is not HANDS[-1]


def test_every_command_of_an_evening_is_refused_once_and_then_happens() -> None:
    storage = FailingStorage()
    storage.write([], 0)
    room = Room(StepRuntime(), store=open_journal(storage))
    for step in EVENING:
        if asked(step):
            storage.fail_next = 1
            refuse(room, step)
        step(room)
    check_ends(room)
    room.close()


class InterruptedStorage(MemoryStorage):
    """A storage at whose write of a number Ctrl-C is pressed, once it is `done` or before."""

    def __init__(self, at: int, *, done: bool) -> None:
        super().__init__()
        self.left = at
        self.done = done

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.left -= 1
        if self.left or self.done:
            super().write(rows, after)
        if self.left == 0:
            raise KeyboardInterrupt


def interrupted_evening(storage: InterruptedStorage, runtime: StepRuntime) -> bool:
    """Play on after an interrupt, pay everybody out, and compare room and journal; return whether one came."""
    room = Room(runtime, store=open_journal(storage), seed=1)
    came = False
    for step in EVENING:
        try:
            step(room)
        except KeyboardInterrupt:
            came = True
            runtime.run()
        except (PokerError, KeyError):
            assert came, "refused, as the hand may be void, and a player or table not be there"
    storage.left = -1
    runtime.run()
    for name in room.tables:
        for player in room.players.values() if room.tables[name].live() else ():
            with suppress(PokerError):
                player.act(Fold())
        for seat in room.tables[name].state().seats:
            if seat is not None:
                room.tables[name].cash_out(seat.player)
                room.tables[name].leave(seat.player)
    audit = room.audit()
    assert audit.conserved
    assert (audit.tables, audit.hands) == (0, 0)
    room.player("new", "random")
    assert room._journal is not None
    text = room._journal.look(lambda image: image.to_json())
    new: Any = room.players["new"].address.actor
    luck = new.memory.stream.bot
    assert not room.health().failed
    room._journal._storage.close()  # it dies
    again = open_journal(storage)
    assert again.look(lambda image: image.to_json()) == text
    assert again.look(lambda image: image.numbers["new"]) == luck
    return came


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_ctrl_c_at_any_write_of_an_evening_leaves_a_room_that_goes_on(done: bool) -> None:
    at = itertools.count(2)
    while interrupted_evening(InterruptedStorage(next(at), done=done), StepRuntime()):
        pass
    assert next(at) > len(EVENING)


@pytest.mark.parametrize("at", range(len(HANDS)))
def test_a_store_that_fails_at_any_write_of_a_hand_stays_refusing_until_there_is_space(at: int) -> None:
    storage = FailingStorage()
    room = Room(StepRuntime(), store=open_journal(storage))
    for step in [*OPENING, *HANDS[:at]]:
        step(room)
    storage.failing = True
    refused = next(step for step in [*HANDS[at:], *CLOSING] if asked(step))
    for _ in range(3):
        if at < len(HANDS) - 1:
            refuse(room, refused)
    storage.failing = False
    for step in [*HANDS[at:], *CLOSING]:
        step(room)
    check_ends(room)
    room.close()


def test_a_pay_out_that_cannot_be_written_is_tried_again_until_it_can() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    room = Room(runtime, store=open_journal(storage))
    for step in [*OPENING, *HANDS[:-2]]:
        step(room)
    live = room.tables["main"].live()
    assert live is not None
    HANDS[-2](room)
    storage.failing = True
    runtime.advance(30)
    assert storage.attempts > 30
    assert room.audit().hands == 2800
    assert room.tables["main"].state().hand_id == HAND
    storage.failing = False
    assert live.result(timeout=60).payoffs == (0, -60, 270, -210, 0, 0)
    for step in CLOSING:
        step(room)
    check_ends(room)
    room.close()


def test_a_bots_turn_that_cannot_be_written_is_taken_when_it_can() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, store=open_journal(storage)) as room:
        table = room.open_table("main", stakes=Stakes(1, 2))
        refusals: list[Refusal] = []
        for name in ENDS:
            player = room.player(name, "caller", chips=100)
            player.listen(lambda news: refusals.append(news) if isinstance(news, Refusal) else None)
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal()
        storage.failing = True
        runtime.advance(10)
        assert {refusal.code for refusal in refusals} == {"storage_failed"}
        assert live.state().seq == 0
        storage.failing = False
        assert sum(live.result(timeout=60).payoffs) == 0
        assert room.audit().conserved


def test_a_deadline_that_cannot_be_written_is_tried_again() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, store=open_journal(storage)) as room:
        table = room.open_table("main", stakes=Stakes(1, 2), turn_seconds=5)
        for name in ENDS:
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal()
        storage.failing = True
        runtime.advance(20)
        assert live.state().seq == 0
        storage.failing = False
        assert live.result(timeout=60).payoffs.count(0) >= 4
        assert room.audit().conserved


def test_a_snapshot_that_cannot_be_written_is_put_off_and_no_command_notices() -> None:
    class NoSnapshots(FailingStorage):
        def compact(self, *_: object) -> None:
            raise StorageFailed("memory: no space is left")

    storage = NoSnapshots()
    room = Room(StepRuntime(), store=open_journal(storage, snapshot_every=4))
    for step in EVENING:
        step(room)
    check_ends(room)
    room.close()
    assert storage.snapshot is None
    assert len(storage.rows) > len(EVENING)


FRAME = 1048
"""Bytes SQLite writes at least for a commit."""

# -- real disks ----------------------------------------------------------------------------------


@pytest.fixture
def room_with_file(tmp_path: Path) -> Iterator[tuple[Room, Path]]:
    path = tmp_path / "room.db"
    room = Room(StepRuntime(), store=path)
    yield room, path
    room.close()


@pytest.mark.parametrize("more", [0, 1, 31, 32, 500, 1047, 1048, 1100, 2095])
def test_a_write_the_system_breaks_off_after_some_bytes_is_refused_and_nothing_is_half_done(
    room_with_file: tuple[Room, Path], more: int
) -> None:
    room, path = room_with_file
    wal = path.with_name("room.db-wal")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    failed = 0
    for step in EVENING:
        if asked(step):
            before = seen(room)
            # real writes fail now: the kernel lets no file grow beyond this, and writes what fits
            resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + more, hard))
            try:
                step(room)
            except StorageFailed:
                failed += 1
                assert seen(room) == before
            else:
                continue
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        step(room)
    check_ends(room)
    # less than a frame of the log: no write fits; more: those that need a second frame fail
    assert failed == sum(map(asked, EVENING)) if more < FRAME else failed > 0
    room.close()
    with Room(StepRuntime(), store=path) as again:
        check_ends(again)


@pytest.mark.parametrize("at", range(len(OPENING), len(OPENING) + len(HANDS) - 6))
def test_a_disk_full_from_any_write_of_a_hand_on_refuses_what_does_not_fit_until_there_is_space(
    small_disk: Path, at: int
) -> None:
    with Room(StepRuntime(), store=small_disk / "room.db") as room:
        for step in EVENING[:at]:
            step(room)
        ballast = fill(small_disk)
        for going in range(at, at + 5):
            before = seen(room)
            try:
                EVENING[going](room)
            except StorageFailed:
                # the block that was begun is full: from here on nothing fits
                assert seen(room) == before
                break
        else:
            pytest.fail("five writes fitted on a full disk")
        refuse(room, EVENING[going])
        ballast.unlink()
        for step in EVENING[going:]:
            step(room)
        check_ends(room)
    with Room(StepRuntime(), store=small_disk / "room.db") as again:
        check_ends(again)


def first_refused(room: Room, actions: range) -> int:
    for seq in actions:
        try:
            act(seq)(room)
        except StorageFailed:
            return seq
    pytest.fail("everything fitted on a full disk")


def test_a_process_that_dies_on_a_full_disk_has_lost_nothing_it_acknowledged(small_disk: Path) -> None:
    room = Room(StepRuntime(), store=small_disk / "room.db")
    for step in [*OPENING, *HANDS[:6]]:
        step(room)
    ballast = fill(small_disk)
    done = first_refused(room, range(5, 12))
    journal = room._journal
    assert isinstance(journal, Journal)
    journal._storage.close()
    ballast.unlink()
    with Room(StepRuntime(), store=small_disk / "room.db") as again:
        for step in [*HANDS[done + 1 :], *CLOSING]:
            step(again)
        check_ends(again)
