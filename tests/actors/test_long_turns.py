"""Turns of days: on every runtime, and over restarts with the time that is left."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from poker_actors.actors import LoopRuntime, Player, Room, StepRuntime, Table, ThreadRuntime, TimeBank
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cards import Deck
from poker_actors.errors import StorageFailed
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import FailingStorage
from tests.actors.told import heard

DAY = 86_400.0
EPOCH = 1_700_000_000.0


def two(room: Room, days: float = 3, **settings: Any) -> tuple[Table, dict[str, Player]]:
    """Heads-up; ann has the button and acts first."""
    table = room.open_table("main", seats=2, button=0, turn_seconds=days * DAY, **settings)
    players = {name: room.player(name, chips=200) for name in ("ann", "bob")}
    for player in players.values():
        table.sit(player)
        table.buy_in(player, 200)
    return table, players


def stepper(at: float) -> StepRuntime:
    """A stepper whose clock begins so many days after the epoch of this file."""
    runtime = StepRuntime()
    runtime.epoch = EPOCH + at * DAY
    return runtime


def reopened(storage: MemoryStorage, at: float) -> Room:
    """The room as a process finds it that starts at that day; the one before was killed."""
    left = FailingStorage()
    left.rows, left.snapshot = list(storage.rows), storage.snapshot
    return Room(stepper(at), store=open_journal(left))


def to_act(room: Room) -> int | None:
    live = room.tables["main"].live()
    return None if live is None else live.state().active


def days_pass(room: Room, days: float) -> None:
    runtime = room.runtime
    assert isinstance(runtime, StepRuntime)
    runtime.advance(days * DAY)


@pytest.mark.parametrize("runtime", [StepRuntime, ThreadRuntime, LoopRuntime])
def test_a_turn_may_take_days_on_every_runtime(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table, players = two(room, 30)
        live = table.deal(Deck.seeded(1))
        heard(players["ann"], table)
        (pending,) = [one for one in room.runtime.timers if "hand" in one.receiver]  # type: ignore[attr-defined]
        assert 29.9 * DAY < pending.due - room.runtime.now() <= 30 * DAY
        players["ann"].call()
        heard(players["bob"], table)
        assert room.health().failed == ()
        players["bob"].raise_to(10)
        heard(players["ann"], table)
        players["ann"].fold()
        assert live.result(timeout=60).payoffs == (-2, 2)


def test_awaited_a_room_with_turns_of_days_goes_on_at_once() -> None:
    async def play() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            two(room.room)
            hand = await room.tables["main"].deal(Deck.seeded(1))
            await room.players["ann"].fold()
            assert (await hand.result()).payoffs == (-1, 1)

    asyncio.run(play())


def test_who_lets_days_go_by_is_acted_for() -> None:
    with Room(stepper(0), seed=1) as room:
        table, _ = two(room)
        live = table.deal(Deck.seeded(1))
        days_pass(room, 2.9)
        assert to_act(room) == 0
        days_pass(room, 0.2)
        assert live.result().payoffs == (-1, 1)


def test_a_restart_leaves_a_turn_the_time_it_had_left_and_so_does_the_next() -> None:
    storage = FailingStorage()
    with Room(stepper(0), seed=1, store=open_journal(storage)) as room:
        table, _ = two(room)
        table.deal(Deck.seeded(1))
        days_pass(room, 1)
        with reopened(storage, 1) as again:
            assert to_act(again) == 0
            days_pass(again, 1.9)
            assert to_act(again) == 0
            days_pass(again, 0.2)
            assert to_act(again) is None
        with reopened(storage, 2) as again, reopened(storage, 2.5) as third:
            assert (to_act(again), to_act(third)) == (0, 0)
            days_pass(third, 0.4)
            assert to_act(third) == 0
            days_pass(third, 0.2)
            assert to_act(third) is None


def test_the_next_turn_has_its_whole_time_after_a_restart_too() -> None:
    storage = FailingStorage()
    with Room(stepper(0), seed=1, store=open_journal(storage)) as room:
        table, players = two(room)
        table.deal(Deck.seeded(1))
        days_pass(room, 2)
        players["ann"].call()
        with reopened(storage, 2) as again:
            days_pass(again, 2.9)
            assert to_act(again) == 1
            again.players["bob"].raise_to(10)
            days_pass(again, 2.9)
            assert to_act(again) == 0
            days_pass(again, 0.2)
            assert to_act(again) is None


def test_who_had_no_time_left_as_the_room_was_down_has_a_minute() -> None:
    storage = FailingStorage()
    with Room(stepper(0), seed=1, store=open_journal(storage)) as room:
        two(room)[0].deal(Deck.seeded(1))
    with reopened(storage, 9) as again:
        days_pass(again, 50 / DAY)
        assert to_act(again) == 0
        again.players["ann"].call()
        assert to_act(again) == 1


def test_a_clock_that_was_set_back_gives_nobody_more_than_a_turn() -> None:
    storage = FailingStorage()
    with Room(stepper(50), seed=1, store=open_journal(storage)) as room:
        two(room)[0].deal(Deck.seeded(1))
    with reopened(storage, 0) as again:
        days_pass(again, 3.1)
        assert to_act(again) is None


def test_a_turn_whose_end_could_not_be_written_goes_on_and_begins_anew_after_a_restart() -> None:
    class FullAtTheNote(FailingStorage):
        def write(self, rows: Any, after: int) -> None:
            if "turns/" in str(rows):
                raise StorageFailed("memory: no space is left")
            super().write(rows, after)

    storage = FullAtTheNote()
    with Room(stepper(0), seed=1, store=open_journal(storage)) as room:
        table, players = two(room)
        table.deal(Deck.seeded(1))
        players["ann"].call()
        assert to_act(room) == 1
        days_pass(room, 1)
        with reopened(storage, 1) as again:
            days_pass(again, 2.9)
            assert to_act(again) == 1


def test_the_note_of_another_hand_says_nothing_of_this_one() -> None:
    class FullAtTheSecond(FailingStorage):
        def write(self, rows: Any, after: int) -> None:
            if "turns/" in str(rows) and "hand-000000001" in str(rows):
                raise StorageFailed("memory: no space is left")
            super().write(rows, after)

    storage = FullAtTheSecond()
    with Room(stepper(0), seed=1, store=open_journal(storage)) as room:
        table, players = two(room)
        live = table.deal(Deck.seeded(1))
        players["ann"].fold()
        live.result()
        days_pass(room, 2)
        table.deal(Deck.seeded(2))
        with reopened(storage, 2) as again:
            days_pass(again, 2.9)
            assert to_act(again) is not None


def test_turns_of_seconds_are_not_written_down() -> None:
    for seconds, kept in ((59.0, False), (60.0, True)):
        storage = MemoryStorage()
        with Room(StepRuntime(), seed=1, store=open_journal(storage)) as room:
            table, players = two(room, seconds / DAY)
            live = table.deal(Deck.seeded(1))
            players["ann"].fold()
            live.result()
            assert ("turns/" in str(storage.rows)) is kept


def test_a_table_that_is_closed_leaves_no_note() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), seed=1, store=open_journal(storage)) as room:
        table, players = two(room)
        live = table.deal(Deck.seeded(1))
        players["ann"].fold()
        live.result()
        assert room.books.notes("turns/")
        for name in players:
            table.leave_after_hand(name)
        room.close_table("main")
        assert not room.books.notes("turns/")


def test_the_next_turn_ends_in_time_after_one_that_drew_on_the_bank() -> None:
    with Room(stepper(0), seed=1) as room:
        table, players = two(room, time_bank=TimeBank(DAY))
        table.deal(Deck.seeded(1))
        days_pass(room, 3.5)
        players["ann"].call()
        assert to_act(room) == 1
        players["bob"].check()
        days_pass(room, 4.1)
        live = table.live()
        assert live is None or live.state().seq > 2, "bob, who has used up time and bank, is acted for"


def test_a_second_deadline_of_a_turn_leaves_the_time_bank_as_it_is() -> None:
    runtime = stepper(0)
    with Room(runtime, seed=1) as room:
        table, _ = two(room, time_bank=TimeBank(DAY))
        live = table.deal(Deck.seeded(1))
        (pending,) = [one for one in runtime.timers if "hand" in one.receiver]
        days_pass(room, 3.1)
        assert to_act(room) == 0, "it draws on its bank"
        live.address.tell(pending.message)
        runtime.run()
        assert to_act(room) == 0
        days_pass(room, 0.8)
        assert to_act(room) == 0
        days_pass(room, 0.2)
        assert to_act(room) is None
