"""The room inside a running event loop: nothing blocks it, nothing is left behind."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import HandResult, HandState, News, Room, StepRuntime, TableNews, bridge
from poker_actors.actors.aio import AsyncHand, AsyncPlayer, AsyncRoom, AsyncTable, NewsStream
from poker_actors.actors.command import GetState
from poker_actors.actors.runtime import Actor, Address, Handlers
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction, RoomClosed, TableRefusal
from poker_actors.rules import Call, View
from tests.actors.conftest import RUNTIMES

PATIENCE = 60
"""Seconds until a test gives up: far more than anything here takes."""


@pytest.fixture(params=RUNTIMES)
def room(request: pytest.FixtureRequest) -> AsyncRoom:
    return AsyncRoom(Room(RUNTIMES[request.param](), seed=1))


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine; what it starts must be over when it is."""

    async def watched() -> None:
        complaints: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(str(context)))
        async with asyncio.timeout(PATIENCE):
            await main
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left
        assert not complaints

    asyncio.run(watched())


async def seated(room: AsyncRoom, *bots: Any, **settings: Any) -> tuple[AsyncTable, list[AsyncPlayer]]:
    table = await room.open_table("main", **settings)
    players = [await room.player(f"p{number}", bot, chips=100) for number, bot in enumerate(bots)]
    for player in players:
        await table.sit(player)
        await table.buy_in(player, 100)
    return table, players


def test_a_hand_is_played_from_deal_to_payout_by_awaiting(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, bob) = await seated(room, None, "caller", button=0)
            hand = await table.deal(Deck.stacked(["AsAh", "2c7d"], "AdKhQs5c4d"))
            await ann.raise_to(10)
            assert (await hand.state()).seq >= 1
            for _ in range(3):
                await to_act(ann, hand)
                await ann.check()
            result = await hand.result()
            assert result.payoffs[:2] == (10, -10)
            assert await table.cash_out(ann) == 110
            await table.leave(ann)
            assert await room.bank.balance(ann) == 110
            assert (await room.audit()).conserved
            assert (await table.state()).seats[1] is not None
            assert bob.player.faults.total == 0

    run(main())


def test_who_waits_for_a_seat_has_it_when_it_frees_and_chips_can_be_given_up(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, "caller", "caller", seats=2)
            cyd = await room.player("cyd", "caller", chips=100)
            assert await table.wait(cyd, 60) == 1
            assert await table.forfeit(ann) == 100
            await table.leave(ann)
            assert [seat and seat.player for seat in (await table.state()).seats] == ["cyd", "p1"]
            assert await room.bank.forfeit(cyd, 10) == 30
            assert (await room.audit()).forfeit == 110

    run(main())


async def to_act(player: AsyncPlayer, hand: AsyncHand) -> None:
    """Wait until it is the player's turn."""
    while (state := await player.state()) is None or not state.active:
        assert not hand.live.promise.answered
        await asyncio.sleep(0)


def test_refusals_are_raised_where_the_command_is_awaited(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, bob) = await seated(room, None, None, button=0)
            with pytest.raises(TableRefusal) as refused:
                await table.buy_in(ann, 1)
            assert refused.value.code == "insufficient_funds"
            with pytest.raises(BadSpec, match="there is already a player called 'p0'"):
                await room.player("p0")
            await table.deal(Deck.seeded(1))
            with pytest.raises(IllegalAction) as illegal:
                await bob.check()
            assert illegal.value.code == "not_active"

    run(main())


def test_the_loop_is_not_blocked_while_a_bot_thinks() -> None:
    thinking = threading.Event()
    answer = threading.Event()

    def slow(view: View) -> Any:
        thinking.set()
        answer.wait(PATIENCE)
        return Call()

    async def main() -> None:
        async with AsyncRoom(Room(seed=1)) as room:
            table, _ = await seated(room, slow, "folder", button=0)
            hand = await table.deal(Deck.seeded(1))
            waiting = asyncio.create_task(hand.result())
            await asyncio.to_thread(thinking.wait, PATIENCE)
            for _ in range(100):
                await asyncio.sleep(0)
                assert (await hand.state()).seq == 0
                assert not waiting.done()
            answer.set()
            assert (await waiting).hand is not None

    run(main())


def test_the_loop_runs_other_tasks_between_a_few_messages_of_the_stepper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bridge, "TURN_SECONDS", 0.0)  # as if every message took long

    async def main() -> None:
        runtime = StepRuntime()
        between: list[int] = []

        async def heartbeat() -> None:
            before = runtime.steps
            while True:
                await asyncio.sleep(0)
                between.append(runtime.steps - before)
                before = runtime.steps

        async with AsyncRoom(Room(runtime, seed=1)) as room:
            table, _ = await seated(room, *["caller"] * 6)
            beating = asyncio.create_task(heartbeat())
            hand = await table.deal(Deck.seeded(1))
            await hand.result()
            beating.cancel()
            with pytest.raises(asyncio.CancelledError):
                await beating
        assert sum(between) > 150
        assert max(between) <= 64

    run(main())


def test_many_tables_play_at_once(room: AsyncRoom) -> None:
    async def one_table(number: int) -> int:
        table = await room.open_table(f"table {number}", restack=100)
        for seat in range(3):
            player = await room.player(f"p{number}.{seat}", "caller", chips=1000)
            await table.sit(player, seat)
            await table.buy_in(player, 100)
        results = [await (await table.deal(Deck.seeded(seed))).result() for seed in range(5)]
        assert all(sum(result.payoffs) == 0 for result in results)
        return len(results)

    async def main() -> None:
        async with room:
            assert await asyncio.gather(*(one_table(number) for number in range(5))) == [5] * 5
            assert (await room.audit()).conserved

    run(main())


def test_news_are_heard_in_order_and_end_with_the_room(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, "caller", "caller")
            async with ann.news() as news:
                reading = asyncio.create_task(read(news))
                hand = await table.deal(Deck.seeded(1))
                result = await hand.result()
                await room.close()
                heard = await reading
        states = [one for one in heard if isinstance(one, HandState)]
        assert [state.seq for state in states] == list(range(len(states)))
        assert states[-1].phase == "showdown"
        words = [one.what for one in heard if isinstance(one, TableNews)]
        assert words[words.index("hand_started") :] == ["hand_started", "hand_ended"]
        assert result.hand_id == states[0].hand_id

    run(main())


async def read(news: NewsStream) -> list[News]:
    return [one async for one in news]


def test_a_slow_reader_loses_the_oldest_news_and_knows_how_many(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, "caller", "caller")
            async with ann.news() as all_news, ann.news(limit=3) as few:
                await (await table.deal(Deck.seeded(1))).result()
                await room.close()
                everything = await read(all_news)
                assert await read(few) == everything[-3:]
                assert (few.missed, all_news.missed) == (len(everything) - 3, 0)

    run(main())


def test_who_stops_reading_is_not_told_any_more(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, "caller", "caller")
            async with ann.news() as news:
                await table.deal(Deck.seeded(1))
                async for one in news:
                    if isinstance(one, HandState):
                        break
            await ann.state()  # answered after what was sent to her before
            assert ann.player._memory.listeners == ()
            assert room.bridge.streams == set()

    run(main())


def test_who_stops_waiting_leaves_nothing_behind_and_the_hand_goes_on(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, None, None, button=0)
            hand = await table.deal(Deck.seeded(1))
            waiting = [asyncio.create_task(hand.result()) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0):
                    await hand.result()
            await ann.fold()
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert isinstance(results[0], asyncio.CancelledError)
            assert results[1] is results[2]
            assert isinstance(results[1], HandResult)

    run(main())


class Silent(Actor):
    """Answers when it is let."""

    def __init__(self, address: Address, let: threading.Event) -> None:
        self.let = let
        super().__init__(address)

    def handles(self) -> Handlers:
        return {GetState: lambda _: self.let.wait(PATIENCE)}


def test_an_answer_that_nobody_awaits_any_more_is_dropped() -> None:
    async def main() -> None:
        let = threading.Event()
        async with AsyncRoom(Room(seed=1)) as room:
            address = room.room.supervisor.start("silent", lambda address: Silent(address, let))
            asking = asyncio.create_task(room.bridge.ask(address, GetState()))
            await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            let.set()

    run(main())


def test_closing_in_the_middle_of_a_hand_answers_everybody_who_waits(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, _ = await seated(room, None, None)
            hand = await table.deal(Deck.seeded(1))
            waiting = asyncio.create_task(hand.result())
            await asyncio.sleep(0)
            await room.close()
            assert (await waiting).voided
            commands: list[Callable[[], Awaitable[object]]] = [
                hand.state,
                table.deal,
                room.audit,
                lambda: room.player("cyd"),
            ]
            for command in commands:
                with pytest.raises(RoomClosed):
                    await command()
            await room.close()

    run(main())


def test_closing_with_time_to_finish_lets_the_hand_end_and_deals_no_more(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, None, None, button=0)
            hand = await table.deal(Deck.seeded(1))
            closing = asyncio.create_task(room.close(finish_seconds=PATIENCE))
            while True:
                try:
                    await table.deal()
                except RoomClosed:
                    break
                except TableRefusal:
                    await asyncio.sleep(0)
            await ann.fold()
            await closing
            assert (await hand.result()).payoffs[:2] == (-1, 1)

    run(main())


def test_a_silent_player_is_acted_for_by_the_clock_of_the_loop(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, _ = await seated(room, None, None, button=0, turn_seconds=0.02)
            assert (await (await table.deal(Deck.seeded(1))).result()).payoffs[:2] == (-1, 1)

    run(main())


def test_a_deadline_counts_from_the_turn_and_not_from_when_the_stepper_last_had_work() -> None:
    async def main() -> None:
        runtime = StepRuntime()
        async with AsyncRoom(Room(runtime, seed=1)) as room:
            table, _ = await seated(room, None, None, turn_seconds=60)
            await asyncio.sleep(0.02)
            before = runtime.now()
            await table.deal(Deck.seeded(1))
            due = runtime.next_deadline
            assert due is not None
            assert due - before > 60

    run(main())


def test_closing_leaves_no_thread_no_timer_and_no_listener(room: AsyncRoom) -> None:
    threads = set(threading.enumerate())

    async def main() -> None:
        async with room:
            table, (ann, _) = await seated(room, None, None, turn_seconds=10 * PATIENCE)
            async with ann.news():
                await table.deal(Deck.seeded(1))
        loop = asyncio.get_running_loop()
        timers = [timer for timer in vars(loop)["_scheduled"] if not timer.cancelled()]
        assert not [timer for timer in timers if timer.when() > loop.time() + PATIENCE]

    run(main())
    assert not [thread for thread in set(threading.enumerate()) - threads if thread.is_alive()]


def test_a_turn_of_the_loop_delivers_for_a_time_and_not_for_a_number_of_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At a look a millisecond the budget is five looks; however long the queue, the others get their turn."""
    looks = iter(range(10**9))
    monkeypatch.setattr(bridge, "perf_counter", lambda: next(looks) * 0.001)
    delivered: list[int] = []

    async def main() -> None:
        runtime = StepRuntime()
        async with AsyncRoom(Room(runtime, seed=1)) as room:
            table, _ = await seated(room, *["caller"] * 6)
            before = runtime.steps
            drain = bridge.StepBridge._drain

            def counted(self: bridge.StepBridge) -> None:
                steps = runtime.steps
                drain(self)
                delivered.append(runtime.steps - steps)

            monkeypatch.setattr(bridge.StepBridge, "_drain", counted)
            hand = await table.deal()
            await hand.result()
            assert runtime.steps - before > 150

    run(main())
    most = 5 * bridge.STEPS_BETWEEN_LOOKS
    assert most <= max(delivered) < most + 10  # those asked within a handler are delivered with it


def test_on_a_stepper_no_answer_is_late_however_busy_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "ASK_SECONDS", 0.0)

    async def main() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            table, _ = await seated(room, None, "caller")
            assert (await table.state()).number == 0

    run(main())


def test_who_awaits_an_answer_of_a_room_that_is_let_go_of_hears_so() -> None:
    async def main() -> None:
        room = AsyncRoom(Room(StepRuntime(), seed=1))
        await room.__aenter__()
        table, _ = await seated(room, None, "caller")
        asked = asyncio.ensure_future(table.state())
        await asyncio.sleep(0)
        room.abandon()
        with pytest.raises(RoomClosed):
            await asked
        with pytest.raises(RoomClosed):
            await table.state()

    run(main())


def test_a_room_that_came_back_is_reached_by_awaiting(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1, store=tmp_path / "room")) as room:
            table, _ = await seated(room, None, None, button=0)
            hand = await table.deal()
        with pytest.raises(RoomClosed, match="goes on"):
            await hand.result()
        async with AsyncRoom(Room(StepRuntime(), store=tmp_path / "room")) as room:
            assert room.recovery is not None
            assert room.recovery.resumed == (hand.hand_id,)
            table = room.tables["main"]
            again = await table.live()
            assert again is not None
            await room.players["p0"].fold()
            assert not (await again.result()).voided
            assert await table.cash_out(room.players["p1"]) == 101
            assert await room.bank.balance("p1") == 101

    run(main())


def test_a_room_plays_on_uvloop_as_on_asyncio(room: AsyncRoom) -> None:
    uvloop = pytest.importorskip("uvloop")

    async def main() -> None:
        async with room:
            table, _ = await seated(room, "caller", "caller", "caller")
            results = await table.play(3)
            assert sum(sum(result.payoffs) for result in results) == 0
            assert (await room.audit()).conserved

    uvloop.run(main())


def test_a_stepper_that_is_busy_rests_between_messages_and_never_inside_a_handler() -> None:
    async def main() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            runtime = room.room.runtime
            assert isinstance(runtime, StepRuntime)
            rests = []
            room.bridge.rest = lambda: rests.append((runtime.steps, runtime.current))
            table, _ = await seated(room, "caller", "caller")
            for _ in range(40):
                await (await table.deal()).result()
            assert len(rests) > 1
            steps = [steps for steps, _ in rests]
            gaps = [after - before for before, after in itertools.pairwise(steps)]
            assert min(gaps) >= bridge.STEPS_BETWEEN_RESTS
            assert {current for _, current in rests} == {None}

    run(main())


def test_closing_with_time_to_finish_waits_for_no_table_that_plays_nothing(room: AsyncRoom) -> None:
    async def main() -> None:
        async with room:
            table, _ = await seated(room, None, None)
            await room.close(finish_seconds=PATIENCE)
            with pytest.raises(RoomClosed):
                await table.state()

    run(main())


class StillLoop:
    """An event loop whose time stands still until it is moved, and whose alarms ring when the test says."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.soon: list[Callable[[], Any]] = []
        self.alarms: list[tuple[float, Callable[[], Any]]] = []

    def time(self) -> float:
        return self.seconds

    def call_soon(self, callback: Callable[[], Any]) -> threading.Timer:
        self.soon.append(callback)
        return threading.Timer(0, callback)  # never started: as plain a handle as any, it can be cancelled

    def call_at(self, at: float, callback: Callable[[], Any]) -> threading.Timer:
        self.alarms.append((at, callback))
        return threading.Timer(0, callback)

    def ring(self, at: float) -> float:
        """Move the time to `at` and ring the last alarm; return what it was set for."""
        (due, callback), self.seconds = self.alarms.pop(), at
        callback()
        while self.soon:
            self.soon.pop(0)()
        return due


def test_an_alarm_that_rings_early_is_set_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvloop counts milliseconds: a turn of 0.05 s may be rung for when 0.0499 s have passed."""
    loop = StillLoop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    with Room(StepRuntime(), seed=1) as room:
        connection = bridge.bridge_to(room.runtime)
        room.runtime.later(0.05, room.player("ann").address, "time")
        connection.wake()
        for early in (0.0499, 0.04999):
            assert abs(loop.ring(1_000 + early) - 1_000.05) < 1e-9
            assert len(loop.alarms) == 1, "nobody would wake the room again"
        loop.ring(1_000.051)
        assert loop.alarms == []


def test_what_is_done_in_the_loop_is_done_at_the_loops_time_and_delivered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = StillLoop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    with Room(StepRuntime(), seed=1) as room:
        runtime = room.runtime
        connection = bridge.bridge_to(runtime)
        player = room.player("ann").address
        loop.seconds += 20
        connection.do(lambda: runtime.later(30, player, "time"))
        assert loop.alarms[-1][0] == 1_050, "a turn that begins after a pause of 20 s would be 20 s short"
