"""Bad bots in a live room: acted for, sat out when ejected, and nobody else waits."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.bots import BotFault, limited
from poker_actors.bots.awaiting import AwaitedBot
from poker_actors.bots.program import ProgramBot
from poker_actors.cards import Deck
from poker_actors.errors import TableRefusal
from poker_actors.rules import Action, Call, Check, Hand, RaiseTo, Stakes, View
from tests.actors.conftest import RUNTIMES
from tests.unit.bots.test_bots_program import PROGRAMS, program


def seated(room: Room, *bots: Any, **settings: Any) -> tuple[Any, list[Any]]:
    table = room.open_table(**{"button": 0, **settings})
    players = [room.player(f"p{number}", bot, chips=1000) for number, bot in enumerate(bots)]
    for player in players:
        table.sit(player)
        table.buy_in(player, 1000)
    return table, players


def late(view: View) -> Action:
    raise BotFault("late", "always")


def test_an_ejected_bot_is_sat_out_by_its_table(room: Room) -> None:
    table, (bad, *_) = seated(room, late, "caller", "caller")
    for hand in range(30):
        table.deal(Deck.seeded(hand)).result(timeout=60)
    assert (bad.faults.late, bad.faults.total) == (5, 5)
    assert bad.faults.ejected is not None
    seat = table.state().seats[0]
    assert seat is not None
    assert seat.out
    assert 0 not in table.state().positions.dealt
    assert room.supervisor.restarts == 0
    assert room.audit().conserved


def test_an_ejected_bot_that_is_seated_in_again_checks_or_folds_unasked_and_a_new_one_plays(
    room: Room,
) -> None:
    table, (bad, *_) = seated(room, late, "caller", "caller")
    for hand in range(15):
        table.deal(Deck.seeded(hand)).result(timeout=60)
    table.sit_in(bad)
    for hand in range(3):  # who comes back waits for its place
        table.deal(Deck.seeded(hand)).result(timeout=60)
    assert bad.faults.total == 5
    assert table.state().seats[0].out
    bad.play_by("caller")
    table.sit_in(bad)
    for hand in range(3):
        table.deal(Deck.seeded(hand)).result(timeout=60)
    assert 0 in table.state().positions.dealt
    assert (bad.faults.total, bad.faults.ejected) == (0, None)
    assert not table.state().seats[0].out


def test_with_nobody_else_left_no_hand_is_dealt(room: Room) -> None:
    table, _ = seated(room, late, "caller")
    for hand in range(30):
        if table.state().seats[0].out:
            break
        table.deal(Deck.seeded(hand)).result(timeout=60)
    with pytest.raises(TableRefusal, match="ready"):
        table.deal()


def test_a_program_plays_at_a_table_and_ends_with_the_room(room: Room) -> None:
    table, (player, _) = seated(room, f"cmd:seconds=30:{PROGRAMS['shell_bot.sh']}", "caller")
    bot = player._memory.bot
    assert isinstance(bot, ProgramBot)
    for hand in range(5):
        assert not table.deal(Deck.seeded(hand)).result(timeout=30).voided
    assert bot.pid is not None
    assert player.faults.total == 0
    assert player.faults.used.calls >= 5
    room.close()
    assert bot.pid is None


def test_another_bot_in_its_place_ends_a_program(room: Room) -> None:
    table, (player, _) = seated(room, f"cmd:seconds=30:{PROGRAMS['shell_bot.sh']}", "caller")
    bot = player._memory.bot
    assert isinstance(bot, ProgramBot)
    table.deal(Deck.seeded(1)).result(timeout=30)
    player.play_by("caller")
    assert bot.pid is None


def test_a_program_that_hangs_is_counted_late_once_where_the_table_has_a_deadline_too(tmp_path: Path) -> None:
    text = program(tmp_path, "time.sleep(600)", seconds=0.15)
    with Room(seed=1) as room:
        table, (bad, _) = seated(room, text, "caller", turn_seconds=0.05)
        assert not table.deal(Deck.seeded(1)).result(timeout=60).voided
        bad.state()
        assert (bad.faults.late, bad.faults.total) == (1, 1)


def test_who_plays_from_outside_and_is_late_is_counted_too(room: Room) -> None:
    table, (ann, _) = seated(room, None, "caller", turn_seconds=0.02)
    table.deal(Deck.seeded(1)).result(timeout=60)
    ann.state()
    assert (ann.faults.late, ann.faults.total, ann.faults.ejected) == (1, 1, None)


# -- awaited bots ----------------------------------------------------------------------------------


def run(main: Any) -> None:
    async def watched() -> None:
        async with asyncio.timeout(60):
            await main
        assert not asyncio.all_tasks() - {asyncio.current_task()}

    asyncio.run(watched())


async def async_seated(room: AsyncRoom, name: str, *bots: Any, **settings: Any) -> tuple[Any, list[Any]]:
    table = await room.open_table(name, button=0, **settings)
    players = [await room.player(f"{name}{number}", bot, chips=200) for number, bot in enumerate(bots)]
    for player in players:
        await table.sit(player)
        await table.buy_in(player, 200)
    return table, players


@pytest.mark.parametrize("kind", RUNTIMES)
def test_an_awaited_bot_that_writes_to_its_view_is_judged_by_the_hand(kind: str) -> None:
    rich = Hand((5000, 5000), Stakes(1, 2), deck=Deck.seeded(1)).public()

    @limited(seconds=15)
    async def forger(view: View) -> Action:
        with suppress(AttributeError, TypeError):  # compiled rules let nobody
            view.public = rich  # type: ignore[misc]  # on purpose
        return RaiseTo(4000)

    async def main() -> None:
        async with AsyncRoom(Room(RUNTIMES[kind](), seed=1)) as room:
            table, (player, _) = await async_seated(room, "one", forger, "caller")
            hand = await table.deal(Deck.seeded(1))
            assert not (await asyncio.wait_for(hand.result(), 60)).voided
            faults = player.player.faults
            assert faults.illegal == faults.total > 0

    asyncio.run(main())


@pytest.mark.parametrize("kind", RUNTIMES)
def test_an_awaited_bot_that_thinks_stops_no_other_table(kind: str) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    @limited(seconds=15)
    async def thinker(view: View) -> Action:
        thinking.set()
        await asyncio.to_thread(go_on.wait, 15)
        return Call() if view.to_call else Check()

    async def main() -> None:
        async with AsyncRoom(Room(RUNTIMES[kind](), seed=1)) as room:
            slow, (player, _) = await async_seated(room, "slow", thinker, "caller")
            quick, _ = await async_seated(room, "quick", "caller", "caller")
            hand = await slow.deal(Deck.seeded(1))
            for number in range(5):
                assert not (await (await quick.deal(Deck.seeded(number))).result()).voided
            assert await asyncio.to_thread(thinking.wait, 15)
            assert (await slow.state()).hand_id == hand.hand_id
            go_on.set()
            assert not (await hand.result()).voided
            assert player.player.faults.total == 0
            assert player.player.faults.used.calls >= 4

    run(main())


@pytest.mark.parametrize("kind", RUNTIMES)
def test_an_awaited_bot_that_is_late_is_acted_for_and_then_sat_out(kind: str) -> None:
    @limited(seconds=0.02, late=2)
    async def slow(view: View) -> Action:
        await asyncio.Event().wait()
        return Call()

    async def main() -> None:
        async with AsyncRoom(Room(RUNTIMES[kind](), seed=1)) as room:
            table, (bad, *_) = await async_seated(room, "main", slow, "caller", "caller")
            for number in range(6):
                assert not (await (await table.deal(Deck.seeded(number))).result()).voided
            assert (bad.player.faults.late, bad.player.faults.total) == (2, 2)
            assert (await table.state()).seats[0].out

    run(main())


def test_an_awaited_bot_that_is_late_at_the_table_and_by_its_own_deadline_is_late_once() -> None:
    async def main() -> None:
        gave_up = asyncio.Event()

        @limited(seconds=0.06)
        async def slow(view: View) -> Action:
            try:
                await asyncio.Event().wait()
            finally:
                gave_up.set()
            return Call()

        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            table, (bad, _) = await async_seated(room, "main", slow, "caller", turn_seconds=0.02)
            await (await table.deal(Deck.seeded(1))).result()
            await gave_up.wait()
            await bad.state()
            assert (bad.player.faults.late, bad.player.faults.total) == (1, 1)

    run(main())


def test_a_bot_does_not_answer_for_who_played_before_it(room: Room) -> None:
    table, (ann, _) = seated(room, None, "caller", turn_seconds=0.02)
    table.deal(Deck.seeded(1)).result(timeout=60)
    ann.state()
    assert ann.faults.late == 1
    ann.play_by("caller")
    assert ann.faults.total == 0


def test_a_room_that_closes_cancels_what_is_awaited() -> None:
    ended: list[str] = []
    thinking = asyncio.Event()

    async def endless(view: View) -> Action:
        try:
            thinking.set()
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return Call()

    async def main() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            table, (player, _) = await async_seated(room, "main", endless, "caller")
            assert isinstance(player.player._memory.bot, AwaitedBot)
            await table.deal(Deck.seeded(1))
            await thinking.wait()
        assert ended == ["cancelled"]

    run(main())
