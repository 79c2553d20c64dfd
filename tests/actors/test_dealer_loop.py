"""`Table.run` deals hand after hand, replaces who has lost, and ends when it should; awaited, too."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from poker_actors.actors import HandResult, LoopRuntime, Room, StepRuntime, Table, ThreadRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.actors.messages import AwaitPlayers, Shut, SitIn
from poker_actors.actors.table import TableActor
from poker_actors.errors import AskTimeout, BadSpec, RoomClosed, TableRefusal
from tests.actors.faulty_runtime import Fault, FaultyRuntime

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


# -- waiting for players ----------------------------------------------------------------------

THREADED = [ThreadRuntime, LoopRuntime]


class Running:
    """`Table.run` on a thread of its own, as an application's dealer; `done` has the number of hands."""

    def __init__(self, table: Table, **settings: Any) -> None:
        self.done: list[int] = []
        self.results: list[HandResult] = []
        self.ended = threading.Condition()
        self._settings = settings
        self._table = table
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self.done.append(self._table.run(wait=True, until=self._hear, **self._settings))

    def _hear(self, result: HandResult) -> None:
        with self.ended:
            self.results.append(result)
            self.ended.notify_all()

    def has_played(self, hands: int) -> bool:
        with self.ended:
            return self.ended.wait_for(lambda: len(self.results) >= hands, 60)

    def joined(self) -> int:
        self._thread.join(60)
        (played,) = self.done
        return played


def until_somebody_waits(table: Table) -> None:
    actor = table.address.actor
    assert isinstance(actor, TableActor)
    while actor.memory.players_ready is None:
        pass


def until_it_is_the_turn_of(table: Table, name: str) -> None:
    while True:
        live = table.live()
        if live is not None:
            to_act = live.state().to_act
            if to_act and table.state().in_hand[to_act[0]].player == name:
                return


def sat_down(room: Room, table: Table, *names: str, bot: str | None = "caller") -> None:
    for name in names:
        table.sit(room.player(name, bot, chips=1000))
        table.buy_in(name, 500)


@pytest.mark.parametrize("runtime", THREADED)
def test_it_waits_until_two_can_play_and_again_when_one_goes(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        dealer = Running(table, hands=4)
        sat_down(room, table, "ann")
        sat_down(room, table, "bob", bot=None)
        until_it_is_the_turn_of(table, "bob")
        table.leave_after_hand("bob")
        room.players["bob"].fold()
        assert dealer.has_played(1)
        sat_down(room, table, "cyd")
        assert dealer.joined() == 4
        assert [set(one.players) - {None} for one in dealer.results] == [
            {"ann", "bob"},
            *[{"ann", "cyd"}] * 3,
        ]


@pytest.mark.parametrize("runtime", THREADED)
def test_it_is_stopped_while_it_waits_or_after_the_hand(runtime: Any) -> None:
    with Room(runtime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        for human in (False, True):
            dealer = Running(table)
            if human:
                for name in ("ann", "bob"):
                    table.sit(room.player(name, chips=1000))
                    table.buy_in(name, 500)
                while table.live() is None:
                    pass
                table.stop_run()
                live = table.live()
                assert live is not None, "the hand goes on"
                players = room.players
                players[table.state().in_hand[live.state().to_act[0]].player].fold()
            else:
                until_somebody_waits(table)
                table.stop_run()
            assert dealer.joined() == int(human)


@pytest.mark.parametrize("runtime", THREADED)
@pytest.mark.parametrize("end", ["close", "close_table"])
def test_it_ends_with_its_room_or_table_while_it_waits(runtime: Any, end: str) -> None:
    with Room(runtime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        dealer = Running(table)
        until_somebody_waits(table)
        if end == "close":
            room.close()
        else:
            room.close_table("main")
        assert dealer.joined() == 0


def test_all_who_wait_at_a_table_are_called_at_once() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        both = [table.ask(AwaitPlayers(None)) for _ in range(2)]
        sat_down(room, table, "ann", "bob")
        assert [table.kept(one.word) for one in both] == [True, True]


def test_it_ends_when_its_table_is_lost_while_it_waits() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        awaited = table.ask(AwaitPlayers(None))
        assert room.supervisor.escalate is not None
        room.supervisor.escalate(table.address)
        room.runtime.run()  # type: ignore[attr-defined]
        with pytest.raises(RoomClosed):
            table.kept(awaited.word)


def test_on_a_stepper_it_ends_when_nothing_is_left_to_deliver() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        assert table.run(wait=True) == 0
        sat_down(room, table, "ann", "bob")
        assert table.run(3, wait=True) == 3


def test_on_a_stepper_it_waits_for_what_is_to_be_delivered() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        sat_down(room, table, "ann", "bob")
        table.sit_out("bob")
        room.runtime.later(100, table.address, SitIn("bob"))
        assert table.run(2, wait=True) == 2


def test_a_crash_of_the_table_does_not_wake_or_lose_a_dealer_who_waits() -> None:
    runtime = FaultyRuntime()
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=3)
        sat_down(room, table, "ann")
        awaited = table.ask(AwaitPlayers(None))
        runtime.at = len(runtime.handled)
        with pytest.raises(Fault):
            table.state()
        runtime.run()
        runtime.advance(60)
        with pytest.raises(AskTimeout):
            awaited.word.get(0, "nobody else has come")
        sat_down(room, table, "bob")
        assert table.kept(awaited.word) is True


def test_a_table_that_pykka_stops_comes_back_and_calls_the_dealer_who_waits() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=3)
        sat_down(room, table, "ann")
        awaited = table.ask(AwaitPlayers(None))
        actor = table.address.actor
        assert actor is not None
        actor.actor_ref.stop(block=False)
        runtime.run()
        runtime.advance(60)
        sat_down(room, table, "bob")
        assert table.kept(awaited.word) is True


def test_it_waits_for_the_end_of_a_hand_that_is_played_already(tmp_path: Any) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table = room.open_table("main", seats=3)
        for name in ("ann", "bob"):
            table.sit(room.player(name, chips=1000))
            table.buy_in(name, 500)
        table.deal()
    with Room(store=store) as room:
        table = room.tables["main"]
        with pytest.raises(TableRefusal):
            table.run(1)
        dealer = Running(table, hands=1)
        until_somebody_waits(table)
        for name in ("ann", "bob"):
            room.players[name].play_by("caller")
        assert dealer.joined() == 1
        assert dealer.results[0].number == 1


def test_a_table_that_is_shut_promises_no_players() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        table.ask(Shut(void=False))
        with pytest.raises(RoomClosed):
            table.ask(AwaitPlayers(None))
        assert table.run(wait=True) == 0


def test_a_dealer_who_comes_late_is_stopped_too() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=3)
        sat_down(room, table, "ann", "bob")
        assert table.run(wait=True, until=lambda _: table.stop_run()) == 1
        assert table.run(2, wait=True) == 2, "an earlier stop does not stop the next one"


def test_awaited_it_waits_and_is_stopped_and_cancelled() -> None:
    async def play() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            table = await room.open_table("main", seats=3)
            dealer = asyncio.create_task(table.run(wait=True))
            await table.state()
            assert not dealer.done()
            for name in ("ann", "bob"):
                await table.sit(await room.player(name, "caller", chips=1000))
                await table.buy_in(name, 500)
            while (await table.state()).number < 3:
                pass
            await table.stop_run()
            assert await dealer >= 2
            await table.sit_out("ann")
            waiting = asyncio.create_task(table.run(wait=True))
            await table.state()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(play())
