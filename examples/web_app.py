"""Fifty tables in one asyncio app: people served by coroutines, bots beside them, hands dealt automatically.

    python web_app.py [asyncio|uvloop]

On a stepper the event loop drains the room, which then needs no thread; on the other two runtimes the room has threads of
its own. The app is the same, and all other tasks get their turns.
"""

import asyncio
import importlib
import sys

from poker_actors import HandState, Room
from poker_actors.actors import HandResult, LoopRuntime, StepRuntime, ThreadRuntime
from poker_actors.actors.aio import AsyncPlayer, AsyncRoom, AsyncTable
from poker_actors.rules import Call, Check

TABLES = 50
HANDS = 4


async def person(player: AsyncPlayer, table: AsyncTable) -> int:
    """Do what a request handler would for one person: wait for turns, and check or call; return their number."""
    turns = 0
    async with player.news() as news:
        async for one in news:
            if isinstance(one, HandState) and one.active:
                await player.at(table).act(Call() if one.to_call else Check())
                turns += 1
    return turns


async def beat(stopped: asyncio.Event) -> int:
    """Stand for the rest of the app: count how often it gets its turn."""
    turns = 0
    while not stopped.is_set():
        turns += 1
        await asyncio.sleep(0)
    return turns


async def table_of(room: AsyncRoom, number: int) -> tuple[AsyncTable, AsyncPlayer]:
    """Open a table for one person and two bots."""
    table = await room.open_table(f"table {number}", seats=3, stakes="1/2", turn_seconds=30)
    ann = await room.player(f"ann {number}", chips=400)
    for player in (
        ann,
        *[await room.player(f"{bot} {number}", bot, chips=400) for bot in ("tight", "loose")],
    ):
        await table.sit(player)
        await table.buy_in(player, 200)
    return table, ann


async def main(runtime: StepRuntime | LoopRuntime | ThreadRuntime) -> None:
    """Play some hands at every table at once."""
    results: list[HandResult] = []
    async with AsyncRoom(Room(runtime, seed=8)) as room:
        tables = [await table_of(room, number) for number in range(TABLES)]
        people = [asyncio.create_task(person(ann, table)) for table, ann in tables]
        stopped = asyncio.Event()
        rest = asyncio.create_task(beat(stopped))
        played = await asyncio.gather(
            *(table.run(HANDS, rebuy=200, until=results.append) for table, _ in tables)
        )
        stopped.set()
        audit = await room.audit()
        print(
            f"{type(runtime).__name__}: {len(tables)} tables, {sum(played)} hands, {len({result.hand_id for result in results})} results"
        )
        print(f"every chip is there: {audit.conserved}, {audit.minted} in all")
        print(f"the rest of the app had its turn meanwhile: {await rest > 1}")
    turns = await asyncio.gather(*people)
    print(f"every person has acted: {min(turns) > 0}")


loops = importlib.import_module(sys.argv[1] if len(sys.argv) > 1 else "asyncio")
for made in (StepRuntime(), LoopRuntime(), ThreadRuntime()):
    with asyncio.Runner(loop_factory=loops.new_event_loop) as runner:
        runner.run(main(made))
