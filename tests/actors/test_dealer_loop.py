"""`Table.run` deals hand after hand, replaces who has lost, and ends when it should; awaited, too."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from poker_actors.actors import HandResult, LoopRuntime, Room, StepRuntime, Table, ThreadRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import BadSpec

RUNTIMES = [StepRuntime, ThreadRuntime, LoopRuntime]


def short_stacks(room: Room, *, chips: int = 60, waiting: int = 0) -> Any:
    """Three maniacs with little to lose, and more of them who wait."""
    table = room.open_table("main", seats=3, stakes="1/2")
    for number in range(3):
        player = room.player(f"p{number}", "maniac", chips=chips)
        table.sit(player)
        table.buy_in(player, 20)
    for number in range(waiting):
        table.wait(room.player(f"w{number}", "maniac", chips=20), 20)
    return table


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_it_plays_so_many_hands(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table = short_stacks(room, chips=10_000)
        assert table.run(12, rebuy=20) == 12
        assert table.state().number == 12
        assert room.audit().conserved


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_who_has_lost_everything_buys_in_again_while_the_bank_has_chips_and_leaves_then(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table = short_stacks(room)
        assert table.run(rebuy=20) > 2
        seats = [seat for seat in table.state().seats if seat is not None]
        assert len(seats) == 1
        # who has won may have some left there; who has lost has not
        assert seats[0].stack + room.bank.balance(seats[0].player) == 180


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_who_waits_takes_the_seat_of_who_has_left(runtime: Any) -> None:
    with Room(runtime(), seed=2) as room:
        table = short_stacks(room, chips=20, waiting=4)
        table.run()
        state = table.state()
        assert state.waiting == ()
        assert [seat.stack for seat in state.seats if seat is not None] == [140]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_it_ends_when_a_condition_is_true_of_a_result(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table = short_stacks(room, chips=10_000)
        seen: list[HandResult] = []

        def enough(result: HandResult) -> bool:
            seen.append(result)
            return len(seen) == 3

        assert table.run(rebuy=20, until=enough) == 3
        assert [result.number for result in seen] == [0, 1, 2]


def test_it_ends_when_the_room_is_closed() -> None:
    room = Room(ThreadRuntime(), seed=1)
    table = short_stacks(room, chips=10_000)
    started = threading.Event()
    played: list[int] = []
    thread = threading.Thread(
        target=lambda: played.append(table.run(rebuy=20, until=lambda _: started.set()))
    )
    thread.start()
    assert started.wait(30)
    room.close()
    thread.join(30)
    assert played[0] >= 1


@pytest.mark.parametrize(("change", "rebuy"), [("buy_in", 20), ("leave", 20), ("leave", 0)])
def test_it_ends_when_the_room_is_closed_between_a_hand_and_its_losers(
    monkeypatch: pytest.MonkeyPatch, change: str, rebuy: int
) -> None:
    room = Room(StepRuntime(), seed=1)
    table = short_stacks(room, chips=10_000)
    made = getattr(Table, change)

    def closed_before(*arguments: Any) -> Any:
        room.close()
        return made(*arguments)

    monkeypatch.setattr(Table, change, closed_before)
    assert table.run(rebuy=rebuy) >= 1


def test_awaited_it_leaves_the_loop_to_others_and_can_be_cancelled() -> None:
    async def play() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            short_stacks(room.room, chips=10_000)
            table = room.tables["main"]
            assert await table.run(5, rebuy=20) == 5
            endless = asyncio.create_task(table.run(rebuy=20))
            while (await table.state()).number < 9:  # each answer is a turn of the loop
                pass
            endless.cancel()
            with pytest.raises(asyncio.CancelledError):
                await endless
            assert (await room.audit()).conserved

    asyncio.run(play())


@pytest.mark.parametrize("wrong", ["20", 0.5, -1])
def test_a_rebuy_that_is_no_number_of_chips_is_refused_before_a_hand_is_dealt(wrong: Any) -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = short_stacks(room)
        with pytest.raises(BadSpec, match="rebuy"):
            table.run(rebuy=wrong)
        assert table.state().number == 0
